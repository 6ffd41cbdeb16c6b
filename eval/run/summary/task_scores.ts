/** From samples to a score over tasks: what was drawn and passed for each task, and the mean with its interval. */

import { smallest } from "../../../utils/base/data/extremes.ts";
import { bootstrapMean, FEW_VALUES, spanning } from "../../../utils/base/statistics/bootstrap.ts";
import { passAtK, wilson } from "../../../utils/base/statistics/stats.ts";
import { isScored, type Result } from "../results.ts";

/** What the samples of one task came to. */
export interface TaskScore {
  taskId: string;
  /** Position in the dataset. */
  index: number;
  bugType: string;
  /** Samples with a score. */
  samples: number;
  passed: number;
  /** Samples without one. */
  errors: number;
}

/** @param results the latest of each sample; @returns in the order of the tasks */
export function taskScores(results: readonly Result[]): TaskScore[] {
  const byTask = new Map<string, TaskScore>();
  for (const result of results) {
    const { task_id: taskId, index, bug_type: bugType } = result;
    const task = byTask.get(taskId) ?? { taskId, index, bugType, samples: 0, passed: 0, errors: 0 };
    byTask.set(taskId, task);
    if (!isScored(result)) task.errors += 1;
    else {
      task.samples += 1;
      if (result.passed) task.passed += 1;
    }
  }
  return [...byTask.values()].sort((a, b) => a.index - b.index);
}

export interface Estimate {
  k: number;
  /** Tasks that the estimate is about: those with at least `k` scored samples. */
  tasks: number;
  /** Mean pass@k of those tasks; null where there are none. */
  value: number | null;
  /** 95% interval over tasks. */
  interval: [low: number, high: number] | null;
  /** How the interval was made. */
  method: "Wilson" | "bootstrap over tasks" | "Wilson and bootstrap over tasks together" | null;
}

/**
 * pass@k with its interval. Samples of one task are alike, so the tasks and not the samples are what is resampled.
 * Where each task is a plain 0 or 1 Wilson's interval holds. It is taken too where all tasks have the same score and a
 * bootstrap has nothing to vary: a mean of scores between 0 and 1 varies at most as a proportion does. Of few tasks,
 * whose bootstrap is too narrow, the interval spans both.
 */
export function estimate(tasks: readonly Pick<TaskScore, "samples" | "passed">[], k = 1): Estimate {
  const scores = tasks.filter(({ samples }) => samples >= k).map(({ samples, passed }) => passAtK(samples, passed, k));
  if (scores.length === 0) return { k, tasks: 0, value: null, interval: null, method: null };
  const sum = scores.reduce((total, score) => total + score, 0);
  return { k, tasks: scores.length, value: sum / scores.length, ...intervalOf(scores, sum) };
}

function intervalOf(scores: readonly number[], sum: number): Pick<Estimate, "interval" | "method"> {
  const ofProportion = wilson(Math.min(sum, scores.length), scores.length);
  if (scores.every((score) => score === 0 || score === 1) || new Set(scores).size === 1)
    return { interval: ofProportion, method: "Wilson" };
  const drawn = bootstrapMean(scores);
  if (scores.length >= FEW_VALUES) return { interval: drawn, method: "bootstrap over tasks" };
  return { interval: spanning(drawn, ofProportion), method: "Wilson and bootstrap over tasks together" };
}

export const USUAL_KS = [1, 5, 10, 100];

/** The k worth reporting: 1, and every usual k that each scored task has enough samples for. */
export function usualKs(tasks: readonly TaskScore[]): number[] {
  const counts = tasks.flatMap(({ samples }) => (samples > 0 ? samples : []));
  const least = counts.length === 0 ? 1 : smallest(counts);
  return USUAL_KS.filter((k) => k <= least);
}
