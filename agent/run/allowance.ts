/** What a run, or all runs of a job together, may use. */

import { Countdown } from "../../utils/sandbox/countdown.ts";
import type { Usage } from "./usage.ts";

/**
 * Asks permission for a model call that sends at most this many tokens; may wait for other calls to end.
 * @returns a function to call once with the usage: `unknown` if the call was sent and then given up
 * @throws ModelCallError of kind `budget`
 */
export type PayForCall = (
  inputTokens: number,
  signal: AbortSignal,
) => Promise<(used: Usage | "nothing" | "unknown") => void>;

interface AllowanceOptions {
  timeoutMs: number;
  /** Input and output together; a server that counts none is not limited by it. Default: any number. */
  maxTokens?: number | undefined;
  /** Default: every call may be made. */
  pay?: PayForCall | undefined;
}

/** Limits time and tokens. The time begins when the allowance is made. */
export class Allowance extends Countdown {
  readonly #ended = new AbortController();
  /** Fires when the time is up. */
  readonly signal: AbortSignal = this.#ended.signal;
  #tokens: number;

  /** See `PayForCall`. The time does not run while it waits. */
  readonly pay: PayForCall | undefined;

  constructor({ timeoutMs, maxTokens = Infinity, pay }: AllowanceOptions) {
    super(timeoutMs);
    this.#tokens = maxTokens;
    this.pay = pay && ((inputTokens, signal) => this.pausing(() => pay(inputTokens, signal)));
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

/** Why a run ends whose signal has fired. */
export const stopOf = ({ reason }: AbortSignal): "budget" | "aborted" =>
  reason instanceof TimeLimit ? "budget" : "aborted";
