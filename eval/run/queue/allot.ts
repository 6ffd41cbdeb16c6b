/**
 * What each job of a queue may use: a part of the run's budget that is set aside before a worker begins; what the job
 * does not use is given back.
 */

import { z } from "zod";
import type { Usage } from "../../../agent/run/usage.ts";
import { Budget, type Spending } from "../cost/budget.ts";

/** The limits of one job, as sent to its worker; absent where the run has none. */
export const Allotment = z.object({ costUsd: z.number().optional(), tokens: z.number().optional() });
export type Allotment = z.infer<typeof Allotment>;

type Kind = keyof Spending;
const KINDS: readonly Kind[] = ["costUsd", "tokens"];

/** The part of what is left that a job gets while no job has ended. */
const FIRST_PART = 1 / 8;
/** A job gets so many times what the dearest used, or what was too little for itself. */
const ROOM = 2;

/** All parts together are never more than what is left of the budget. */
export class Allotments {
  readonly #budget: Budget;
  readonly #held = new Map<string, Allotment>();
  /** What was too little for a job. */
  readonly #tooLittle = new Map<string, Allotment>();
  readonly #dearest: Record<Kind, number> = { costUsd: 0, tokens: 0 };

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Sets a part aside; null where too little is left until other jobs end. The same job gets the same again. */
  take(id: string): Allotment | null {
    const held = this.#held.get(id);
    if (held) return held;
    const parts: Allotment = {};
    for (const kind of KINDS) {
      const limit = this.#budget.limits[kind];
      if (limit === undefined) continue;
      const part = this.#part(id, kind, limit - (this.#budget.spent[kind] ?? limit));
      if (part === null) return null;
      parts[kind] = part;
    }
    this.#held.set(id, parts);
    return parts;
  }

  #part(id: string, kind: Kind, unspent: number): number | null {
    const left = [...this.#held.values()].reduce((rest, held) => rest - (held[kind] ?? 0), unspent);
    const before = this.#tooLittle.get(id)?.[kind] ?? 0;
    const known = ROOM * Math.max(before, this.#dearest[kind]);
    const wanted = known > 0 ? known : left * FIRST_PART;
    if (wanted <= left && left > 0) return wanted;
    return this.#held.size === 0 ? Math.max(0, left) : null;
  }

  /** The job has ended. @param unpaid whether its part was too little */
  end(id: string, used: Pick<Usage, "costUsd" | "inputTokens" | "outputTokens">, unpaid: boolean): void {
    const held = this.#held.get(id);
    this.#held.delete(id);
    if (unpaid && held) return void this.#tooLittle.set(id, held);
    this.#dearest.costUsd = Math.max(this.#dearest.costUsd, used.costUsd ?? 0);
    this.#dearest.tokens = Math.max(this.#dearest.tokens, (used.inputTokens ?? 0) + (used.outputTokens ?? 0));
  }
}

/** The budget of one job, on its worker. */
export const budgetOf = (allotment: Allotment | undefined): Budget => new Budget(allotment ?? {});
