/** Folds results into a summary: pass@k over tasks with intervals, what every task came to, what it all used. */

import { addUsage, noUsage, type Usage } from "../../../agent/run/usage.ts";
import { isScored, latest, type Result, type ScoredResult } from "../results.ts";
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
  /** pass@k for every k asked for. A task with fewer than k scored samples is not part of that estimate. */
  passAtK: Estimate[];
  tasks: TaskScore[];
  /** pass@1 for each separately reported part of the hidden tests, such as the base inputs; absent if there is none. */
  parts?: Record<string, Estimate>;
  /**
   * Share of the samples with a reply in which every reply was well-formed; null if no model replied.
   * Source: `percent_cases_well_formed` of aider's benchmark.
   */
  wellFormed: number | null;
  /** Replies that ended at the length limit. */
  cutOff: number;
  /** The models that the server says replied, each with its fingerprint. */
  answeredBy: string[];
  /** Samples without a score. */
  errors: number;
  /** pass@1 where these count as failed; null where there are none. */
  ifErrorsFail: number | null;
  /** True where every sample of the run has a score. */
  complete: boolean;
  /** Of all samples: what failed was paid for, too. */
  usage: Usage;
}

/** @param lines all lines of a run, @param expected samples the run should have */
export function summarize(lines: readonly Result[], expected: number, ks: readonly number[] = [1]): Summary {
  const results = latest(lines);
  const scored = results.filter(isScored);
  const tasks = taskScores(results);
  const { tasks: num, value, interval } = estimate(tasks);
  const parts = partsOf(scored);
  return {
    num,
    samples: scored.length,
    successes: scored.filter(({ passed }) => passed).length,
    value,
    interval,
    passAtK: ks.map((k) => estimate(tasks, k)),
    tasks,
    ...(parts && { parts }),
    wellFormed: wellFormedShare(scored),
    cutOff: scored.reduce((sum, { cut_off = 0 }) => sum + cut_off, 0),
    answeredBy: [...new Set(scored.flatMap(({ answered_by = {} }) => Object.keys(answered_by)))],
    errors: results.length - scored.length,
    ifErrorsFail: results.length === scored.length ? null : estimate(tasks.map(withErrorsFailed)).value,
    complete: scored.length === expected,
    usage: results.flatMap(({ usage }) => usage ?? []).reduce(addUsage, noUsage()),
  };
}

const withErrorsFailed = ({ samples, errors, passed }: TaskScore) => ({ samples: samples + errors, passed });

function wellFormedShare(scored: readonly ScoredResult[]): number | null {
  const asked = scored.filter(({ iterations }) => iterations > 0);
  const isWell = ({ format_errors }: ScoredResult) => Object.keys(format_errors).length === 0;
  return asked.length === 0 ? null : asked.filter(isWell).length / asked.length;
}

function partsOf(scored: readonly ScoredResult[]): Record<string, Estimate> | undefined {
  const names = new Set(scored.flatMap(({ parts }) => Object.keys(parts ?? {})));
  if (names.size === 0) return undefined;
  const of = (name: string) =>
    scored.flatMap((result) => {
      const passed = result.parts?.[name];
      return passed === undefined ? [] : { ...result, passed };
    });
  return Object.fromEntries([...names].sort().map((name) => [name, estimate(taskScores(of(name)))]));
}
