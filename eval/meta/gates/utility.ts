/** What an agent is worth on a task: its score, less what it costs and how long it takes. */

import { z } from "zod";
import type { Measured } from "../log.ts";
import { benchmarkOf } from "./weights.ts";

export const UtilityOptions = z.object({
  weights: z.object({ score: z.number(), cost: z.number(), time: z.number() }),
  /** US dollars a task at which the cost part is used up. */
  costCapUsd: z.number().positive(),
  /** Seconds a task at which the time part is used up. */
  timeCapSeconds: z.number().positive(),
  /** Share of the utility that a task loses where the agent ran out of time. */
  timeoutPenalty: z.number().min(0).max(1),
  /** By benchmark; 1 where none is given. */
  taskWeights: z.record(z.string(), z.number().positive()).default({}),
});
export type UtilityOptions = z.infer<typeof UtilityOptions>;

/** The paper's own settings. */
export const PAPER_UTILITY: UtilityOptions = {
  weights: { score: 0.5, cost: 0.25, time: 0.25 },
  costCapUsd: 10,
  timeCapSeconds: 300,
  timeoutPenalty: 0.5,
  taskWeights: {},
};

type Weighed = Pick<Measured, "task" | "score" | "costUsd" | "seconds" | "status">;

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
  { score, costUsd, seconds, status }: Omit<Weighed, "task">,
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

/** Of each task, times its weight over their mean weight: so the mean of these is the weighted mean. */
export function utilitiesOf(measured: readonly Weighed[], options: UtilityOptions): Utility[] {
  const weights = measured.map(({ task }) => options.taskWeights[benchmarkOf(task)] ?? 1);
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
  return measured.map((one, i) => {
    const { value, score, cost, time } = utilityOf(one, options);
    const share = (weights[i] ?? 1) / mean;
    return { value: value * share, score: score * share, cost: cost * share, time: time * share };
  });
}

/** The mean over tasks, part by part; null for no tasks: nothing was measured. */
export function meanUtility(utilities: readonly Utility[]): Utility | null {
  if (utilities.length === 0) return null;
  const mean = (part: keyof Utility) => utilities.reduce((sum, utility) => sum + utility[part], 0) / utilities.length;
  return { value: mean("value"), score: mean("score"), cost: mean("cost"), time: mean("time") };
}
