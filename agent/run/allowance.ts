/** What a run, or all runs of a job together, may use. */

import { Countdown } from "./countdown.ts";
import type { Usage } from "./usage.ts";

/** Limits time and tokens. The time begins when the allowance is made. */
export class Allowance extends Countdown {
  readonly #ended = new AbortController();
  /** Fires when the time is up. */
  readonly signal: AbortSignal = this.#ended.signal;
  #tokens: number;

  /** `maxTokens`: input and output together; a server that counts none is not limited by it. Default: any number. */
  constructor({ timeoutMs, maxTokens = Infinity }: { timeoutMs: number; maxTokens?: number | undefined }) {
    super(timeoutMs);
    this.#tokens = maxTokens;
    this.start(() => this.#ended.abort(new TimeLimit()));
  }

  get isSpent(): boolean {
    return this.#tokens <= 0;
  }

  spend(usage: Usage | null): void {
    this.#tokens -= (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
  }
}

/** The reason of the abort when the time of a run is up; a user who stops the run gives another one. */
export class TimeLimit extends Error {
  override name = "TimeLimit";
}
