/** All edits of a function with their costs, cheapest first: the costs are those of the other languages. */

import type { Priors } from "../knowledge.ts";
import type { Facts } from "../syntax/facts.ts";
import type { CompiledTables } from "../tables.ts";
import { alternatives } from "./alternatives.ts";
import { bounds, places } from "./bounds.ts";
import { type Change, changed, type Edit, grouped, overlap, sameness, UNLIKELY } from "./edit.ts";
import { EXPRESSION_EDITS } from "./expressions.ts";
import { isAmong } from "./families.ts";
import { guarded, leaving, leftovers } from "./guards.ts";
import { insertions, likes, neighbours, withModules } from "./insertions.ts";
import type { Literals } from "./literals.ts";
import { members } from "./members.ts";
import { defined, exchanges, renamed, renamedFields, unread, useful } from "./names.ts";
import { patterns } from "./patterns.ts";
import { defaults, resets } from "./resets.ts";
import { built, rewrites } from "./rewrites.ts";
import { arms, branches, choices, clauses, denials, jumps, moves, returned, sections, types } from "./statements.ts";

export interface PricedEdit extends Edit {
  cost: number;
  /** The whole program with it. */
  program: string;
}

export interface Choice {
  /** Operators and families that are switched off. */
  off?: readonly string[] | undefined;
  /** Only these operators and families. */
  only?: readonly string[] | undefined;
  /** Only edits that touch these lines (1-based, inclusive). */
  lines?: readonly [number, number] | undefined;
}

/** Cost of an operator that was never learned. */
const UNLEARNED = 2.3;
const TOKENS = new Set([
  "compare",
  "arithmetic",
  "augmented",
  "boolean",
  "step",
  "true_false",
  "number",
  "string",
  "variable",
  "function",
  "attribute",
]);

const NODE_EDITS = [...EXPRESSION_EDITS, members, built, patterns];

const STATEMENT_EDITS = [
  ...[
    denials,
    clauses,
    branches,
    choices,
    renamed,
    renamedFields,
    returned,
    arms,
    moves,
    insertions,
    neighbours,
    jumps,
    sections,
    leaving,
    guarded,
    leftovers,
    alternatives,
    bounds,
    places,
    types,
    resets,
    defaults,
    rewrites,
    unread,
    defined,
    exchanges,
  ],
] as const;

/** The cheapest first. */
export function editsOf(
  facts: Facts,
  tables: CompiledTables,
  literals: Literals,
  priors: Priors,
  choice: Choice,
): PricedEdit[] {
  return [...cheapest(facts, madeOf(facts, tables, literals, choice), priors)];
}

/** All edits, in no order; some of them twice. */
export function madeOf(facts: Facts, tables: CompiledTables, literals: Literals, choice: Choice): Edit[] {
  const made: Edit[] = [];
  const share = Math.ceil(MOST_MADE / facts.nodes.length);
  for (const maker of NODE_EDITS)
    for (const node of facts.nodes) for (const one of few(maker(facts, node, tables, literals), share)) made.push(one);
  for (const maker of STATEMENT_EDITS) for (const one of few(maker(facts, tables, literals), MOST_MADE)) made.push(one);
  made.push(...likes(facts, literals));
  const moreFor = useful(facts);
  return [...made, ...together(facts, made), ...onTwins(facts, made)]
    .filter((one) => isWanted(facts, one, choice))
    .map((one) => ({ ...one, extra: one.extra + moreFor(one.changes) }))
    .map(withModules(facts, tables));
}

/** Limit on the edits of one maker; a search cannot try more. Each node gets its share. */
const MOST_MADE = 20_000;

function* few(edits: Iterable<Edit>, most: number): Iterable<Edit> {
  let left = most;
  for (const one of edits) {
    if (--left < 0) return;
    yield one;
  }
}

function isWanted(facts: Facts, { operator, changes }: Edit, { off = [], only, lines }: Choice): boolean {
  if (isAmong(operator, off) || (only && !isAmong(operator, only))) return false;
  if (!lines) return true;
  return changes.every(({ start }) => lines[0] <= facts.lineAt(start) && facts.lineAt(start) <= lines[1]);
}

/** The edits with their costs, cheapest first, without those that give a program that a cheaper one gives. */
export function* cheapest(
  facts: Facts,
  edits: readonly Edit[],
  { operators, weights }: Priors,
  several = AT_SEVERAL,
): Generator<PricedEdit, void> {
  const { program } = facts;
  const counts = new Map<string, number>();
  for (const { operator } of edits) counts.set(operator, (counts.get(operator) ?? 0) + 1);
  const { choices = 1, extra: more = 1 } = weights;
  const own = edits.map((one) => {
    const share = (operators[one.operator] ?? UNLEARNED) + choices * Math.log(counts.get(one.operator) ?? 1);
    return { ...one, cost: share + more * one.extra };
  });
  const keyOf = sameness(facts);
  const seen = new Set([keyOf([{ start: facts.function.startIndex, end: facts.function.startIndex, text: "" }])]);
  for (const one of atLeastOne(own, several).sort((a, b) => a.cost - b.cost)) {
    const key = keyOf(one.changes);
    if (!seen.has(key)) yield { ...one, program: changed(program, one.changes) };
    seen.add(key);
  }
}

