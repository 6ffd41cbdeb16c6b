/**
 * Rows of the tables: a pattern of an expression or a statement, and what may be written in its place. `{a}` is any
 * expression, `{a:num}` one of a kind, `{a:num|str}` of either; what only the new text names is a name of that kind.
 */

import type { Facts, Name } from "../syntax/facts.ts";
import type { Node } from "../syntax/grammar.ts";
import type { CompiledTables } from "../tables.ts";
import { type Edit, grouped, overlap, replace } from "./edit.ts";

interface Hole {
  name: string;
  /** Empty for any. */
  kind: string;
}

/** A template's texts between its holes, and the holes. */
interface Template {
  texts: readonly string[];
  holes: readonly Hole[];
}

const HOLE = /\{(\w+)(?::([^{}]*))?\}/;
const parsed = new Map<string, Template>();

function parse(template: string): Template {
  const known = parsed.get(template);
  if (known) return known;
  const pieces = template.split(HOLE);
  const texts = pieces.filter((_, at) => at % 3 === 0).map((text) => text ?? "");
  const holes = texts.slice(1).map((_, at) => ({ name: pieces[3 * at + 1] ?? "", kind: pieces[3 * at + 2] ?? "" }));
  parsed.set(template, { texts, holes });
  return { texts, holes };
}

type Bound = ReadonlyMap<string, Node>;

/** Each pattern that a node is, with each text in its place. */
export function* rewrites(facts: Facts, { rewrites: rows }: CompiledTables): Iterable<Edit> {
  const starting = grouped(facts.nodes, ({ startIndex }) => startIndex);
  const whole = facts.function.text.replaceAll(SPACES, "");
  for (const [operator, patterns] of Object.entries(rows)) {
    const made: Rewrite[] = [];
    for (const [pattern, texts] of Object.entries(patterns)) {
      if (!parse(pattern).texts.every((text) => whole.includes(text.replaceAll(SPACES, "")))) continue;
      for (const node of facts.nodes) {
        const bound = isWanted(facts, node, pattern, operator) ? match(facts, starting, node, parse(pattern)) : null;
        // A truth value is always there.
        const asked = operator === "truthy" ? bound?.get("a") : undefined;
        if (!bound || (asked && facts.kind(asked) === "bool")) continue;
        for (const [at, template] of texts.entries()) {
          // Lines behind what it matches leave that as it is written.
          const lines = template.startsWith(`${pattern}\n`) ? template.slice(pattern.length) : null;
          for (const [filling, extra] of filled(facts, lines ?? template, bound, node)) {
            if (isAbsurd(facts, node, filling)) continue;
            const text = lines === null ? filling : node.text + filling;
            const isFirst = at === 0 && !(facts.isIndented && ALONE.test(pattern));
            made.push({ operator, node, text, extra: 0.1 * at + extra, isFirst, about: aboutIn(bound) });
          }
        }
      }
    }
    for (const { node, text, extra } of made) yield { operator, changes: [replace(node, text)], extra };
    yield* atOnce(made);
  }
}

