/** The time of a run, and the permission to make its model calls. */

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

/** Limits time. It begins when the allowance is made. */
export class Allowance extends Countdown {
  /** Fires when the time is up, and with the caller's signal. */
  readonly signal: AbortSignal;
  /** The time does not run while it waits. Default: every call may be made. */
  readonly pay: PayForCall | undefined;

  constructor({
    timeoutMs,
    pay,
    signal,
  }: { timeoutMs: number; pay?: PayForCall | undefined; signal?: AbortSignal | undefined }) {
    super(timeoutMs);
    const ended = new AbortController();
    this.signal = signal ? AbortSignal.any([ended.signal, signal]) : ended.signal;
    this.pay = pay && ((inputTokens, ends) => this.pausing(() => pay(inputTokens, ends)));
    this.start(() => ended.abort(new TimeLimit()));
  }
}

/** The reason of the abort when the time of a run is up; a user who stops the run gives another one. */
export class TimeLimit extends Error {
  override name = "TimeLimit";
}

/** Why a run ends whose signal has fired. */
export const stopOf = ({ reason }: AbortSignal): "budget" | "aborted" =>
  reason instanceof TimeLimit ? "budget" : "aborted";
