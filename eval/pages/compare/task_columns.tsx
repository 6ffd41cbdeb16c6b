/** What the table of two runs can show, sort by and filter by. */

import { dollars, seconds } from "../../../utils/base/text/format.ts";
import type { Comparison } from "../../run/compare/comparison.ts";
import { encoded } from "../browser/address.ts";
import { type Column, figureColumn } from "../components/data_table.tsx";
import type { Kind } from "../components/filters.tsx";
import { Badge } from "../components/frame.tsx";
import type { ComparedTask, TaskOutcome } from "./comparison_data.ts";

const rate = (outcome: TaskOutcome | null): number | null =>
  outcome === null || outcome.samples === 0 ? null : outcome.passed / outcome.samples;

/** B less A; null where a score is missing. */
function change({ a, b }: ComparedTask): number | null {
  const [before, after] = [rate(a), rate(b)];
  return before === null || after === null ? null : after - before;
}

/** Where the trajectories of two runs at a task stand beside each other. */
function besideLink(runs: readonly string[], task: string): string {
  const query = new URLSearchParams(runs.map((run) => ["run", run]));
  const beside = new URLSearchParams({ beside: `/1/${encoded(task)}/0` });
  return `board?${query}#/0/${encoded(task)}/0?${beside}`;
}

export const KINDS: readonly Kind<ComparedTask>[] = [
  { id: "all", name: "All", has: () => true },
  { id: "differs", name: "Differs", has: (task) => (change(task) ?? 0) !== 0 },
  { id: "gained", name: "B better", has: (task) => (change(task) ?? 0) > 0 },
  { id: "lost", name: "A better", has: (task) => (change(task) ?? 0) < 0 },
  { id: "both", name: "Both solved", has: ({ a, b }) => rate(a) === 1 && rate(b) === 1 },
  { id: "neither", name: "Neither", has: ({ a, b }) => rate(a) === 0 && rate(b) === 0 },
  { id: "alone", name: "Scored in one only", has: ({ a, b }) => (rate(a) === null) !== (rate(b) === null) },
];

export const columnsOf = ({ a, b }: Comparison): Column<ComparedTask>[] => [
  {
    id: "task",
    name: "Task",
    kind: "task",
    value: ({ index }) => index,
    csv: ({ task }) => task,
    show: ({ task, a: inA, b: inB }) =>
      inA && inB ? (
        <a href={besideLink([a.name, b.name], task)} title="Both trajectories side by side">
          {task}
        </a>
      ) : (
        task
      ),
  },
  { id: "bug", name: "Bug", kind: "bug", value: ({ bugType }) => bugType },
  outcomeColumn("a", "A", a.name),
  outcomeColumn("b", "B", b.name),
  {
    id: "change",
    name: "B − A",
    kind: "number",
    value: change,
    show: (task) => {
      const difference = change(task);
      if (!difference) return difference === null ? "–" : "";
      return (
        <span
          class={difference > 0 ? "better" : "worse"}
        >{`${difference > 0 ? "+" : ""}${difference.toFixed(2)}`}</span>
      );
    },
  },
  figureColumn("time-a", "Time A", "wide", (task) => task.a?.seconds, seconds),
  figureColumn("time-b", "Time B", "wide", (task) => task.b?.seconds, seconds),
  figureColumn("cost-a", "Cost A", "wide", (task) => task.a?.costUsd, dollars),
  figureColumn("cost-b", "Cost B", "wide", (task) => task.b?.costUsd, dollars),
];

const outcomeColumn = (side: "a" | "b", name: string, run: string): Column<ComparedTask> => ({
  id: side,
  name,
  kind: `outcome side-${side}`,
  value: (task) => rate(task[side]),
  show: (task) => {
    const outcome = task[side];
    if (!outcome) return <span class="note">not run</span>;
    return (
      <a href={`runs/${encodeURIComponent(run)}/#/${encoded(task.task)}/0`}>
        {outcome.samples === 0 ? (
          <Badge outcome="error" />
        ) : outcome.samples === 1 ? (
          <Badge outcome={outcome.passed === 1 ? "passed" : "failed"} />
        ) : (
          `${outcome.passed}/${outcome.samples}`
        )}
      </a>
    );
  },
});
