/** What the page of several runs shows: one row a run, and of each task what every run came to. */

import { addUsage, noUsage } from "../../../agent/run/usage.ts";
import type { Run } from "../../run/load_run.ts";
import { solverName } from "../../run/manifest.ts";
import { isScored, type ScoredResult } from "../../run/results.ts";
import { summarize } from "../../run/summary/summary.ts";
import { type Estimate, estimate, taskScores } from "../../run/summary/task_scores.ts";
import { rowsOf, type SampleRow } from "../report/page_data.ts";

export interface Leader {
  name: string;
  model: string;
  dataset: string;
  protocol: string;
  /** What is shown of a task, in words. */
  shown: string;
  estimate: Estimate;
  /** pass@1 by parts of the tests, such as the first of two tries. */
  parts: [name: string, value: number | null][];
  /** Samples that the run should have, and those without a score. */
  expected: number;
  unscored: number;
  /** Null where it is unknown for any sample. */
  costUsd: number | null;
  /** Means over the scored samples; null where there are none. */
  turns: number | null;
  seconds: number | null;
  /** See `Summary`. */
  wellFormed: number | null;
  startedAt: string;
}

export interface BoardTask {
  index: number;
  task: string;
  kind: string;
  /** By run, in the order of `leaders`; none where the run has no result. */
  samples: SampleRow[][];
}

export interface LeaderboardData {
  leaders: Leader[];
  tasks: BoardTask[];
  /** Why runs do not compare, in sentences. */
  warnings: string[];
}

export function leaderboardData(runs: readonly Run[]): LeaderboardData {
  const leaders = runs.map(leaderOf);
  const byTask = runs.map((run) => {
    const tasks = new Map<string, SampleRow[]>();
    for (const sample of rowsOf(run)) tasks.set(sample.task, [...(tasks.get(sample.task) ?? []), sample]);
    return tasks;
  });
  const ids = [...new Set(byTask.flatMap((tasks) => [...tasks.keys()]))];
  const tasks = ids.map((task): BoardTask => {
    const samples = byTask.map((of) => of.get(task) ?? []);
    const [first] = samples.flat();
    return { index: first?.index ?? 0, task, kind: first?.bugType ?? "", samples };
  });
  return {
    leaders,
    tasks: tasks.sort((a, b) => a.index - b.index || a.task.localeCompare(b.task, "en")),
    warnings: warningsOf(runs, leaders),
  };
}

function leaderOf({ name, manifest, results, expected }: Run): Leader {
  const { dataset, protocol, shown } = manifest.decides;
  const scored = results.filter(isScored);
  const { parts = {}, wellFormed } = summarize(results, expected);
  const mean = (figure: (result: ScoredResult) => number) =>
    scored.length === 0 ? null : scored.reduce((sum, result) => sum + figure(result), 0) / scored.length;
  return {
    ...{ name, model: solverName(manifest), dataset: dataset.name, protocol, shown },
    estimate: estimate(taskScores(results)),
    parts: Object.entries(parts).map(([part, { value }]) => [part, value]),
    expected,
    unscored: expected - scored.length,
    costUsd: results.flatMap((result) => result.usage ?? []).reduce(addUsage, noUsage()).costUsd,
    turns: mean(({ iterations }) => iterations),
    seconds: mean(({ usage }) => usage.seconds),
    wellFormed,
    startedAt: manifest.started_at,
  };
}

function warningsOf(runs: readonly Run[], leaders: readonly Leader[]): string[] {
  const values = (of: (run: Run) => string) => [...new Set(runs.map(of))];
  const warnings: string[] = [];
  if (values(({ manifest }) => manifest.decides.dataset.sha256).length > 1)
    warnings.push(
      `These runs have different tasks (${[...new Set(leaders.map(({ dataset }) => dataset))].join(", ")}): ` +
        "their scores cannot be compared.",
    );
  const shown = values(({ manifest }) => manifest.decides.shown);
  if (shown.length > 1)
    warnings.push(`The models saw different material, so their scores cannot be compared: ${shown.join("; ")}.`);
  const incomplete = leaders.filter(({ unscored }) => unscored > 0).map(({ name }) => name);
  if (incomplete.length > 0) warnings.push(`Some samples have no score in ${incomplete.join(", ")}.`);
  return warnings;
}
