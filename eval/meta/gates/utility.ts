/** What an agent is worth on a task: its score, less what it costs and how long it takes. */

import { z } from "zod";
import type { MeasuredLine } from "../log.ts";

export const UtilityOptions = z.object({
  weights: z.object({ score: z.number(), cost: z.number(), time: z.number() }),
  /** US dollars a task at which the cost part is used up. */
  costCapUsd: z.number().positive(),
  /** Seconds a task at which the time part is used up. */
  timeCapSeconds: z.number().positive(),
  /** Share of the utility that a task loses where the agent ran out of time. */
  timeoutPenalty: z.number().min(0).max(1),
});
export type UtilityOptions = z.infer<typeof UtilityOptions>;

/** The paper's own settings. */
export const PAPER_UTILITY: UtilityOptions = {
  weights: { score: 0.5, cost: 0.25, time: 0.25 },
  costCapUsd: 10,
  timeCapSeconds: 300,
  timeoutPenalty: 0.5,
};

type UtilityInput = Pick<MeasuredLine, "score" | "costUsd" | "seconds" | "status">;

/** The utility of one task, and what each part adds to it. */
export interface Utility {
  value: number;
  score: number;
  cost: number;
  time: number;
}

/**
 * The utility of one measurement. By the formula alone an instant failure would be worth 0.5: a process that did not
 * end as it should is worth nothing, save after a timeout.
 *
 * U = w_s·score + w_c·(1 − min(1, cost / cap)) + w_t·(1 − min(1, time / cap)), times 1 − τ after a timeout.
 * Source: Robeyns, Szummer, Aitchison 2025, "A Self-Improving Coding Agent", eq. 1 and 2.
 */
export function utilityOf(
  { score, costUsd, seconds, status }: UtilityInput,
  { weights, costCapUsd, timeCapSeconds, timeoutPenalty }: UtilityOptions = PAPER_UTILITY,
): Utility {
  const kept = status === "ok" ? 1 : status === "timeout" ? 1 - timeoutPenalty : 0;
  const parts = {
    score: kept * weights.score * score,
    cost: kept * weights.cost * (1 - Math.min(1, costUsd / costCapUsd)),
    time: kept * weights.time * (1 - Math.min(1, seconds / timeCapSeconds)),
  };
  return { value: parts.score + parts.cost + parts.time, ...parts };
}

/** The mean over tasks, part by part; null for no tasks: nothing was measured. */
export function meanUtility(utilities: readonly Utility[]): Utility | null {
  if (utilities.length === 0) return null;
  const mean = (part: keyof Utility) => utilities.reduce((sum, utility) => sum + utility[part], 0) / utilities.length;
  return { value: mean("value"), score: mean("score"), cost: mean("cost"), time: mean("time") };
}
