/** What a run may use up. At a limit it stops cleanly, and a later call goes on. */

import type { Model } from "../../../agent/models/model.ts";
import type { ReserveBudget } from "../../../agent/run/allowance.ts";
import { ModelCallError } from "../../../agent/run/model_errors.ts";
import { addUsage, noUsage, type Usage } from "../../../agent/run/usage.ts";
import { clause, dollars } from "../../../utils/base/text/format.ts";
import { costOf, type Prices } from "./pricing.ts";

export interface BudgetLimits {
  costUsd?: number;
  /** Input and output together. */
  tokens?: number;
  /** Time of this process, not of the whole run: pauses between processes do not count. */
  minutes?: number;
}

/** What was used so far. Null means unknown: tokens were not counted, or have no known price. */
export interface Spending {
  costUsd: number | null;
  tokens: number | null;
}

/** The most that a call of a model may use. */
export interface CallBound {
  inputTokens: number;
  /** Null where nothing bounds the reply. */
  outputTokens: number | null;
  /** Null: unknown. */
  prices: Prices | null;
}

/** What a call came to: `unknown` where it was sent and given up, so that its server may bill it all. */
export type CallUsage = Usage | "nothing" | "unknown";

/** Thrown where nothing more may begin; what was paid for is on record. */
export class BudgetReached extends Error {
  override name = "BudgetReached";
}

/**
 * Of a reply that nothing bounds, before one of more than half of it was seen: what models write at most, reasoning
 * included. With less, calls side by side would pass a limit by far more than one of them.
 */
const UNBOUNDED_REPLY_TOKENS = 32_768;

export class Budget {
  readonly limits: BudgetLimits;
  readonly #started = performance.now();
  readonly #spent: Spending;
  /** Upper bounds of the calls that are under way. */
  readonly #underWay = new Set<{ costUsd: number; tokens: number }>();
  #waiting: (() => void)[] = [];
  #longestReply = UNBOUNDED_REPLY_TOKENS / 2;
  #refusal: string | null = null;

  /** @param before what earlier processes have used */
  constructor(limits: BudgetLimits, before: Spending = { costUsd: 0, tokens: 0 }) {
    this.limits = limits;
    this.#spent = { ...before };
  }

  get spent(): Readonly<Spending> {
    return this.#spent;
  }

  /** A sentence that says which limit is reached, or can no longer be kept; null while there is none. */
  get reached(): string | null {
    const { costUsd, tokens, minutes } = this.limits;
    const spent = this.#spent;
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
    return this.#refusal;
  }

  /** @throws BudgetReached */
  require(): void {
    if (this.reached !== null) throw new BudgetReached(this.reached);
  }

  /**
   * Sets the most that a call may use aside, before it begins; where calls under way hold too much, it waits for them.
   * So a limit is kept; where nothing bounds the reply, up to one call, which then goes alone.
   * @returns a function to call once with what the call used
   * @throws ModelCallError of kind `budget`, or the signal's reason
   */
  async reserve(most: CallBound, signal?: AbortSignal): Promise<(used: CallUsage) => void> {
    for (;;) {
      signal?.throwIfAborted();
      const reached = this.reached;
      if (reached !== null) throw refused(reached);
      const bound = this.#boundOf(most);
      if (this.#fits(bound)) return this.#begin(bound, most.prices);
      if (this.#underWay.size > 0) await this.#change(signal);
      else if (most.outputTokens === null) return this.#begin(bound, most.prices);
      else this.#refusal = this.#tooLittle(bound);
    }
  }

  /** Adds what was used without `reserve`, such as by another process. */
  add(used: Usage, prices: Prices | null): void {
    const { inputTokens, outputTokens, modelCalls } = used;
    const costUsd = prices === null ? used.costUsd : modelCalls === 0 ? 0 : costOf(used, prices);
    this.#spend({ costUsd, tokens: sum(inputTokens, outputTokens) });
    this.#longestReply = Math.max(this.#longestReply, modelCalls === 1 ? (outputTokens ?? 0) : 0);
  }

  #spend({ costUsd, tokens }: Spending): void {
    this.#spent.costUsd = sum(this.#spent.costUsd, costUsd);
    this.#spent.tokens = sum(this.#spent.tokens, tokens);
  }

  #boundOf({ inputTokens, outputTokens, prices }: CallBound): { costUsd: number; tokens: number } {
    const output = outputTokens ?? 2 * this.#longestReply;
    const { input = 0, cachedInput = 0, output: price = 0 } = prices ?? {};
    const costUsd = (inputTokens * Math.max(input, cachedInput) + output * price) / 1e6;
    return { costUsd, tokens: inputTokens + output };
  }

  #fits(bound: { costUsd: number; tokens: number }): boolean {
    const { costUsd = Infinity, tokens = Infinity } = this.limits;
    const held = [...this.#underWay, bound];
    return (
      held.reduce((all, one) => all + one.costUsd, this.#spent.costUsd ?? 0) <= costUsd &&
      held.reduce((all, one) => all + one.tokens, this.#spent.tokens ?? 0) <= tokens
    );
  }

  #begin(bound: { costUsd: number; tokens: number }, prices: Prices | null): (used: CallUsage) => void {
    this.#underWay.add(bound);
    return (used) => {
      if (!this.#underWay.delete(bound)) return;
      if (used === "unknown") this.#spend({ costUsd: prices && bound.costUsd, tokens: bound.tokens });
      else this.add(used === "nothing" ? noUsage() : used, prices);
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const wake of waiting) wake();
    };
  }

  #change(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      signal?.addEventListener("abort", wake, { once: true });
      this.#waiting.push(wake);
    });
  }

  #tooLittle(bound: { costUsd: number; tokens: number }): string {
    const { costUsd = Infinity, tokens } = this.limits;
    const spent = this.#spent;
    return (spent.costUsd ?? 0) + bound.costUsd > costUsd
      ? `${dollars(spent.costUsd)} of $${costUsd} are spent, and the next call may cost ${dollars(bound.costUsd)}`
      : `${spent.tokens} of ${tokens} tokens are used, and the next call may use ${bound.tokens}`;
  }
}

/** The failure of a call that may not be made. */
export const refused = (reached: string): ModelCallError =>
  new ModelCallError({ kind: "budget", message: `The budget is used up: ${reached}.`, fatal: false });

const sum = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);

/** By lines of a run, those that a retry replaced too: they were paid for. */
export function spentBy(lines: readonly { usage?: Usage | undefined }[]): Spending {
  const { costUsd, inputTokens, outputTokens } = lines.flatMap(({ usage }) => usage ?? []).reduce(addUsage, noUsage());
  return { costUsd, tokens: sum(inputTokens, outputTokens) };
}

/** The longest reply in tokens that a model can give; null where nothing bounds it. */
export function longestReply({ parameters }: Pick<Model, "parameters">): number | null {
  const { maxTokens } = parameters;
  return typeof maxTokens === "number" ? maxTokens : null;
}

/** How the calls of an agent on this machine are paid from a run's budget. */
export const reserveFrom =
  (budget: Budget, prices: Prices | null, model: Pick<Model, "parameters">): ReserveBudget =>
  (inputTokens, signal) =>
    budget.reserve({ inputTokens, outputTokens: longestReply(model), prices }, signal);