/** `18.length`, `abs(0)`, and `await` of what is awaited. */
const isAbsurd = (facts: Facts, { parent }: Node, text: string): boolean =>
  /(?<![\w.])\d+\.[a-z]/i.test(text) ||
  /\b(?:abs|int|len|set|sorted)\([\d.]+\)/.test(text) ||
  (facts.is(parent, "tight") && /^\(?await /.test(text));

interface Rewrite {
  operator: string;
  node: Node;
  text: string;
  extra: number;
  isFirst: boolean;
  /** What it is about, `{s}`; empty where it says nothing of that. */
  about: string;
}

const aboutIn = (bound: Bound): string => bound.get("s")?.text ?? "";

const MOST_AT_ONCE = 8;

/** The same mistake wherever it is made: all of one operator that are about the same. */
function* atOnce(made: readonly Rewrite[]): Iterable<Edit> {
  for (const some of grouped(
    made.filter(({ isFirst }) => isFirst),
    ({ about }) => about,
  ).values()) {
    const changes = some
      .map(({ node, text }) => replace(node, text))
      .toSorted((a, b) => a.end - a.start - b.end + b.start);
    const apart: typeof changes = [];
    for (const one of changes) if (!overlap(apart, [one])) apart.push(one);
    const [first] = some;
    if (first && apart.length > 1 && apart.length <= MOST_AT_ONCE)
      yield { operator: first.operator, changes: apart, extra: 0.2 };
  }
}

/** A pattern of any expression. */
const ALONE = /^\{\w+(?::[^{}]*)?\}$/;

/** What is limited stands where a value is handed on: not within a larger expression. */
function isWanted(facts: Facts, node: Node, pattern: string, operator: string): boolean {
  if (pattern === "{_:statement}") return true;
  if (facts.isIndented && ALONE.test(pattern) && operator !== "clamp") return isPlace(facts, node);
  if (!/^\{\w+:num\}$/.test(pattern)) return !facts.isWritten(node);
  const parent = facts.parent(node);
  if (!parent || facts.is(node, "number", "character", "parentheses", "update") || facts.isWritten(node)) return false;
  if (!facts.isExpression(node)) return false;
  return (
    facts.is(parent, "return", "declaration", "assignment", "arguments", "block") || /declarator$/.test(parent.type)
  );
}

/** Whether a statement, an expression or a comprehension asks it, alone or beside others. */
function isCondition(facts: Facts, node: Node): boolean {
  const { parent } = node;
  if (!parent) return false;
  const isClause = facts.is(parent, "binary") && /^(?:and|or|&&|\|\|)$/.test(facts.operator(parent)?.text ?? "");
  return isClause || (facts.is(parent, "if", "loop", "conditional", "case") && facts.condition(parent) === node);
}

/** Whether any expression may stand there. */
const isPlace = (facts: Facts, node: Node): boolean =>
  facts.isExpression(node) && !facts.isWritten(node) && !facts.is(node, "parentheses") && !facts.isCalled(node);

/** The nodes that stand in the holes; null where the node does not match. */
function match(
  facts: Facts,
  starting: ReadonlyMap<number, readonly Node[]>,
  node: Node,
  { texts, holes }: Template,
): Bound | null {
  const { program } = facts;
  const bound = new Map<string, Node>();
  const from = (offset: number, at: number): boolean => {
    const behind = read(program, offset, node.endIndex, texts[at] ?? "");
    if (behind === null) return false;
    const hole = holes[at];
    if (!hole) return behind === node.endIndex;
    for (const one of starting.get(behind) ?? []) {
      if (
        one.endIndex > node.endIndex ||
        (facts.is(one, "arguments") && !facts.is(one, "display")) ||
        !isOf(facts, one, hole.kind)
      )
        continue;
      const known = bound.get(hole.name);
      if (known && known.text !== one.text) continue;
      bound.set(hole.name, one);
      if (from(one.endIndex, at + 1)) return true;
      if (!known) bound.delete(hole.name);
    }
    return false;
  };
  return from(node.startIndex, 0) ? bound : null;
}

const SPACE = /\s/;
const SPACES = /\s+/g;
const COMMENT = /\/\*[\s\S]*?\*\//y;

/**
 * Where a text ends that begins at an offset, whatever white space and block comments stand in it; null where another
 * one stands there.
 */
function read(program: string, offset: number, end: number, text: string): number | null {
  let at = offset;
  const skip = () => {
    while (at < end && SPACE.test(program[at] ?? "")) at += 1;
    COMMENT.lastIndex = at;
    if (!COMMENT.test(program)) return;
    at = COMMENT.lastIndex;
    skip();
  };
  for (const one of text) {
    if (SPACE.test(one)) continue;
    skip();
    if (program[at] !== one || at >= end) return null;
    at += 1;
  }
  if (text === "" || SPACE.test(text.at(-1) ?? "")) skip();
  return at;
}

const isPlain = (facts: Facts, node: Node) => facts.is(node, "number", "character", "text", "truth");

/** Whether a node is of a kind; an unknown kind may be any but a number. */
function isOf(facts: Facts, node: Node, asked: string): boolean {
  if (asked === "") return true;
  if (asked.includes("|")) return asked.split("|").some((one) => isOf(facts, node, one));
  if (asked === "statement") return facts.is(node, "statement");
  if (asked === "condition") return isCondition(facts, node);
  if (asked === "done") return facts.is(node, "call", "tight") && facts.is(node.parent, "wrapper");
  const kind = facts.kind(node);
  if (asked !== "object") return isKind(facts, kind, facts.typeOf(node), asked);
  // `Integer` counts as a number wherever it is not compared.
  const type = facts.typeOf(node) || typeGiven(facts, node);
  if (/^[A-Z]/.test(type)) return true;
  return (
    (type === "" || kind === "") && kind !== "bool" && !(isPlain(facts, node) || /^(?:null|this)$/.test(node.text))
  );
}

/** The type that a method or field of the file has, as written. */
function typeGiven(facts: Facts, node: Node): string {
  if (facts.is(node, "index")) return "";
  const name = facts.is(node, "call") ? facts.called(node)?.text : node.childForFieldName("field")?.text;
  return facts.callables.find((one) => one.name === name)?.result ?? "";
}

function isKind(facts: Facts, kind: string, type: string, asked: string): boolean {
  if (asked === "num") return facts.isNumber(kind);
  if (asked === "" && facts.isIndented) return true;
  if (asked === "[]") return kind.startsWith("[");
  if (asked === "array") return kind.endsWith("[]");
  if (asked === "<>") return kind.startsWith("<");
  return kind === asked || plainType(type) === asked;
}

const plainType = (type: string) => type.replace(/\b(?:const|final)\b|&|\s|std::/g, "");

/** Names that are tried for a hole of the new text. */
const MOST_NAMES = 5;

/** A template with what was matched, and with names where it has holes of its own. */
function* filled(facts: Facts, template: string, bound: Bound, at: Node): Iterable<[text: string, extra: number]> {
  const lines = template.replaceAll("\t", facts.indentUnit).replaceAll("\n", `\n${facts.indentAt(at.startIndex)}`);
  for (const [text, extra] of fill(facts, lines, bound, at.startIndex, facts.kind(bound.get("_") ?? null)))
    yield [facts.isExpression(at) && !isDenied(facts, text, at) ? facts.inPlace(text, at) : text, extra];
}

/** `!a.equals(b)` needs no parentheses beside `&&`. */
const isDenied = (facts: Facts, text: string, { parent }: Node): boolean =>
  /^![\w.]+\([^()]*\)$/.test(text) && /^(?:&&|\|\|)$/.test((parent && facts.operator(parent)?.text) ?? "");

/**
 * @param own kind that numbers have to fit
 * @param about the name that it is about already
 */
function* fill(
  facts: Facts,
  template: string,
  bound: Bound,
  offset: number,
  own: string,
  about = bound.get("_")?.text ?? "",
): Iterable<[text: string, extra: number]> {
  const { texts, holes } = parse(template);
  const open = new Map<string, string>();
  for (const { name, kind } of holes) if (!bound.has(name) && !open.has(name)) open.set(name, kind);
  for (const [names, extra] of choices(facts, [...open], offset, own, new Set([about]))) {
    const text = holes.reduce((all, { name }, at) => {
      const after = texts[at + 1] ?? "";
      const node = bound.get(name);
      return all + (node ? part(facts, node, all, after) : (names.get(name) ?? "")) + after;
    }, texts[0] ?? "");
    yield [text, extra];
  }
}

/** In parentheses where a sign of the template stands beside it. */
function part(facts: Facts, node: Node, before: string, after: string): string {
  const isLoose = facts.is(node, "binary", "conditional", "unary", "cast", "range");
  const isApart = /(?:^|[([,=:]|\breturn|;)\s*$/.test(before) && /^\s*(?:$|[)\],;:])/.test(after);
  return isLoose && !isApart ? `(${node.text})` : node.text;
}

function* choices(
  facts: Facts,
  [first, ...rest]: readonly (readonly [name: string, kind: string])[],
  offset: number,
  own: string,
  used: ReadonlySet<string>,
): Iterable<[Map<string, string>, number]> {
  if (!first) return yield [new Map(), 0];
  const fits = ({ name, kind, type }: Name) =>
    !used.has(name) &&
    isKind(facts, kind, type, first[1]) &&
    (!facts.isNumber(kind) || !facts.isNumber(own) || facts.fits(kind, own));
  for (const [at, { name }] of facts.namesAt(offset).filter(fits).toReversed().slice(0, MOST_NAMES).entries())
    for (const [names, extra] of choices(facts, rest, offset, own, new Set([...used, name])))
      yield [names.set(first[0], name), extra + at * 0.05];
}

/** A template about a name, `{_}`, with other names where it has more holes. */
export function aboutName(facts: Facts, template: string, name: string, offset: number): Iterable<[string, number]> {
  return fill(facts, template.replaceAll("{_}", name), new Map(), offset, "", name);
}

const BUILT: Readonly<Record<string, string>> = { num: "build_number", str: "build_string", bool: "build_bool" };

/** Another value in place of an expression, made of names by the templates of its kind. */
export function* built(facts: Facts, node: Node, { build }: CompiledTables): Iterable<Edit> {
  if (!facts.isExpression(node) || facts.isWritten(node)) return;
  if (facts.is(node, "parentheses") || facts.is(node.parent, "update") || facts.isCalled(node)) return;
  const kind = facts.kind(node);
  const operator = BUILT[kind] ?? "build_item";
  for (const [at, template] of facts.rowsFor(build, kind).entries())
    for (const [text, extra] of aboutName(facts, template, node.text, node.startIndex))
      if (text !== node.text)
        yield { operator, changes: [replace(node, facts.inPlace(text, node))], extra: extra + 0.1 * at };
}
