/** Which learned rows a child is given, and how they are written in the tables of the search engine. */

import type { LearnedRow } from "./rows.ts";

/** Rows of one child: the best supported ones that the agent does not have. */
export interface Batch {
  number: number;
  rows: LearnedRow[];
}

/** Rows of the first batch, the smallest edits, and of each later one. */
const FIRST_ROWS = 12;
const LATER_ROWS = 400;
/**
 * What the best supported row costs: as much as an operator that nothing was learned of, so that no row goes before what the
 * agent had because it is new. Costs are minus natural logarithms of a likelihood, so half the support costs ln 2 more.
 */
const BASE_COST = 2;
const COST_OF_HALF = Math.LN2;
const STEP = 0.02;

/** Rows that exchange a token for another of its kind. */
const EXCHANGES = /\$(?:symbol|number|string|sibling|variable)\b/;
/** Labels of statements: their rows are written as they stand, never in parentheses. */
const STATEMENTS = /^(?:Assign|AugAssign|Expr|Return|Break|Continue)\b/;

/** Exchanges of tokens come first, then what has most support. @param rows the best supported first */
export function batchesOf(rows: readonly LearnedRow[]): Batch[] {
  const isExchange = ({ template }: LearnedRow) => EXCHANGES.test(template);
  const ordered = [...rows.filter(isExchange), ...rows.filter((row) => !isExchange(row))];
  const later = Math.max(0, Math.ceil((rows.length - FIRST_ROWS) / LATER_ROWS));
  const from = (number: number) => (number === 0 ? 0 : FIRST_ROWS + (number - 1) * LATER_ROWS);
  return Array.from({ length: rows.length > 0 ? later + 1 : 0 }, (_, number) => ({
    number,
    rows: ordered.slice(from(number), from(number + 1)),
  }));
}

/** What is written: rows for expressions, rows of statements to put in, the cost of each row, and its examples. */
export interface Writing {
  expressions: Record<string, { family: string; bare?: true; step: number; edits: Record<string, string[]> }>;
  insert: Record<string, { family: string; step: number; edits: string[] }>;
  operators: Record<string, number>;
  examples: Record<string, LearnedRow[]>;
}

export const FAMILY = "learned";

/** The name of the i-th row of a batch; one of the first is in every batch, which tells what an agent has. */
const rowName = (batch: number, i: number): string => `${FAMILY}_${batch}_${i}`;

/** The numbers of the batches whose rows are named in a text. */
export const batchesIn = (text: string): Set<number> =>
  new Set([...text.matchAll(new RegExp(`"${FAMILY}_(\\d+)_\\d+"`, "g"))].map(([, number]) => Number(number)));

/**
 * Templates of one label and like support share a row, so that each costs what it should.
 * @param most files that speak for the best supported row of all
 */
export function writingOf({ number, rows }: Batch, most: number): Writing {
  const writing: Writing = { expressions: {}, insert: {}, operators: {}, examples: {} };
  const groups = new Map<string, LearnedRow[]>();
  for (const row of rows) {
    const key = `${halvings(row.support, most)} ${row.label}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  for (const [i, group] of [...groups.values()].entries()) {
    const [first] = group;
    if (!first) continue;
    const name = rowName(number, i);
    const templates = group.map(({ template }) => template);
    if (first.label === "insert") writing.insert[name] = { family: FAMILY, step: STEP, edits: templates };
    else {
      const bare = STATEMENTS.test(first.label) ? { bare: true as const } : {};
      writing.expressions[name] = { family: FAMILY, ...bare, step: STEP, edits: { [first.label]: templates } };
    }
    writing.operators[name] = Number((BASE_COST + COST_OF_HALF * halvings(first.support, most)).toFixed(2));
    writing.examples[name] = group;
  }
  return writing;
}

const halvings = (files: number, most: number): number => Math.round(Math.log2(most / files));
