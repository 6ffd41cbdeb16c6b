/** A table that is sorted by its heads; a row that did not change is not drawn again. */

import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { count } from "../../../utils/base/text/format.ts";
import { type Field, parseSort } from "../browser/fields.ts";

export interface Column<Row> extends Field<Row> {
  /** Default: the value. */
  show?(row: Row): ComponentChildren;
  /** Classes of its cells; `number` is right-aligned and sorted from the largest. */
  kind: string;
}

/**
 * A column of figures, which are sorted by as they are and shown as `format` writes them. @param kind besides `number`
 */
export const figureColumn = <Row,>(
  id: string,
  name: string,
  kind: string,
  value: (row: Row) => number | null | undefined,
  format: (value: number | null) => string,
): Column<Row> => ({
  id,
  name,
  kind: `number ${kind}`.trim(),
  value: (row) => value(row) ?? null,
  show: (row) => format(value(row) ?? null),
});

/** Rows that are drawn at first: thousands take a browser seconds. */
const FIRST_ROWS = 300;

interface DataTableProps<Row> {
  class: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
  /** As in the address: `turns`, `-turns`; empty for the usual one. */
  sort: string | undefined;
  usual: string;
  onSort(sort: string): void;
  onOpen?(row: Row): void;
  /** Key of the selected row. */
  selected?: string | null;
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, keyOf, sort, usual, onOpen, selected } = props;
  const active = parseSort(sort || usual);
  const onSort = (next: string) => props.onSort(next === usual ? "" : next);
  const [most, setMost] = useState(FIRST_ROWS);
  const drawn = rows.slice(0, Math.max(most, rows.findIndex((row) => keyOf(row) === selected) + 1));
  return (
    <>
      <table class={props.class}>
        <thead>
          <tr>
            {columns.map(({ id, name, kind }) => {
              const isActive = active.id === id;
              const down = isActive ? !active.down : /\bnumber\b/.test(kind);
              return (
                <th
                  key={id}
                  class={kind}
                  scope="col"
                  aria-sort={isActive ? (active.down ? "descending" : "ascending") : "none"}
                >
                  <button type="button" onClick={() => onSort(`${down ? "-" : ""}${id}`)}>
                    {name}
                    {isActive && (active.down ? " ↓" : " ↑")}
                  </button>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {drawn.map((row) => {
            const key = keyOf(row);
            return <BodyRow key={key} row={row} columns={columns} onOpen={onOpen} isSelected={key === selected} />;
          })}
        </tbody>
      </table>
      {drawn.length < rows.length && (
        <button class="more" type="button" onClick={() => setMost(drawn.length + FIRST_ROWS * 3)}>
          Show more: {count(rows.length - drawn.length)} of {count(rows.length)} rows are hidden
        </button>
      )}
    </>
  );
}

interface BodyRowProps<Row> {
  row: Row;
  columns: readonly Column<Row>[];
  onOpen: ((row: Row) => void) | undefined;
  isSelected: boolean;
}

function BodyRow<Row>({ row, columns, onOpen, isSelected }: BodyRowProps<Row>) {
  return useMemo(
    () => (
      <tr
        class={isSelected ? "selected" : ""}
        onClick={onOpen && ((event) => !isOwnControl(event.target) && onOpen(row))}
      >
        {columns.map(({ id, kind, show, value }) => (
          <td key={id} class={kind}>
            {show ? show(row) : value(row)}
          </td>
        ))}
      </tr>
    ),
    [row, columns, onOpen, isSelected],
  );
}

/** A link or a field of a row does what it does, and the row is not opened besides. */
const isOwnControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("a, input, label, button") !== null;

interface PlainTableProps {
  /** Heads, each with the class of its cells. */
  columns: readonly (readonly [name: string, kind?: string])[];
  rows: readonly (readonly ComponentChildren[])[];
}

/** A small table that is not sorted. */
export const PlainTable = ({ columns, rows }: PlainTableProps) => (
  <table class="plain">
    <thead>
      <tr>
        {columns.map(([name, kind]) => (
          <th key={name} scope="col" class={kind === "number" ? kind : ""}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((cells, row) => (
        <tr key={row}>
          {cells.map((cell, column) => (
            <td key={column} class={columns[column]?.[1] ?? ""}>
              {cell}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
