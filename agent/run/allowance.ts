/** The time of a run, and the permission to make its model calls. */

import { Countdown } from "../../utils/sandbox/countdown.ts";
import type { Usage } from "./usage.ts";

/** Called once when a model call has ended. `unknown`: it was sent and then given up, and may have cost tokens. */
export type SettleBudget = (used: Usage | "nothing" | "unknown") => void;

/**
 * Reserves budget for a model call that sends at most this many tokens; may wait for other calls to end.
 * @throws ModelCallError of kind `budget`
 */
export type ReserveBudget = (inputTokens: number, signal: AbortSignal) => Promise<SettleBudget>;

/** Limits time. It begins when the allowance is made. */
export class Allowance extends Countdown {
  /** Fires when the time is up, and with the caller's signal. */
  readonly signal: AbortSignal;
  /** The time does not run while it waits. Default: every call may be made. */
  readonly reserve: ReserveBudget | undefined;

  constructor({
    timeoutMs,
    reserve,
    signal,
  }: { timeoutMs: number; reserve?: ReserveBudget | undefined; signal?: AbortSignal | undefined }) {
    super(timeoutMs);
    const ended = new AbortController();
    this.signal = signal ? AbortSignal.any([ended.signal, signal]) : ended.signal;
    this.reserve = reserve && ((inputTokens, ends) => this.pausing(() => reserve(inputTokens, ends)));
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
