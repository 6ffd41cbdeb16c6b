/** What a run has used: finished samples, replaced ones too, and the turns of those under way. */

import { addUsage, noUsage, type Usage } from "../../../agent/run/usage.ts";
import type { Result } from "../results.ts";
import { type SampleId, sampleKey } from "../results.ts";
import type { Spent } from "./budget.ts";

export class Spending {
  #finished = noUsage();
  readonly #underWay = new Map<string, Usage>();

  /** @param lines all lines of the run so far: what a retried sample used before was paid for too */
  constructor(lines: readonly Result[]) {
    for (const { usage } of lines) if (usage) this.#finished = addUsage(this.#finished, usage);
  }

  /** One more turn of a sample that is not finished. */
  turn(sample: SampleId, usage: Usage): void {
    this.#underWay.set(sampleKey(sample), addUsage(this.underWay(sample), usage));
  }

  /** What the turns of a sample have used so far; nothing once it is finished. */
  underWay(sample: SampleId): Usage {
    return this.#underWay.get(sampleKey(sample)) ?? noUsage();
  }

  /** From now on the usage of the finished sample counts, and no longer that of its turns. */
  finish(sample: SampleId, usage: Usage): void {
    this.#underWay.delete(sampleKey(sample));
    this.#finished = addUsage(this.#finished, usage);
  }

  get spent(): Spent {
    const { costUsd, inputTokens, outputTokens } = [...this.#underWay.values()].reduce(addUsage, this.#finished);
    return { costUsd, tokens: inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens };
  }
}
