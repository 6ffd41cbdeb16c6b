/** Which name is meant: in a whole statement, for a value, and where a parameter is never read. */

import type { Facts, Name } from "../syntax/facts.ts";
import type { Node } from "../syntax/grammar.ts";
import type { CompiledTables } from "../tables.ts";
import { type Change, type Edit, grouped, replace, speaksOf } from "./edit.ts";
import { fieldsLike } from "./members.ts";
import { aboutName } from "./rewrites.ts";
import { before, conditionsOf, statementsOf } from "./statements.ts";

/** `sort(a.begin(), a.end())` becomes `sort(b.begin(), b.end())`: a name taken for another in a whole statement. */
export function* renamed(facts: Facts): Iterable<Edit> {
  const isList = (kind: string) => kind.startsWith("[");
  for (const node of statementsOf(facts)) {
    if (facts.is(facts.core(node), "if", "loop", "block", "declaration")) continue;
    const uses = grouped(node.descendantsOfType("identifier"), ({ text }) => text);
    for (const [name, places] of uses) {
      const own = places.length > 1 ? facts.nameAt(name, node.startIndex) : undefined;
      for (const other of own ? facts.namesAt(node.startIndex) : [])
        if (own && other.name !== name && (other.kind === own.kind || (isList(other.kind) && isList(own.kind))))
          yield { operator: "variable", changes: places.map((one) => replace(one, other.name)), extra: 0.1 };
    }
  }
}

/** `bottom: a.right.max(b.right)` becomes `bottom: a.bottom.max(b.bottom)`: a field taken for another in a value. */
export function* renamedFields(facts: Facts): Iterable<Edit> {
  for (const { value } of facts.nodes.flatMap((node) => assignmentsBy(facts, node))) {
    const fields = value.descendantsOfType(facts.kindsOf("field")).filter((one) => !facts.isCalled(one));
    for (const uses of grouped(fields, (one) => facts.member(one)?.text ?? "").values()) {
      const places = uses.flatMap((one) => facts.member(one) ?? []);
      const [first] = uses;
      if (first === undefined || places.length < 2) continue;
      for (const [name, extra] of fieldsLike(facts, first))
        yield { operator: "attribute", changes: places.map((one) => replace(one, name)), extra: extra + 0.1 };
    }
  }
}

/** Extra cost of an edit that leaves a name without use. */
const UNUSED = 1;
/** Of an edit that reads a name which nothing reads: that is mostly what is missing. */
const FIRST_USE = -1.2;

const MOST_CHARS = 60;
/** Values in between, and one more. */
const MOST_APART = 4;

/**
 * Both of two values that are built alike and stand in one block or literal: `row = at.x; column = at.y` and
 * `{ x: top, y: left }`.
 */
export function* exchanges(facts: Facts): Iterable<Edit> {
  const given = facts.nodes.flatMap((node) => assignmentsBy(facts, node));
  for (const [at, first] of given.entries())
    for (const [distance, second] of given.slice(at + 1, at + 1 + MOST_APART).entries()) {
      const [a, b] = [first.value, second.value];
      const isAlike =
        first.type === second.type && shapeOf(a) === shapeOf(b) && facts.fits(facts.kind(a), facts.kind(b));
      if (first.within !== second.within || !isAlike || a.text === b.text) continue;
      const changes = [replace(a, b.text), replace(b, a.text)];
      yield { operator: "exchange_values", changes, extra: distance * 0.2 + (facts.is(a, "number", "text") ? 1 : 0) };
    }
}

interface Assignment {
  value: Node;
  type: string;
  /** The block or the literal. */
  within: number;
}

function assignmentsBy(facts: Facts, node: Node): Assignment[] {
  const value = node.childForFieldName("right") ?? node.childForFieldName("value");
  const isOther = facts.is(node, "binary", "cast", "field", "loop", "each", "conditional", "return", "case", "arm");
  if (!value || isOther || value.text.length > MOST_CHARS) return [];
  if (facts.is(node, "assignment") && !/^:?=$/.test(facts.operator(node)?.text ?? "")) return [];
  let around = node.parent;
  while (around && !facts.is(around, "block") && !/literal|object|initializer_list|dictionary/.test(around.type))
    around = around.parent;
  return around ? [{ value, type: node.type, within: around.id }] : [];
}

/** Without names and digits. */
const shapeOf = ({ text }: Node): string => text.replace(/[A-Za-z_$][\w$]*/g, "_").replace(/\d+/g, "0");

const wordsIn = (text: string): string[] => text.split(/[^\w$]+/);

/** What an edit costs more that leaves one of the function's own names without use, or less that first uses one. */
export function useful(facts: Facts): (changes: readonly Change[]) => number {
  const { startIndex, text } = facts.function;
  const uses = new Map<string, number>();
  for (const word of wordsIn(text)) uses.set(word, (uses.get(word) ?? 0) + 1);
  const own = new Set(
    facts.names.filter(({ name, from }) => startIndex < from && !name.startsWith("_")).map(({ name }) => name),
  );
  return (changes) => {
    const left = new Map<string, number>();
    const count = (words: readonly string[], sign: number) => {
      for (const one of words) if (own.has(one)) left.set(one, (left.get(one) ?? uses.get(one) ?? 0) + sign);
    };
    for (const one of changes) {
      count(wordsIn(facts.program.slice(one.start, one.end)), -1);
      count(wordsIn(one.text), 1);
    }
    const changed = [...left].map(([name, now]) => [uses.get(name) ?? 0, now] as const);
    if (changed.some(([was, now]) => now === 1 && was > 1)) return UNUSED;
    return changed.some(([was, now]) => was === 1 && now > 1) ? FIRST_USE : 0;
  };
}

