/** Fields of the rows of a table: what they are sorted by, searched in, and written as to a CSV file. */

export type Value = string | number | null;

export interface Field<Row> {
  /** In the address. */
  id: string;
  name: string;
  /** To sort by, and in a CSV file. Null is unknown. */
  value(row: Row): Value;
  /** In a CSV file, where it is not the value. */
  csv?(row: Row): Value;
}

/** `turns` ascending, `-turns` descending. */
export const parseSort = (sort: string): { id: string; down: boolean } => ({
  id: sort.replace(/^-/, ""),
  down: sort.startsWith("-"),
});

/** Unknown values last, whichever way; equal ones stay in their order. */
export function sorted<Row>(rows: readonly Row[], fields: readonly Field<Row>[], sort: string): Row[] {
  const { id, down } = parseSort(sort);
  const field = fields.find((candidate) => candidate.id === id);
  if (!field) return [...rows];
  return rows.toSorted((a, b) => {
    const [x, y] = [field.value(a), field.value(b)];
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
export function toCsv<Row>(rows: readonly Row[], fields: readonly Field<Row>[]): string {
  const cell = (value: Value) => {
    const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value ?? "");
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = [
    fields.map(({ name }) => name),
    ...rows.map((row) => fields.map(({ csv, value }) => (csv ?? value)(row))),
  ];
  return lines.map((line) => `${line.map(cell).join(",")}\r\n`).join("");
}
