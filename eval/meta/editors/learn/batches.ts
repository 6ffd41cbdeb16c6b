/**
 * Which learned rows a child is given, what each costs, and how they are written in the tables of the search engine.
 */

import type { EditTables } from "../../../../utils/search/knowledge.ts";
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

/** Rows of each batch but the first. */
const LATER_ROWS = 400;
/**
 * What the best supported row costs: as much as an operator that nothing was learned of, so that no row goes before
 * what the agent had because it is new. Costs are minus natural logarithms of a likelihood, so half the support costs
 * ln 2 more.
 */
const BASE_COST = 2;
const COST_OF_HALF = Math.LN2;
const STEP = 0.02;
/**
 * Halvings for edits that leave out or exchange what stands there: any code speaks for them, so their support says
 * less.
 */
const NOTHING_NEW = 2;

/** Rows that exchange a token for another of its kind. */
const EXCHANGES = /\$(?:symbol|number|string|sibling|variable)\b/;
/** Labels of statements: their rows are written as they stand, never in parentheses. */
const STATEMENTS = /^(?:Assign|AugAssign|Expr|Return|Break|Continue)\b/;

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
 * Exchanges of tokens come first, then the others, so many at a time. A preferred row does not wait for its turn; there
 * it comes again, since the order must not depend on what one agent fails.
 * @param rows the best supported first
 */
export function batchesOf(rows: readonly CostedRow[]): Batch[] {
  const isExchange = ({ template }: CostedRow) => EXCHANGES.test(template);
  const others = rows.filter((row) => !isExchange(row));
  const later = Array.from({ length: Math.ceil(others.length / LATER_ROWS) }, (_, i) =>
    others.filter((row, at) => at >= i * LATER_ROWS && (row.preferred || at < (i + 1) * LATER_ROWS)),
  );
  return [rows.filter(isExchange), ...later]
    .filter(({ length }) => length > 0)
    .map((batch, number) => ({ number, rows: batch }));
}

/** What is written: rows for expressions, rows of statements to put in, the cost of each row, and its examples. */
export interface Writing extends Pick<EditTables, "expressions" | "insert"> {
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
  const writing: Writing = { expressions: {}, insert: {}, operators: {}, examples: {} };
  const groups = new Map<string, CostedRow[]>();
  for (const row of rows) {
    const key = `${row.cost} ${row.label} ${apart ? row.template : ""}`;
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
    writing.operators[name] = first.cost;
    writing.examples[name] = group;
  }
  return writing;
}
