/** What the list of runs can show, sort by and filter by. */

import { count, dollars, percent, plural, seconds } from "../../../utils/base/text/format.ts";
import { minute } from "../browser/format.ts";
import { IntervalChart } from "../components/chart.tsx";
import { type Column, figureColumn } from "../components/data_table.tsx";
import type { Kind } from "../components/filters.tsx";
import type { RunEntry } from "./run_list.ts";

type Measured = Extract<RunEntry, { estimate: unknown }>;

const measured = (run: RunEntry): Measured | null => ("estimate" in run ? run : null);

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
  const { model = "", dataset = "", protocol = "" } = measured(run) ?? {};
  return `${run.name} ${model} ${dataset} ${protocol} ${run.state}`;
}

export const columnsOf = (ticked: readonly string[], tick: (name: string) => void): Column<RunEntry>[] => [
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
  {
    id: "name",
    name: "Run",
    kind: "task",
    value: ({ name }) => name,
    show: (run) => (
      <>
        {run.state === "unreadable" ? (
          run.name
        ) : (
          <a class="run-link" href={`runs/${encodeURIComponent(run.name)}/`}>
            {run.name}
          </a>
        )}
        <p class="note">{noteOf(run)}</p>
      </>
    ),
  },
  figureColumn(
    "score",
    "pass@1",
    "pass-rate",
    (run) => measured(run)?.estimate.value ?? null,
    (rate) => percent(rate, 1),
  ),
  {
    id: "interval",
    name: "95% interval",
    kind: "interval",
    value: (run) => measured(run)?.estimate.value ?? null,
    csv: (run) =>
      measured(run)
        ?.estimate.interval?.map((bound) => bound.toFixed(4))
        .join(" to ") ?? null,
    show: (run) => {
      const found = measured(run);
      return found && <IntervalChart of={found.estimate} />;
    },
  },
  figureColumn("tasks", "Tasks", "wide", (run) => measured(run)?.estimate.tasks, count),
  { id: "state", name: "State", kind: "state", value: stateOf, show: stateOf },
  figureColumn("cost", "Cost", "run-cost", (run) => measured(run)?.costUsd, dollars),
  figureColumn("time", "Time, sum", "run-time", (run) => measured(run)?.seconds, seconds),
  figureColumn("wall", "Wall time", "wide", (run) => measured(run)?.wallSeconds, seconds),
  {
    id: "started",
    name: "Started",
    kind: "number wide started",
    value: ({ startedAt }) => startedAt || null,
    show: ({ startedAt }) => minute(startedAt),
  },
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
