/** What the table of samples can show, sort by and filter by. */

import { count, dollars, seconds, short } from "../../../../utils/base/text/format.ts";
import { encoded } from "../../browser/address.ts";
import type { Field } from "../../browser/fields.ts";
import { words } from "../../browser/format.ts";
import { type Column, figureColumn } from "../../components/data_table.tsx";
import type { Kind } from "../../components/filters.tsx";
import { Badge } from "../../components/frame.tsx";
import type { SampleRow } from "../page_data.ts";

/** A row with what the table knows besides. */
export interface ShownRow {
  row: SampleRow;
  /** Address of its page. */
  href: string;
  /** Turns that a search found, see `turnsWith`; null where there was none. */
  turns: number[] | null;
}

const COLUMNS: readonly Column<ShownRow>[] = [
  {
    id: "task",
    name: "Task",
    kind: "task",
    value: ({ row }) => row.index * 1e6 + row.attempt,
    csv: ({ row }) => row.task,
    show: ({ row, href, turns }) => (
      <>
        <a href={href}>{row.task}</a>
        {row.note !== "" && <p class="note noted-here">✎ {row.note.split("\n")[0]}</p>}
        {turns && <span class="note"> in turn {turns.slice(0, 8).join(", ")}</span>}
      </>
    ),
  },
  { id: "attempt", name: "Attempt", kind: "number attempt", value: ({ row }) => row.attempt },
  { id: "bug", name: "Bug", kind: "bug", value: ({ row }) => row.bugType },
  {
    id: "outcome",
    name: "Hidden tests",
    kind: "outcome",
    // What is to be looked at comes first.
    value: ({ row }) => (row.outcome === "passed" ? 2 : row.outcome === "error" ? 1 : 0),
    csv: ({ row }) => row.outcome,
    show: ({ row }) => (
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
    value: ({ row }) => (row.verified === null ? null : Number(row.verified)),
    show: ({ row }) => (row.verified === null ? "" : row.verified ? "✓" : "✗"),
  },
  {
    id: "ended",
    name: "Stop reason",
    kind: "stop wide",
    value: ({ row }) => row.stop,
    show: ({ row }) => words(row.stop ?? ""),
  },
  figureColumn("turns", "Turns", "turns", ({ row }) => row.turns, count),
  figureColumn("tokens", "Tokens", "wide", ({ row }) => tokensOf(row), short),
  figureColumn("cost", "Cost", "wide cost", ({ row }) => row.costUsd, dollars),
  figureColumn("time", "Time", "", ({ row }) => row.seconds, seconds),
];

/** Of a repair of the user's own files: their tests decide, and there are no types of bugs. */
const OWN_COLUMNS = COLUMNS.flatMap((column) =>
  column.id === "outcome" ? { ...column, name: "Your tests" } : ["bug", "visible"].includes(column.id) ? [] : column,
);

export const columnsOf = (isOwn: boolean): readonly Column<ShownRow>[] => (isOwn ? OWN_COLUMNS : COLUMNS);

/** The report opens at the tasks that were not repaired. */
export const USUAL_SORT = "outcome";

/** By which a filter may ask, e.g. `turns>3`. */
export const FILTERED: readonly Field<SampleRow>[] = [
  { id: "task", name: "Task", value: ({ task }) => task },
  { id: "attempt", name: "Attempt", value: ({ attempt }) => attempt },
  { id: "bug", name: "Bug", value: ({ bugType }) => bugType },
  { id: "outcome", name: "Hidden tests", value: ({ outcome }) => outcome },
  { id: "visible", name: "Visible", value: ({ verified }) => (verified === null ? null : verified ? "yes" : "no") },
  { id: "ended", name: "Stop reason", value: ({ stop }) => stop },
  { id: "turns", name: "Turns", value: ({ turns }) => turns },
  { id: "tokens", name: "Tokens", value: (row) => tokensOf(row) },
  { id: "cost", name: "Cost", value: ({ costUsd }) => costUsd },
  { id: "time", name: "Time", value: ({ seconds: time }) => time },
  { id: "note", name: "Note", value: ({ note }) => note },
];

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

export const textOf = ({ task, bugType, outcome, stop, explanation, note }: SampleRow): string =>
  `${task} ${bugType} ${outcome} ${stop ?? ""} ${explanation} ${note}`;

/** Where a sample stands within the page. */
export const pathOf = ({ task, attempt }: { task: string; attempt: number }): string => `/${encoded(task)}/${attempt}`;
