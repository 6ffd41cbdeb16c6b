/**
 * Which learned rows a child is given, what each costs, and how they are written in the tables of the search engine.
 */

import type { PythonTables } from "../../../../utils/search/tables.ts";
import { rewritesOf } from "./patterns.ts";
import type { LearnedRow } from "./rows.ts";

export interface CostedRow extends LearnedRow {
  cost: number;
  /** It, or one of its shape, reaches what the agent fails. */
  preferred: boolean;
}

/** Rows of one child: the best supported that the agent does not have, and all that are preferred. */
export interface Batch {
  number: number;
  rows: CostedRow[];
}

/** Rows of a batch. */
const MOST_ROWS = 400;
/**
 * What the best supported row costs: as much as an operator that nothing was learned of, so that no row goes before
 * what the agent had because it is new. Costs are minus natural logarithms of a likelihood, so half the support costs
 * ln 2 more.
 */
const BASE_COST = 2;
const COST_OF_HALF = Math.LN2;
/**
 * Halvings for edits that leave out or exchange what stands there: any code speaks for them, so their support says
 * less.
 */
const NOTHING_NEW = 2;

/**
 * What each row costs. A row that reaches a function which the agent fails costs as much as the best supported one;
 * rows of the same shape go half of that way.
 * @param rows the best supported first
 */
export function costed(rows: readonly LearnedRow[], reaching: ReadonlySet<LearnedRow>): CostedRow[] {
  const most = rows[0]?.support ?? 1;
  const shapes = new Set([...reaching].map(shapeOf));
  const share = (row: LearnedRow) => (reaching.has(row) ? 0 : shapes.has(shapeOf(row)) ? 0.5 : 1);
  const halvings = (row: LearnedRow) =>
    Math.round(Math.log2(most / row.support)) + (bringsNothing(row) ? NOTHING_NEW : 0);
  const cost = (row: LearnedRow) => BASE_COST + COST_OF_HALF * Math.round(share(row) * halvings(row));
  return rows.map((row) => ({ ...row, cost: Number(cost(row).toFixed(2)), preferred: share(row) < 1 }));
}

/** Whether new code holds nothing but parts of the old. */
const bringsNothing = ({ template }: LearnedRow): boolean =>
  template === "pass" || /^[\s(),:]*$/.test(template.replace(/\{[^}$]*\}/g, ""));

/**
 * What a row does, whatever it names: `len({_})` and `abs({_})` are of one shape, and so is a call's first and second
 * argument.
 */
function shapeOf({ label, template }: LearnedRow): string {
  const node = label === "insert" ? label : /^([A-Z]\w*)/.exec(label)?.[1];
  const text = template
    .replace(/\{[^}]*\}/g, "{}")
    .replace(/\$\w+/g, "$")
    .replace(/'[^']*'|\b(?:\d+|True|False|None)\b/g, "0")
    .replace(/\b(?!(?:if|not|and|or|in|is|return)\b)[a-z]\w*(?=\()/g, "f");
  return `${node ?? (/\(/.test(label) ? "Call" : "place")}: ${text}`;
}

/**
 * So many at a time, of those that the tables can hold. A preferred row does not wait for its turn; there it comes
 * again, since the order must not depend on what one agent fails.
 * @param rows the best supported first
 */
export function batchesOf(rows: readonly CostedRow[]): Batch[] {
  const all = rows.filter((row) => rewritesOf(row).length > 0);
  return Array.from({ length: Math.ceil(all.length / MOST_ROWS) }, (_, number) => ({
    number,
    rows: all.filter((row, at) => at >= number * MOST_ROWS && (row.preferred || at < (number + 1) * MOST_ROWS)),
  }));
}

/** What is written: rows by their names, the cost of each row, and its examples. */
export interface Writing {
  rewrites: PythonTables["rewrites"];
  operators: Record<string, number>;
  examples: Record<string, CostedRow[]>;
}

export const FAMILY = "learned";

/** The name of the i-th row of a batch; one of the first is in every batch, which tells what an agent has. */
const rowName = (batch: number, i: number): string => `${FAMILY}_${batch}_${i}`;

/** The numbers of the batches whose rows are named in a text. */
export const batchesIn = (text: string): Set<number> =>
  new Set([...text.matchAll(new RegExp(`"${FAMILY}_(\\d+)_\\d+"`, "g"))].map(([, number]) => Number(number)));

/**
 * Templates of one label and cost share a row. @param apart each has a row of its own: which one made an edit is asked
 */
export function writingOf({ number, rows }: Batch, { apart = false } = {}): Writing {
  const writing: Writing = { rewrites: {}, operators: {}, examples: {} };
  const groups = new Map<string, CostedRow[]>();
  for (const row of rows) {
    if (rewritesOf(row).length === 0) continue;
    const key = `${row.cost} ${row.label} ${apart ? row.template : ""}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  for (const [i, group] of [...groups.values()].entries()) {
    const [first] = group;
    if (!first) continue;
    const name = rowName(number, i);
    const texts: Record<string, string[]> = {};
    for (const [pattern, text] of group.flatMap(rewritesOf)) texts[pattern] = [...(texts[pattern] ?? []), text];
    writing.rewrites[name] = texts;
    writing.operators[name] = first.cost;
    writing.examples[name] = group;
  }
  return writing;
}
