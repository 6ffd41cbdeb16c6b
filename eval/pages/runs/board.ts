/** Runs beside each other: what each came to on every task, and whether two of them differ by more than chance. */

import { compareRuns } from "../../run/compare/comparison.ts";
import type { Difference } from "../../run/compare/comparison.ts";
import { conclusion } from "../../run/compare/render.ts";
import type { Run } from "../../run/load_run.ts";
import { isScored } from "../../run/results.ts";
import { plural } from "../../../utils/base/text/format.ts";
import { rowsOf, type SampleRow } from "../report/page_data.ts";
import { type MeasuredRun, measuredRun, type RunEntry } from "./run_list.ts";

export interface BoardTask {
  index: number;
  task: string;
  kind: string;
  /** By run, in their order; none where the run has no result. */
  samples: SampleRow[][];
}

export interface Board {
  tasks: BoardTask[];
  /** Why runs do not compare, in sentences. */
  warnings: string[];
  /** Of two runs: whether the difference could be chance, in sentences, and the settings that differ. */
  comparison: { conclusion: string[]; differences: Difference[] } | null;
}

export interface RunsData {
  runs: RunEntry[];
  /** Absent in the list of all runs. */
  board?: Board;
}

/** @param runs with different names; of two the second is asked about: gains are what it has more */
export function boardData(runs: readonly Run[]): { runs: MeasuredRun[]; board: Board } {
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
  const measured = runs.map(measuredRun);
  return {
    runs: measured,
    board: {
      tasks: tasks.sort((a, b) => a.index - b.index || a.task.localeCompare(b.task, "en")),
      warnings: warningsOf(runs, measured),
      comparison: comparisonOf(runs),
    },
  };
}

function comparisonOf([a, b, ...more]: readonly Run[]): Board["comparison"] {
  if (!a || !b || more.length > 0) return null;
  const comparison = compareRuns(a, b);
  return { conclusion: conclusion(comparison), differences: comparison.differences };
}

/** Of one dataset runs may have scored different tasks, such as those of `--indices`. */
function ofOtherTasks(runs: readonly Run[]): string[] {
  const [first = new Set<string>(), ...others] = runs.map(
    ({ results }) => new Set(results.filter(isScored).map(({ task_id }) => task_id)),
  );
  const shared = others.reduce((common, ids) => new Set([...common].filter((id) => ids.has(id))), first);
  if ([first, ...others].every(({ size }) => size === shared.size)) return [];
  return [
    `These runs scored different tasks, so their order does not rank them: ${plural(shared.size, "task")} ` +
      `${shared.size === 1 ? "has" : "have"} a score in all of them.`,
  ];
}

function warningsOf(runs: readonly Run[], measured: readonly MeasuredRun[]): string[] {
  const values = (of: (run: Run) => string) => [...new Set(runs.map(of))];
  const warnings: string[] = [];
  if (values(({ manifest }) => manifest.decides.dataset.sha256).length > 1)
    warnings.push(
      `These runs have different tasks (${[...new Set(measured.map(({ dataset }) => dataset))].join(", ")}): ` +
        "their scores cannot be compared.",
    );
  else warnings.push(...ofOtherTasks(runs));
  const shown = values(({ manifest }) => manifest.decides.shown);
  if (shown.length > 1)
    warnings.push(`The models saw different material, so their scores cannot be compared: ${shown.join("; ")}.`);
  const running = measured.filter(({ state }) => state === "running").map(({ name }) => name);
  if (running.length > 0) warnings.push(`These figures will change: ${running.join(", ")} still running.`);
  const incomplete = measured.filter(({ state }) => state === "incomplete").map(({ name }) => name);
  if (incomplete.length > 0) warnings.push(`Some samples have no score in ${incomplete.join(", ")}.`);
  return warnings;
}
