/** What a meta run may use up. Reached, it stops cleanly, and a later call goes on. */

import type { RunState } from "./state.ts";

export interface BudgetLimits {
  costUsd?: number;
  tokens?: number;
  /** Of this call, not of the run: time that nobody worked costs nothing. */
  minutes?: number;
}

/** Thrown between two pieces of work, never within one: all that was paid for is in the log. */
export class BudgetReached extends Error {
  override name = "BudgetReached";
}

export class Budget {
  readonly #limits: BudgetLimits;
  readonly #state: RunState;
  readonly #started = performance.now();

  constructor(limits: BudgetLimits, state: RunState) {
    this.#limits = limits;
    this.#state = state;
  }

  /** In one sentence which limit is reached; null while none is. */
  get reached(): string | null {
    const { costUsd, tokens, minutes } = this.#limits;
    const spent = this.#state.spent;
    const passed = (performance.now() - this.#started) / 60_000;
    if (costUsd !== undefined && spent.costUsd >= costUsd)
      return `$${spent.costUsd.toFixed(2)} of $${costUsd} are spent`;
    if (tokens !== undefined && spent.tokens >= tokens) return `${spent.tokens} of ${tokens} tokens are used`;
    if (minutes !== undefined && passed >= minutes) return `${minutes} minutes are over`;
    return null;
  }

  /** @throws BudgetReached */
  require(): void {
    if (this.reached !== null) throw new BudgetReached(this.reached);
  }
}
