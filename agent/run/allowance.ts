/** What a run, or all runs of a job together, may use. */

import { Countdown } from "./countdown.ts";
import type { Usage } from "./usage.ts";

/** Time, which begins when this is made, and tokens. */
export class Allowance extends Countdown {
  readonly #ended = new AbortController();
  /** Fires when the time is up. */
  readonly signal: AbortSignal = this.#ended.signal;
  #tokens: number;

  /** `maxTokens`: input and output together; where a server counts none this limit cannot hold. Default: any number. */
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

/** The reason to abort with when the time of a run is up, as opposed to a user who stops it. */
export class TimeLimit extends Error {
  override name = "TimeLimit";
}
