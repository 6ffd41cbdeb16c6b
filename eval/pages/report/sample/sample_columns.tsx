/** What the table of samples can show, sort by and filter by. */

import { count, dollars, seconds, short, words } from "../../../../utils/base/text/format.ts";
import { encoded, useAddress } from "../../browser/address.ts";
import { type Column, figureColumn } from "../../components/data_table.tsx";
import type { Kind } from "../../components/filters.tsx";
import { Badge } from "../../components/frame.tsx";
import type { SampleRow } from "../page_data.ts";

export const COLUMNS: readonly Column<SampleRow>[] = [
  {
    id: "task",
    name: "Task",
    kind: "task",
    value: ({ index, attempt }) => index * 1e6 + attempt,
    filtered: ({ task }) => task,
    show: (row) => <TaskLink {...row} />,
  },
  { id: "attempt", name: "Attempt", kind: "number attempt", value: (row) => row.attempt },
  { id: "bug", name: "Bug", kind: "bug", value: (row) => row.bugType },
  {
    id: "outcome",
    name: "Hidden tests",
    kind: "outcome",
    // What is to be looked at comes first.
    value: (row) => (row.outcome === "passed" ? 2 : row.outcome === "error" ? 1 : 0),
    filtered: ({ outcome }) => outcome,
    show: (row) => (
      <>
        <Badge outcome={row.outcome} />
        {row.overfit && <span class="note"> overfit</span>}
      </>
    ),
  },
  {
    id: "visible",
    name: "Visible",
    kind: "visible wide",
    value: ({ verified }) => (verified === null ? null : Number(verified)),
    filtered: ({ verified }) => (verified === null ? null : verified ? "yes" : "no"),
    show: (row) => (row.verified === null ? "" : row.verified ? "✓" : "✗"),
  },
  {
    id: "ended",
    name: "Stop reason",
    kind: "stop wide",
    value: (row) => row.stop,
    show: (row) => words(row.stop ?? ""),
  },
  figureColumn("turns", "Turns", "turns", (row) => row.turns, count),
  figureColumn("tokens", "Tokens", "wide", (row) => tokensOf(row), short),
  figureColumn("cost", "Cost", "wide cost", (row) => row.costUsd, dollars),
  figureColumn("time", "Time", "", (row) => row.seconds, seconds),
];

/** A link that keeps the filter. */
function TaskLink(row: SampleRow) {
  const { link } = useAddress();
  return <a href={link(pathOf(row))}>{row.task}</a>;
}

/** Of a repair of the user's own files: their tests decide, and there are no types of bugs. */
const OWN_COLUMNS = COLUMNS.flatMap((column) =>
  column.id === "outcome" ? { ...column, name: "Your tests" } : ["bug", "visible"].includes(column.id) ? [] : column,
);

export const columnsOf = (isOwn: boolean): readonly Column<SampleRow>[] => (isOwn ? OWN_COLUMNS : COLUMNS);

/** The report opens at the tasks that were not repaired. */
export const USUAL_SORT = "outcome";

export const tokensOf = ({ inputTokens, outputTokens }: SampleRow): number | null =>
  inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens;

/** By which samples are chosen. */
export const OUTCOMES: readonly Kind<SampleRow>[] = [
  { id: "all", name: "All", has: () => true },
  { id: "passed", name: "Passed", has: ({ outcome }) => outcome === "passed" },
  { id: "failed", name: "Failed", has: ({ outcome }) => outcome !== "passed" && outcome !== "error" },
  {
    id: "misled",
    name: "Passed visible only",
    has: ({ outcome, verified }) => outcome !== "passed" && verified === true,
  },
  { id: "error", name: "No score", has: ({ outcome }) => outcome === "error" },
];

export const textOf = ({ task, bugType, outcome, stop, explanation }: SampleRow): string =>
  `${task} ${bugType} ${outcome} ${stop ?? ""} ${explanation}`;

/** Where a sample stands within the page. */
export const pathOf = ({ task, attempt }: { task: string; attempt: number }): string => `/${encoded(task)}/${attempt}`;
