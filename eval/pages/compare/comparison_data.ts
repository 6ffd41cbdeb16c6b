/** What the page of two runs shows: the comparison, and what each run came to on each task. */

import { type Comparison, compareRuns } from "../../run/compare/comparison.ts";
import { conclusion } from "../../run/compare/render.ts";
import type { Run } from "../../run/load_run.ts";
import { isScored, type Result } from "../../run/results.ts";

/** What a run came to on a task. */
export interface TaskOutcome {
  /** Samples that passed, and that have a score. */
  passed: number;
  samples: number;
  /** Mean of the scored samples; null where it is unknown. */
  seconds: number | null;
  costUsd: number | null;
}

export interface ComparedTask {
  index: number;
  task: string;
  bugType: string;
  /** Null where the run has no result. */
  a: TaskOutcome | null;
  b: TaskOutcome | null;
}

export interface ComparisonData {
  comparison: Comparison;
  /** Whether the difference could be chance, in sentences. */
  conclusion: string[];
  /** Runs that are still going. */
  running: string[];
  tasks: ComparedTask[];
}

export function comparisonData(a: Run, b: Run): ComparisonData {
  const comparison = compareRuns(a, b);
  const [inA, inB] = [byTask(a.results), byTask(b.results)];
  const tasks = [...new Set([...inA.keys(), ...inB.keys()])].map((task): ComparedTask => {
    const [ofA = [], ofB = []] = [inA.get(task), inB.get(task)];
    const { index = 0, bug_type: bugType = "" } = ofA[0] ?? ofB[0] ?? {};
    return { index, task, bugType, a: outcome(ofA), b: outcome(ofB) };
  });
  return {
    comparison,
    conclusion: conclusion(comparison),
    running: [a, b].flatMap(({ name, running }) => (running ? name : [])),
    tasks: tasks.sort((x, y) => x.index - y.index),
  };
}

function byTask(results: readonly Result[]): Map<string, Result[]> {
  const tasks = new Map<string, Result[]>();
  for (const result of results) tasks.set(result.task_id, [...(tasks.get(result.task_id) ?? []), result]);
  return tasks;
}

function outcome(results: readonly Result[]): TaskOutcome | null {
  if (results.length === 0) return null;
  const scored = results.filter(isScored);
  const mean = (values: readonly (number | null)[]) =>
    values.length === 0 || values.includes(null)
      ? null
      : values.reduce<number>((sum, value) => sum + (value ?? 0), 0) / values.length;
  return {
    passed: scored.filter(({ passed }) => passed).length,
    samples: scored.length,
    seconds: mean(scored.map(({ usage }) => usage.seconds)),
    costUsd: mean(scored.map(({ usage }) => usage.costUsd)),
  };
}
