/** The selected row of a list, and the keys that move it. */

import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import type { Binding } from "../browser/keys.ts";

interface ListParts<Row> {
  /** In the order shown. */
  rows: readonly Row[];
  keyOf(row: Row): string;
  /** What a row is, for the help. */
  noun: string;
  open(row: Row): void;
  field: RefObject<HTMLInputElement | null>;
}

/** @returns the key of the selected row, null for none, with what changes it, and the keys of the list */
export function useSelection<Row>({ rows, keyOf, noun, open, field }: ListParts<Row>) {
  const [selected, select] = useState<string | null>(null);
  const position = rows.findIndex((row) => keyOf(row) === selected);
  const move = (by: number) => {
    const target = rows[Math.max(0, Math.min(rows.length - 1, position + by))];
    if (target) select(keyOf(target));
  };
  const openSelected = () => {
    const row = rows[position];
    if (row) open(row);
  };
  const filter = () => {
    field.current?.focus();
    field.current?.select();
  };
  const keys: Binding[] = [
    { keys: ["j", "ArrowDown"], label: "j ↓", text: `next ${noun}`, run: () => move(1) },
    { keys: ["k", "ArrowUp"], label: "k ↑", text: `previous ${noun}`, run: () => move(-1) },
    { keys: ["Enter", "o"], label: "Enter", text: `open the ${noun}`, run: openSelected },
    { keys: ["/"], label: "/", text: "filter", run: filter },
  ];
  return { selected, select, keys };
}
