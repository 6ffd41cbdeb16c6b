/** Lists of edits for the Python program of a search: it says what a run has shown, and gets them with their costs. */

import { z } from "zod";
import { type Change, type Edit, trimmed } from "../../edits/edit.ts";
import { isAmong } from "../../edits/families.ts";
import { AT_SEVERAL, cheapest, madeOf, type PricedEdit } from "../../edits/generate.ts";
import { literalsIn } from "../../edits/literals.ts";
import type { Priors } from "../../knowledge.ts";
import type { SearchRequest } from "../../request.ts";
import { Facts } from "../../syntax/facts.ts";
import { parse } from "../../syntax/grammar.ts";
import { offsetsOf } from "../../syntax/offsets.ts";
import type { PythonTables } from "../../tables.ts";
import { pythonGrammar } from "./grammar.ts";

/** What makes the list of a program; offsets are in code points. */
export const AskedList = z.object({
  program: z.string(),
  /** Of the function or class to repair. */
  target: z.tuple([z.number(), z.number()]),
  /** Kinds of values by the place of an expression, `START END`, and by name. */
  places: z.record(z.string(), z.string()),
  names: z.record(z.string(), z.string()),
  /** Nodes that no failing test comes by, and those that not all of these come by. */
  irrelevant: z.array(z.tuple([z.number(), z.number()])),
  remote: z.array(z.tuple([z.number(), z.number()])),
  /** Expressions outside of it that make what it reads. */
  patterns: z.array(z.tuple([z.number(), z.number()])),
  /** The instruction without examples, and texts that tests show. */
  prose: z.string(),
  texts: z.array(z.string()),
});
export type AskedList = z.infer<typeof AskedList>;

/** [operator, cost, changes]. */
export type ListedEdit = [operator: string, cost: number, changes: [start: number, end: number, text: string][]];

/** What an edit costs more where a failing check does not come by. */
const REMOTE = 1.5;
/** The cheapest of a list: a search tries fewer, and its input is limited. */
const MOST_LISTED = 20_000;
const MOST_CHARS = 3_000_000;

/** Edits that cost at least as much as their parts. One of two truths that are given the wrong way round is none. */
const SEVERAL: ReadonlySet<string> = new Set([...AT_SEVERAL].filter((operator) => operator !== "exchange_returns"));

/** What a change takes beside its text. */
const LISTED_CHARS = 60;

type Choice = Pick<SearchRequest, "off" | "only" | "lines"> & Partial<Pick<SearchRequest, "tests">>;

export async function listEdits(
  asked: AskedList,
  tables: PythonTables,
  priors: Priors,
  choice: Choice,
  most = MOST_LISTED,
): Promise<ListedEdit[]> {
  const { program } = asked;
  const root = await parse(pythonGrammar, program);
  const points = offsetsOf(program);
  const [start, end] = asked.target.map(points.toUnits) as [number, number];
  const target = root.around(start, end);
  const definition =
    target.type === "decorated_definition" ? (target.childForFieldName("definition") ?? target) : target;
  const seen = { places: inUnits(asked.places, points.toUnits), names: new Map(Object.entries(asked.names)) };
  const facts = new Facts(pythonGrammar, program, definition, seen);
  for (const span of asked.patterns) {
    const [from, to] = span.map(points.toUnits) as [number, number];
    facts.include(root.around(from, to));
  }
  const said = literalsIn(asked.prose, choice.tests);
  const literals = { ...said, texts: [...new Set([...said.texts, ...asked.texts])] };
  const costOf = remoteness(asked, points.toUnits);
  const made = madeOf(facts, tables, literals, choice).flatMap((one): Edit[] => {
    if (tables.only && !isAmong(one.operator, tables.only)) return [];
    const more = Math.max(...one.changes.map(costOf));
    return more === Number.POSITIVE_INFINITY ? [] : [more > 0 ? { ...one, extra: one.extra + more } : one];
  });
  const edits: ListedEdit[] = [];
  let chars = 0;
  for (const one of cheapest(facts, made, priors, SEVERAL)) {
    for (const { text } of one.changes) chars += text.length + LISTED_CHARS;
    if (edits.push(listed(program, one, points.toPoints)) >= most || chars > MOST_CHARS) break;
  }
  return edits;
}

function listed(
  program: string,
  { operator, cost, changes }: PricedEdit,
  toPoints: (at: number) => number,
): ListedEdit {
  const spans = changes.map((change): [number, number, string] => {
    const { start, end, text } = trimmed(program, change);
    return [toPoints(start), toPoints(end), text];
  });
  return [operator, cost, spans];
}

/** What an edit costs more, by the innermost node at its place that is known for it. */
function remoteness({ irrelevant, remote }: AskedList, toUnits: (at: number) => number): (change: Change) => number {
  const spans = [
    ...irrelevant.map((span) => ({ span, cost: Number.POSITIVE_INFINITY })),
    ...remote.map((span) => ({ span, cost: REMOTE })),
  ].map(({ span: [start, end], cost }) => ({ start: toUnits(start), end: toUnits(end), cost }));
  const known = new Map<string, number>();
  return ({ start, end }) => {
    const key = `${start} ${end}`;
    const found = known.get(key) ?? costAt(spans, start, end);
    known.set(key, found);
    return found;
  };
}

interface SpanCost {
  start: number;
  end: number;
  cost: number;
}

function costAt(spans: readonly SpanCost[], start: number, end: number): number {
  // What is put in behind the last statement of a block may stand behind all that ends there.
  const isWithin = (one: SpanCost) => (start === end ? end < one.end : end <= one.end);
  const around = spans.filter((one) => one.start <= start && isWithin(one));
  const [first, ...rest] = around;
  if (!first) return 0;
  return rest.reduce((best, one) => (one.end - one.start < best.end - best.start ? one : best), first).cost;
}

function inUnits(places: Readonly<Record<string, string>>, toUnits: (at: number) => number): Map<string, string> {
  return new Map(
    Object.entries(places).map(([place, kind]) => [place.split(" ").map(Number).map(toUnits).join(" "), kind]),
  );
}
