/** What the table of tasks of several runs can show, sort by and filter by. */

import { dollars, seconds } from "../../../utils/base/text/format.ts";
import { encoded } from "../browser/address.ts";
import { type Column, figureColumn } from "../components/data_table.tsx";
import type { Kind } from "../components/filters.tsx";
import { Badge } from "../components/frame.tsx";
import type { SampleRow } from "../report/page_data.ts";
import type { BoardTask } from "./board.ts";
import type { RunEntry } from "./run_list.ts";

/** Share of the samples that passed; null where none has a score. */
function rateOf(samples: readonly SampleRow[] | undefined): number | null {
  const scored = samples?.filter(({ outcome }) => outcome !== "error") ?? [];
  return scored.length === 0 ? null : scored.filter(({ outcome }) => outcome === "passed").length / scored.length;
}

const rates = ({ samples }: BoardTask) => samples.map(rateOf).filter((rate) => rate !== null);

/** The second run less the first; null where a score is missing. */
function change({ samples: [a, b] }: BoardTask): number | null {
  const [before, after] = [rateOf(a), rateOf(b)];
  return before === null || after === null ? null : after - before;
}

const KINDS: readonly Kind<BoardTask>[] = [
  { id: "all", name: "All", has: () => true },
  { id: "differs", name: "Differs", has: (task) => new Set(rates(task)).size > 1 },
  { id: "solved", name: "Solved by all", has: (task) => rates(task).every((rate) => rate === 1) },
  { id: "unsolved", name: "Solved by none", has: (task) => rates(task).every((rate) => rate === 0) },
];

/** Of two runs. */
const PAIR_KINDS: readonly Kind<BoardTask>[] = [
  ...KINDS,
  { id: "gained", name: "B better", has: (task) => (change(task) ?? 0) > 0 },
  { id: "lost", name: "A better", has: (task) => (change(task) ?? 0) < 0 },
  { id: "alone", name: "Scored in one only", has: (task) => rates(task).length === 1 },
];

export const kindsOf = (runs: readonly RunEntry[]) => (runs.length === 2 ? PAIR_KINDS : KINDS);

export const taskColumns = (runs: readonly RunEntry[]): Column<BoardTask>[] => [
  {
    id: "task",
    name: "Task",
    kind: "task",
    value: ({ index }) => index,
    show: ({ task, samples }) =>
      runs.length === 2 && samples.every(({ length }) => length > 0) ? (
        <a href={besideLink(task)} title="Both trajectories side by side">
          {task}
        </a>
      ) : (
        task
      ),
  },
  { id: "kind", name: "Kind", kind: "bug", value: ({ kind }) => kind },
  ...(runs.length === 2 ? [CHANGE] : [SOLVED]),
  ...runs.map(
    ({ name }, run): Column<BoardTask> => ({
      id: `run-${run}`,
      name: runs.length === 2 ? `${"AB"[run]} ${name}` : name,
      kind: "cell",
      value: ({ samples }) => rateOf(samples[run]),
      show: (task) => <Cell name={name} run={run} task={task} />,
    }),
  ),
  ...(runs.length === 2 ? ["A", "B"].flatMap(usedBy) : []),
];

const SOLVED: Column<BoardTask> = {
  id: "solved",
  name: "Solved by",
  kind: "number solved",
  value: (task) => rates(task).reduce((sum, rate) => sum + rate, 0),
  show: (task) => {
    const sum = rates(task).reduce((all, rate) => all + rate, 0);
    return `${sum.toFixed(1).replace(/\.0$/, "")} of ${rates(task).length}`;
  },
};

const CHANGE: Column<BoardTask> = {
  id: "change",
  name: "B − A",
  kind: "number change",
  value: change,
  show: (task) => {
    const difference = change(task);
    if (!difference) return difference === null ? "–" : "";
    const sign = difference > 0 ? "+" : "";
    return <span class={difference > 0 ? "better" : "worse"}>{`${sign}${difference.toFixed(2)}`}</span>;
  },
};

/** Mean time and cost of a run's samples at a task. */
function usedBy(name: string, run: number): Column<BoardTask>[] {
  const mean = (figure: (row: SampleRow) => number | null) => (task: BoardTask) => {
    const figures = (task.samples[run] ?? []).map(figure);
    return figures.length === 0 || figures.includes(null)
      ? null
      : figures.reduce<number>((sum, value) => sum + (value ?? 0), 0) / figures.length;
  };
  return [
    figureColumn(
      `time-${name}`,
      `Time ${name}`,
      "wide",
      mean((row) => row.seconds),
      seconds,
    ),
    figureColumn(
      `cost-${name}`,
      `Cost ${name}`,
      "wide",
      mean((row) => row.costUsd),
      dollars,
    ),
  ];
}

function Cell({ name, run, task }: { name: string; run: number; task: BoardTask }) {
  const samples = task.samples[run] ?? [];
  const [first] = samples;
  const passed = samples.filter(({ outcome }) => outcome === "passed").length;
  return (
    <>
      <span class="of-run">{name}</span>
      {first === undefined ? (
        <span class="note">not run</span>
      ) : (
        <a href={`#${pathOf(run, task.task, first.attempt)}`} title={`${task.task} by ${name}`}>
          {samples.length === 1 ? <Badge outcome={first.outcome} /> : `${passed}/${samples.length}`}
        </a>
      )}
    </>
  );
}

/** Where a cell is opened. @param run its position among the runs */
export const pathOf = (run: number, task: string, attempt: number): string => `/${run}/${encoded(task)}/${attempt}`;

const besideLink = (task: string): string =>
  `#${pathOf(0, task, 0)}?${new URLSearchParams({ beside: pathOf(1, task, 0) })}`;
