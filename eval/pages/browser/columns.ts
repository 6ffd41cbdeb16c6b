/** Columns of a table: what each shows, sorts by and exports. */

import type { ComponentChildren } from "preact";

export type Value = string | number | null;

export interface Column<Row> {
  /** In the address. */
  id: string;
  name: string;
  /** To sort by, and in a CSV file. Null is unknown. */
  value(row: Row): Value;
  /** Default: the value. */
  show?(row: Row): ComponentChildren;
  /** Classes of its cells; `number` is right-aligned and sorted from the largest. */
  kind: string;
  /** In a CSV file, where it is not the value. */
  csv?(row: Row): Value;
}

/** `turns` ascending, `-turns` descending. */
export const parseSort = (sort: string): { id: string; down: boolean } => ({
  id: sort.replace(/^-/, ""),
  down: sort.startsWith("-"),
});

/** Unknown values last, whichever way; equal ones stay in their order. */
export function sorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort: string): Row[] {
  const { id, down } = parseSort(sort);
  const column = columns.find((candidate) => candidate.id === id);
  if (!column) return [...rows];
  return rows.toSorted((a, b) => {
    const [x, y] = [column.value(a), column.value(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), "en");
    return down ? -order : order;
  });
}

/** Whether a text holds every word that was typed. */
export function holdsWords(text: string, typed: string): boolean {
  const lower = text.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}

/** RFC 4180. Text that a spreadsheet would take for a formula gets an apostrophe. */
export function toCsv<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const cell = (value: Value) => {
    const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value ?? "");
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = [
    columns.map(({ name }) => name),
    ...rows.map((row) => columns.map(({ csv, value }) => (csv ?? value)(row))),
  ];
  return lines.map((line) => `${line.map(cell).join(",")}\r\n`).join("");
}
