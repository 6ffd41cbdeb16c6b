/** The difference of two texts, folded where nothing changed. */

import { useMemo, useState } from "preact/hooks";
import { count } from "../../../utils/base/text/format.ts";
import { lineTokens, shorten, type Token } from "../browser/tokens.ts";
import type { Change } from "../report/patched_files.ts";
import { GROWTH, Tokens } from "./text_block.tsx";

/** Unchanged lines shown around a change, characters of a line, and the most rows that are shown at first. */
const CONTEXT = 3;
const LONGEST_LINE = 2000;
const LONGEST_DIFF = 400;

interface DiffRow {
  kind: Change[0];
  number: number;
  tokens: Token[];
  /** What changed within the line. */
  marked?: [number, number];
}

interface DiffProps {
  before: string;
  after: string;
  changes: readonly Change[];
  /** Number of the first line. Default 1. */
  from?: number;
  /** Of their language. */
  language: string;
}

export function DiffBlock({ before, after, changes, from, language }: DiffProps) {
  const [most, setMost] = useState(LONGEST_DIFF);
  const rows = useMemo(
    () => rowsOf({ before, after, changes, from, language }),
    [before, after, changes, from, language],
  );
  const all = useMemo(() => folded(rows), [rows]);
  return (
    <div class="block code diff">
      <pre>
        <code>{all.slice(0, most).map((row) => (Array.isArray(row) ? <Fold rows={row} /> : <Line row={row} />))}</code>
      </pre>
      {all.length > most && (
        <button class="more" type="button" onClick={() => setMost(most * GROWTH)}>
          Show more of the difference
        </button>
      )}
    </div>
  );
}

const TYPES = { "-": "removed", "+": "added", " ": "kept" };

const Line = ({ row: { kind, number, tokens, marked } }: { row: DiffRow }) => (
  <span class={`row ${TYPES[kind]}`}>
    <span class="number">{number}</span>
    <span class="sign">{kind}</span>
    <span class="line">
      <Tokens tokens={tokens} marked={marked} />
      {"\n"}
    </span>
  </span>
);

function Fold({ rows }: { rows: DiffRow[] }) {
  const [open, setOpen] = useState(false);
  if (open) return rows.map((row) => <Line row={row} />);
  return (
    <button class="fold" type="button" onClick={() => setOpen(true)}>
      {count(rows.length)} unchanged lines
    </button>
  );
}

function rowsOf({ before, after, changes, from = 1, language }: DiffProps): DiffRow[] {
  const lines = (text: string) =>
    lineTokens(
      text
        .replace(/\s+$/, "")
        .split("\n")
        .map((line) => shorten(line, LONGEST_LINE).shown),
      language,
    );
  const [old, now] = [lines(before), lines(after)];
  const rows: DiffRow[] = [];
  let [o, n] = [0, 0];
  for (const [kind, length] of changes) {
    for (let i = 0; i < length; i++) {
      rows.push({ kind, number: (kind === "-" ? o : n) + from, tokens: (kind === "-" ? old[o] : now[n]) ?? [] });
      if (kind !== "+") o += 1;
      if (kind !== "-") n += 1;
    }
  }
  emphasise(rows);
  return rows;
}

/** Marks what changed inside lines, where as many were added as removed. */
function emphasise(rows: readonly DiffRow[]): void {
  const stretches: DiffRow[][] = [];
  for (const row of rows) {
    const last = stretches.at(-1);
    if (last?.[0]?.kind === row.kind) last.push(row);
    else stretches.push([row]);
  }
  stretches.forEach((removed, i) => {
    const added = stretches[i + 1] ?? [];
    if (removed[0]?.kind !== "-" || added[0]?.kind !== "+" || added.length !== removed.length) return;
    removed.forEach((row, j) => {
      const other = added[j];
      if (other) emphasisePair(row, other);
    });
  });
}

/** All but the common beginning and end of two lines; lines with little in common have no marks. */
function emphasisePair(before: DiffRow, after: DiffRow): void {
  const [x, y] = [before, after].map(({ tokens }) => tokens.map(({ text }) => text).join(""));
  if (x === undefined || y === undefined) return;
  const most = Math.min(x.length, y.length);
  let head = 0;
  while (head < most && x[head] === y[head]) head += 1;
  let tail = 0;
  while (tail < most - head && x[x.length - 1 - tail] === y[y.length - 1 - tail]) tail += 1;
  if (head + tail < most / 3) return;
  before.marked = [head, x.length - tail];
  after.marked = [head, y.length - tail];
}

/** Rows with every long unchanged stretch as one list. */
function folded(rows: readonly DiffRow[]): (DiffRow | DiffRow[])[] {
  const near = rows.map((_, i) =>
    rows.slice(Math.max(0, i - CONTEXT), i + CONTEXT + 1).some(({ kind }) => kind !== " "),
  );
  const result: (DiffRow | DiffRow[])[] = [];
  rows.forEach((row, i) => {
    const last = result.at(-1);
    if (near[i]) result.push(row);
    else if (Array.isArray(last)) last.push(row);
    else result.push([row]);
  });
  return result.flatMap((row): (DiffRow | DiffRow[])[] => (!Array.isArray(row) || row.length >= 4 ? [row] : row));
}
