/** What a run may use up. At a limit it stops cleanly, and a later call goes on. */

import { clause, dollars } from "../../../utils/text/format.ts";

export interface BudgetLimits {
  costUsd?: number;
  /** Input and output together. */
  tokens?: number;
  /** Time of this call, not of the whole run: time in which nobody worked costs nothing. */
  minutes?: number;
}

/** What was used so far. Null means unknown: something was used that nobody counted. */
export interface Spent {
  costUsd: number | null;
  tokens: number | null;
}

/** Thrown between two pieces of work, never within one, so that everything that was paid for is on record. */
export class BudgetReached extends Error {
  override name = "BudgetReached";
}

export class Budget {
  readonly #limits: BudgetLimits;
  readonly #account: { readonly spent: Spent };
  readonly #started = performance.now();

  /** @param account asked for each decision, so it may grow */
  constructor(limits: BudgetLimits, account: { readonly spent: Spent }) {
    this.#limits = limits;
    this.#account = account;
  }

  /** A sentence that says which limit is reached, or can no longer be kept; null while there is none. */
  get reached(): string | null {
    const { costUsd, tokens, minutes } = this.#limits;
    const spent = this.#account.spent;
    const passed = (performance.now() - this.#started) / 60_000;
    if (costUsd !== undefined) {
      if (spent.costUsd === null) return "a limit in dollars cannot be kept, as the model's tokens are not counted";
      if (spent.costUsd >= costUsd) return `${dollars(spent.costUsd)} of $${costUsd} are spent`;
    }
    if (tokens !== undefined) {
      if (spent.tokens === null) return "a limit of tokens cannot be kept, as the model's tokens are not counted";
      if (spent.tokens >= tokens) return `${spent.tokens} of ${tokens} tokens are used`;
    }
    if (minutes !== undefined && passed >= minutes) return `${clause(minutes, "minute", "are")} over`;
    return null;
  }

  /** @throws BudgetReached */
  require(): void {
    if (this.reached !== null) throw new BudgetReached(this.reached);
  }
}
