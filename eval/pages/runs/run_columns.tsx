/** What a table of runs can show, sort by and filter by. */

import { count, dollars, percent, plural, seconds, words } from "../../../utils/base/text/format.ts";
import { minute } from "../browser/format.ts";
import { IntervalChart } from "../components/chart.tsx";
import { type Column, figureColumn } from "../components/data_table.tsx";
import type { Kind } from "../components/filters.tsx";
import type { MeasuredRun, RunEntry } from "./run_list.ts";

export const measured = (run: RunEntry): MeasuredRun | null => ("estimate" in run ? run : null);

export const STATES: readonly Kind<RunEntry>[] = [
  { id: "all", name: "All", has: () => true },
  {
    id: "running",
    name: "Running",
    has: (run) => run.state === "running" || (run.state === "self-edit" && run.running),
  },
  { id: "complete", name: "Complete", has: ({ state }) => state === "complete" },
  { id: "incomplete", name: "Incomplete", has: ({ state }) => state === "incomplete" },
];

export function textOf(run: RunEntry): string {
  const { model = "", dataset = "", protocol = "", shown = "" } = measured(run) ?? {};
  return `${run.name} ${model} ${dataset} ${protocol} ${shown} ${run.state}`;
}

const share = (value: number | null) => percent(value, 1);
const mean = (value: number | null) => (value === null ? "–" : value.toFixed(1));

const SCORE: readonly Column<RunEntry>[] = [
  figureColumn("score", "pass@1", "pass-rate", (run) => measured(run)?.estimate.value, share),
  {
    id: "interval",
    name: "95% interval",
    kind: "interval",
    value: (run) => measured(run)?.estimate.value ?? null,
    show: (run) => {
      const found = measured(run);
      return found && <IntervalChart of={found.estimate} />;
    },
  },
];

const TASKS = figureColumn<RunEntry>("tasks", "Tasks", "wide", (run) => measured(run)?.estimate.tasks, count);
const COST = figureColumn<RunEntry>("cost", "Cost", "run-cost", (run) => measured(run)?.costUsd, dollars);
const TIME = figureColumn<RunEntry>("time", "Time, sum", "run-time", (run) => measured(run)?.seconds, seconds);
const STARTED: Column<RunEntry> = {
  id: "started",
  name: "Started",
  kind: "number wide started",
  value: ({ startedAt }) => startedAt || null,
  show: ({ startedAt }) => minute(startedAt),
};

const nameColumn = (isServed: boolean): Column<RunEntry> => ({
  id: "name",
  name: "Run",
  kind: "task",
  value: ({ name }) => name,
  show: (run) => (
    <>
      {run.state === "unreadable" || !isServed ? (
        <b>{run.name}</b>
      ) : (
        <a class="run-link" href={`runs/${encodeURIComponent(run.name)}/`}>
          {run.name}
        </a>
      )}
      <p class="note">{noteOf(run)}</p>
    </>
  ),
});

/** Columns of the list of all runs. @param ticked names of the runs that are to be compared */
export const listColumns = (ticked: readonly string[], tick: (name: string) => void): Column<RunEntry>[] => [
  {
    id: "tick",
    name: "Compare",
    kind: "tick",
    value: ({ name }) => Number(ticked.includes(name)),
    show: (run) =>
      measured(run) && (
        <input
          type="checkbox"
          aria-label={`Compare ${run.name}`}
          checked={ticked.includes(run.name)}
          onChange={() => tick(run.name)}
        />
      ),
  },
  nameColumn(true),
  ...SCORE,
  TASKS,
  { id: "state", name: "State", kind: "state", value: stateOf, show: stateOf },
  COST,
  TIME,
  figureColumn("wall", "Wall time", "wide", (run) => measured(run)?.wallSeconds, seconds),
  STARTED,
];

/** Of runs beside each other. */
export const boardColumns = (runs: readonly RunEntry[], isServed: boolean): Column<RunEntry>[] => [
  nameColumn(isServed),
  ...SCORE,
  ...partNames(runs).map((part) =>
    figureColumn<RunEntry>(
      part,
      words(part),
      "part wide",
      (run) => measured(run)?.parts.find(([name]) => name === part)?.[1],
      share,
    ),
  ),
  COST,
  figureColumn("turns", "Turns, mean", "turns", (run) => measured(run)?.turns, mean),
  figureColumn(
    "well",
    "Well-formed",
    "well",
    (run) => measured(run)?.wellFormed,
    (value) => percent(value),
  ),
  TIME,
  TASKS,
  STARTED,
];

const partNames = (runs: readonly RunEntry[]): string[] => [
  ...new Set(runs.flatMap((run) => measured(run)?.parts.map(([name]) => name) ?? [])),
];

function noteOf(run: RunEntry): string {
  if (run.state === "unreadable") return run.problem;
  const found = measured(run);
  return found ? `${found.model} · ${found.dataset} · ${found.protocol}` : "self-edit loop";
}

function stateOf(run: RunEntry): string {
  const found = measured(run);
  if (!found) return run.state === "self-edit" && run.running ? "self-edit, running" : run.state;
  const { state, expected, finished, errors } = found;
  const progress =
    state === "running"
      ? `running, ${count(finished)} of ${count(expected)}`
      : state === "complete"
        ? "complete"
        : `${count(finished - errors)} of ${count(expected)} scored`;
  return errors > 0 ? `${progress}, ${plural(errors, "error")}` : progress;
}