/** A name that the function never reads: in place of a value, beside one, or as one more condition. */
export function* unread(facts: Facts, { and, not, convert }: CompiledTables): Iterable<Edit> {
  for (const own of unreadOf(facts)) {
    for (const node of facts.nodes) {
      if (facts.nameAt(own.name, node.startIndex) !== own) continue;
      const text = valueFor(facts, node, own, convert);
      if (text === null) continue;
      const shown = facts.is(node.parent, "range") ? text : facts.inPlace(text, node);
      yield { operator: "unread", changes: [replace(node, shown)], extra: rarity(facts, node) };
      yield* joined(facts, node, text);
    }
    if (own.kind !== "bool") continue;
    for (const condition of conditionsOf(facts))
      for (const [at, asked] of [own.name, `${not}${own.name}`].entries())
        yield {
          operator: "unread",
          changes: [replace(condition, `${asked} ${and} (${condition.text})`)],
          extra: 0.3 + at * 0.2,
        };
  }
}

/** `price` becomes `price * count`. */
function* joined(facts: Facts, node: Node, text: string): Iterable<Edit> {
  if (!facts.isNumber(facts.kind(node)) || facts.is(node, "number", "binary", "conditional")) return;
  for (const [at, sign] of ["*", "+", "-"].entries())
    yield {
      operator: "unread",
      changes: [replace(node, facts.inPlace(`${node.text} ${sign} ${text}`, node))],
      extra: 0.3 + at * 0.1,
    };
}

/** Parameters and names that loops and the like give, which stand nowhere else. */
function unreadOf(facts: Facts): Name[] {
  const { startIndex, text } = facts.function;
  const uses = new Map<string, number>();
  // Texts count, too: Rust's `format!("{name}")` reads it.
  for (const word of wordsIn(text)) uses.set(word, (uses.get(word) ?? 0) + 1);
  return facts.names.filter(({ name, from }) => startIndex < from && uses.get(name) === 1 && !/^_/.test(name));
}

/** The parameter as what stands at a node; null where it cannot stand there. */
function valueFor(facts: Facts, node: Node, { name, kind }: Name, convert = ""): string | null {
  if (!facts.isExpression(node) || facts.isWritten(node) || facts.is(node, "parentheses")) return null;
  if (facts.is(node.parent, "update", "field") || facts.is(node, "truth")) return null;
  const own = facts.kind(node);
  // What a call is given may be of any kind; a compiler refuses what it may not.
  if (facts.is(node, "name") && facts.is(node.parent, "arguments")) return name;
  if (own === "" || kind === "") return null;
  if (facts.fits(kind, own)) return name;
  const isBothNumbers = facts.isNumber(kind) && facts.isNumber(own);
  return isBothNumbers && convert !== "" ? convert.replace("{_}", name).replace("{kind}", own) : null;
}

/** A name that nothing gives a value gets its first, before what first uses it or before the loop around that. */
export function* defined(facts: Facts, { define, modules }: CompiledTables): Iterable<Edit> {
  const rest = facts.program.replace(facts.function.text, "");
  const known = new Set([...modules, ...[...facts.names, ...facts.callables].map(({ name }) => name)]);
  for (const node of define.length === 0 ? [] : facts.nodes.filter((one) => facts.is(one, "name"))) {
    const name = node.text;
    const isOther = known.has(name) || /^[A-Z]/.test(name) || facts.kindOfType(name) !== name || speaksOf(rest, name);
    if (isOther || facts.isCalled(node) || isPartOf(facts, node)) continue;
    known.add(name);
    for (const [far, place] of placesBefore(facts, node).entries())
      for (const [at, template] of define.entries())
        for (const [text, extra] of aboutName(facts, template, name, place.startIndex))
          yield {
            operator: "define",
            changes: [before(facts, place.startIndex, text)],
            extra: 0.1 * at + 0.2 * far + extra,
          };
  }
}

/** `b` of `a.b` and of `f(b=1)`. */
const isPartOf = (facts: Facts, node: Node): boolean =>
  (facts.is(node.parent, "field") && node.parent !== null && facts.member(node.parent)?.id === node.id) ||
  node.parent?.type === "keyword_argument";

/** The statements around a node that stand in the function's own block or are loops, the outermost first. */
function placesBefore(facts: Facts, node: Node): Node[] {
  const found: Node[] = [];
  for (let one: Node | null = node; one && one.id !== facts.function.id; one = one.parent)
    if (facts.is(one, "statement") && (facts.is(one, "loop") || one.parent?.id === facts.body.id)) found.unshift(one);
  return found;
}

/** Bounds are meant first. */
const rarity = (facts: Facts, node: Node): number =>
  facts.is(node.parent, "range") || (facts.is(node.parent, "binary") && !facts.is(node, "number")) ? 0 : 0.3;
