/** What the tables of several runs can show, sort by and filter by. */

import { count, dollars, percent, seconds } from "../../../utils/base/text/format.ts";
import { encoded } from "../browser/address.ts";
import { minute } from "../browser/format.ts";
import { IntervalChart } from "../components/chart.tsx";
import { type Column, figureColumn } from "../components/data_table.tsx";
import type { Kind } from "../components/filters.tsx";
import { Badge } from "../components/frame.tsx";
import type { SampleRow } from "../report/page_data.ts";
import type { BoardTask, Leader } from "./leaderboard_data.ts";

export const textOf = ({ name, model, dataset, protocol, shown }: Leader): string =>
  `${name} ${model} ${dataset} ${protocol} ${shown}`;

export const leaderColumns = (leaders: readonly Leader[]): Column<Leader>[] => [
  {
    id: "run",
    name: "Run",
    kind: "task",
    value: ({ name }) => name,
    show: ({ name, model, dataset }) => (
      <>
        <b>{model}</b>
        <p class="note">
          {name} · {dataset}
        </p>
      </>
    ),
  },
  { id: "protocol", name: "Protocol", kind: "protocol", value: ({ protocol }) => protocol, csv: ({ shown }) => shown },
  figureColumn(
    "score",
    "pass@1",
    "pass-rate",
    ({ estimate }) => estimate.value,
    (rate) => percent(rate, 1),
  ),
  {
    id: "interval",
    name: "95% interval",
    kind: "interval",
    value: ({ estimate }) => estimate.value,
    csv: ({ estimate }) => estimate.interval?.map((bound) => bound.toFixed(4)).join(" to ") ?? null,
    show: ({ estimate }) => <IntervalChart of={estimate} />,
  },
  ...partNames(leaders).map((part) =>
    figureColumn<Leader>(
      part,
      part.replaceAll("_", " "),
      "part wide",
      ({ parts }) => parts.find(([name]) => name === part)?.[1],
      (rate) => percent(rate, 1),
    ),
  ),
  figureColumn("cost", "Cost", "run-cost", ({ costUsd }) => costUsd, dollars),
  figureColumn(
    "turns",
    "Turns, mean",
    "turns",
    ({ turns }) => turns,
    (mean) => (mean === null ? "–" : mean.toFixed(1)),
  ),
  figureColumn(
    "well",
    "Well-formed",
    "well",
    ({ wellFormed }) => wellFormed,
    (share) => percent(share),
  ),
  figureColumn("time", "Time, mean", "wide", (leader) => leader.seconds, seconds),
  figureColumn("tasks", "Tasks", "wide", ({ estimate }) => estimate.tasks, count),
  {
    id: "started",
    name: "Started",
    kind: "number wide started",
    value: ({ startedAt }) => startedAt || null,
    show: ({ startedAt }) => minute(startedAt),
  },
];

const partNames = (leaders: readonly Leader[]): string[] => [
  ...new Set(leaders.flatMap(({ parts }) => parts.map(([name]) => name))),
];

/** Share of the samples that passed; null where none has a score. */
function rateOf(samples: readonly SampleRow[] | undefined): number | null {
  const scored = samples?.filter(({ outcome }) => outcome !== "error") ?? [];
  return scored.length === 0 ? null : scored.filter(({ outcome }) => outcome === "passed").length / scored.length;
}

const rates = ({ samples }: BoardTask) => samples.map(rateOf).filter((rate) => rate !== null);

export const TASK_KINDS: readonly Kind<BoardTask>[] = [
  { id: "all", name: "All", has: () => true },
  { id: "differs", name: "Differs", has: (task) => new Set(rates(task)).size > 1 },
  { id: "solved", name: "Solved by all", has: (task) => rates(task).every((rate) => rate === 1) },
  { id: "unsolved", name: "Solved by none", has: (task) => rates(task).every((rate) => rate === 0) },
];

export const taskColumns = (leaders: readonly Leader[]): Column<BoardTask>[] => [
  {
    id: "task",
    name: "Task",
    kind: "task",
    value: ({ index }) => index,
    csv: ({ task }) => task,
    show: ({ task }) => task,
  },
  { id: "kind", name: "Kind", kind: "bug", value: ({ kind }) => kind },
  {
    id: "solved",
    name: "Solved by",
    kind: "number solved",
    value: (task) => rates(task).reduce((sum, rate) => sum + rate, 0),
    show: (task) =>
      `${rates(task)
        .reduce((sum, rate) => sum + rate, 0)
        .toFixed(1)
        .replace(/\.0$/, "")} of ${rates(task).length}`,
  },
  ...leaders.map(
    ({ name, model }, i): Column<BoardTask> => ({
      id: `run-${i}`,
      name,
      kind: "cell",
      value: ({ samples }) => rateOf(samples[i]),
      show: (task) => <Cell leader={{ name, model }} run={i} task={task} />,
    }),
  ),
];

function Cell({ leader, run, task }: { leader: Pick<Leader, "name" | "model">; run: number; task: BoardTask }) {
  const samples = task.samples[run] ?? [];
  const [first] = samples;
  const passed = samples.filter(({ outcome }) => outcome === "passed").length;
  return (
    <>
      <span class="of-run">{leader.name}</span>
      {first === undefined ? (
        <span class="note">not run</span>
      ) : (
        <a href={`#${pathOf(run, task.task, first.attempt)}`} title={`${task.task} by ${leader.model}`}>
          {samples.length === 1 ? <Badge outcome={first.outcome} /> : `${passed}/${samples.length}`}
        </a>
      )}
    </>
  );
}

/** Where a cell is opened. @param run its position among the leaders */
export const pathOf = (run: number, task: string, attempt: number): string => `/${run}/${encoded(task)}/${attempt}`;
