/** Folds results into a summary: pass@k over tasks with intervals, what every task came to, what it all used. */

import { addUsage, noUsage, type Usage } from "../../../agent/run/usage.ts";
import { isScored, latest, type Result } from "../results.ts";
import { type Estimate, estimate, type TaskScore, taskScores } from "./task_scores.ts";

export interface Summary {
  /** Tasks with a score: what the score is about. */
  num: number;
  /** Samples with a score; of one attempt each there are as many as tasks. */
  samples: number;
  /** Samples that passed. */
  successes: number;
  /** pass@1 over tasks; null where nothing was scored. */
  value: number | null;
  /** 95% interval of `value`; null where nothing was scored. */
  interval: [number, number] | null;
  /** pass@k for every k asked for. A task with fewer than k scored samples is no part of that estimate. */
  passAtK: Estimate[];
  tasks: TaskScore[];
  /** Samples without a score. */
  errors: number;
  /** True where every sample of the run has a score. */
  complete: boolean;
  /** Of the scored samples. */
  usage: Usage;
}

/** @param lines all lines of a run, @param expected samples the run should have */
export function summarize(lines: readonly Result[], expected: number, ks: readonly number[] = [1]): Summary {
  const results = latest(lines);
  const scored = results.filter(isScored);
  const tasks = taskScores(results);
  const { tasks: num, value, interval } = estimate(tasks);
  return {
    num,
    samples: scored.length,
    successes: scored.filter(({ passed }) => passed).length,
    value,
    interval,
    passAtK: ks.map((k) => estimate(tasks, k)),
    tasks,
    errors: results.length - scored.length,
    complete: scored.length === expected,
    usage: scored.map(({ usage }) => usage).reduce(addUsage, noUsage()),
  };
}
