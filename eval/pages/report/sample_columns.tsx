/** What the table of samples can show, sort by and filter by. */

import { count, dollars, seconds, short } from "../../../utils/text/format.ts";
import { words } from "../browser/format.ts";
import type { Column } from "../components/data_table.tsx";
import { Badge } from "../components/frame.tsx";
import type { SampleRow } from "./page_data.ts";

/** A row with what the table knows besides. */
export interface ShownRow {
  row: SampleRow;
  /** Address of its page. */
  href: string;
  /** Turns that a search found, see `turnsWith`; null where there was none. */
  turns: number[] | null;
}

export const COLUMNS: readonly Column<ShownRow>[] = [
  {
    id: "task",
    name: "Task",
    kind: "task",
    value: ({ row }) => row.index * 1e6 + row.attempt,
    csv: ({ row }) => row.task,
    show: ({ row, href, turns }) => (
      <>
        <a href={href} tabIndex={-1}>
          {row.task}
        </a>
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
    value: ({ row }) => row.outcome,
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
    name: "Ended",
    kind: "stop wide",
    value: ({ row }) => row.stop,
    show: ({ row }) => words(row.stop ?? ""),
  },
  {
    id: "turns",
    name: "Turns",
    kind: "number turns",
    value: ({ row }) => row.turns,
    show: ({ row }) => count(row.turns),
  },
  {
    id: "tokens",
    name: "Tokens",
    kind: "number wide",
    value: ({ row }) => tokensOf(row),
    show: ({ row }) => short(tokensOf(row)),
  },
  {
    id: "cost",
    name: "Cost",
    kind: "number wide cost",
    value: ({ row }) => row.costUsd,
    show: ({ row }) => dollars(row.costUsd),
  },
  {
    id: "time",
    name: "Time",
    kind: "number",
    value: ({ row }) => row.seconds,
    show: ({ row }) => seconds(row.seconds),
  },
];

export const tokensOf = ({ inputTokens, outputTokens }: SampleRow): number | null =>
  inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens;

/** By which samples are chosen. */
export const OUTCOMES: readonly { id: string; name: string; has(row: SampleRow): boolean }[] = [
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
export const pathOf = ({ task, attempt }: { task: string; attempt: number }): string =>
  `/${encodeURIComponent(task)}/${attempt}`;