/** What the same mistake at one more place costs. */
const ONE_MORE = 0.3;
export const AT_SEVERAL: ReadonlySet<string> = new Set([
  "everywhere",
  "exchange_names",
  "exchange_two",
  "exchange_returns",
]);

/** With edits at several places dearer than each of them at one. */
function atLeastOne<T extends Omit<PricedEdit, "program">>(edits: readonly T[], several: ReadonlySet<string>): T[] {
  const key = ({ start, end, text }: Change) => `${start} ${end} ${text}`;
  const alone = new Map<string, number>();
  for (const { changes, cost } of edits) {
    const [only] = changes;
    if (changes.length === 1 && only) alone.set(key(only), Math.min(cost, alone.get(key(only)) ?? cost));
  }
  return edits.map((one) => {
    if (!several.has(one.operator)) return one;
    const least = Math.max(...one.changes.map((change) => alone.get(key(change)) ?? 0)) + ONE_MORE;
    return { ...one, cost: Math.max(one.cost, least) };
  });
}

/** The same exchange at every place at once, and two that undo each other: a consistent mistake. */
function* together(facts: Facts, edits: readonly Edit[]): Iterable<Edit> {
  const groups = new Map<string, Map<number, Change>>();
  const key = (old: string, now: string) => JSON.stringify([old, now]);
  for (const { operator, changes } of edits) {
    const [first] = changes;
    if (changes.length !== 1 || !first || first.start === first.end) continue;
    if (!TOKENS.has(operator) && operator !== "plus_minus_one") continue;
    const old = facts.program.slice(first.start, first.end);
    const places = groups.get(key(old, first.text)) ?? new Map<number, Change>();
    if (!places.has(first.start)) groups.set(key(old, first.text), places.set(first.start, first));
  }
  for (const [pair, places] of groups) {
    const [old = "", now = ""] = JSON.parse(pair) as string[];
    // One more or less is seldom missing wherever a name stands.
    const unlikely = now.startsWith(`${old} `) ? UNLIKELY : 0;
    if (places.size > 1) yield { operator: "everywhere", changes: apart([...places.values()]), extra: unlikely };
    const back = groups.get(key(now, old));
    if (!back || old > now) continue;
    const both = [...places.values(), ...back.values()];
    // Names are taken for each other wherever they stand; two numbers, texts or signs seldom are.
    const extra = /^[A-Za-z_]/.test(old) ? 0 : UNLIKELY;
    yield { operator: "exchange_names", changes: apart(both), extra };
    // Two that stand next to each other, of many.
    if (places.size * back.size > 1 && places.size * back.size <= 16)
      for (const one of places.values())
        for (const other of back.values()) yield { operator: "exchange_two", changes: [one, other], extra: 0.3 };
  }
}

const WRAPS = new Set(["wrap_string", "sort_unique"]);
/** Wraps of one template are put around two names, of as many places. */
const MOST_WRAPPED = 8;

/** The same wrap around two names, or wherever one name is used alike: both sides of `sum(a) == sum(b)`. */
function* onTwins(facts: Facts, edits: readonly Edit[]): Iterable<Edit> {
  const wraps = edits.flatMap(({ operator, changes: [first, ...more] }) => {
    if (!first || more.length > 0 || !WRAPS.has(operator)) return [];
    const old = facts.program.slice(first.start, first.end);
    const [name, other] = new Set(old.match(/[A-Za-z_]\w*/g)?.filter((word) => facts.nameAt(word, first.start)));
    if (name === undefined || other !== undefined) return [];
    const shape = (text: string) => text.replaceAll(new RegExp(`\\b${name}\\b`, "g"), "\0");
    return [
      { change: first, old, key: JSON.stringify([shape(old), shape(first.text)]), line: facts.lineAt(first.start) },
    ];
  });
  for (const some of grouped(wraps, ({ key }) => key).values())
    for (const [at, one] of some.slice(0, MOST_WRAPPED).entries())
      for (const other of some.slice(at + 1, MOST_WRAPPED)) {
        const changes = [one.change, other.change];
        if (one.line === other.line && one.old !== other.old) yield { operator: "wrap_both", changes, extra: 0.1 };
        else yield { operator: "wrap_each", changes, extra: (other.line - one.line) * 0.1 };
      }
}

/** Without those that lie in others. */
function apart(changes: readonly Change[]): Change[] {
  const kept: Change[] = [];
  for (const one of changes.toSorted((a, b) => b.end - b.start - (a.end - a.start)))
    if (!overlap(kept, [one])) kept.push(one);
  return kept;
}

/** Two edits at once, of the cheapest: in the order of what both cost. */
export function pairsOf(program: string, edits: readonly PricedEdit[], most: number): PricedEdit[] {
  const found: { first: PricedEdit; second: PricedEdit; cost: number }[] = [];
  const considered = edits.slice(0, Math.ceil(Math.sqrt(most) * 3));
  for (const [at, first] of considered.entries())
    for (const second of considered.slice(at + 1))
      if (!overlap(first.changes, second.changes)) found.push({ first, second, cost: first.cost + second.cost });
  const seen = new Set<string>();
  return found
    .toSorted((a, b) => a.cost - b.cost)
    .slice(0, most)
    .flatMap(({ first, second, cost }) => {
      const changes = [...first.changes, ...second.changes];
      const text = changed(program, changes);
      if (seen.has(text)) return [];
      seen.add(text);
      return [{ operator: "pairs", changes, extra: 0, cost, program: text }];
    });
}
