/** Edits of conditions and of whole statements. */

import type { Facts, Name } from "../syntax/facts.ts";
import type { Node } from "../syntax/grammar.ts";
import type { CompiledTables } from "../tables.ts";
import { type Change, type Edit, replace, UNLIKELY } from "./edit.ts";

const edit = (operator: string, node: Pick<Node, "startIndex" | "endIndex">, text: string, extra = 0): Edit => ({
  operator,
  changes: [replace(node, text)],
  extra,
});

/** Conditions of statements and of `a ? b : c`. */
export function conditionsOf(facts: Facts): Node[] {
  return facts.nodes.flatMap((node) => {
    const found = facts.is(node, "if", "loop", "conditional", "case") ? facts.condition(node) : null;
    return found ? [found] : [];
  });
}

/** Extra cost of negating several clauses at once. */
const WHOLE = 0.8;

const denied = (facts: Facts, not: string, node: Node) =>
  `${not}${facts.is(node, "binary") ? `(${node.text})` : node.text}`;

/** Conditions denied, and one of two clauses. */
export function* denials(facts: Facts, { not }: CompiledTables): Iterable<Edit> {
  const conditions = new Set(conditionsOf(facts).map(({ id }) => id));
  for (const node of facts.nodes) {
    const isCondition = conditions.has(node.id);
    const isClause =
      facts.is(node.parent, "binary") && /^(?:&&|\|\||and|or)$/.test(facts.operator(node.parent as Node)?.text ?? "");
    if (facts.is(node, "unary") && /^(?:!|not)$/.test(facts.operator(node)?.text ?? ""))
      yield edit("negate", node, node.namedChildren.at(-1)?.text ?? "");
    else if ((isCondition || isClause || facts.is(facts.parent(node), "return")) && isDenied(facts, node, isCondition))
      yield edit("negate", node, denied(facts, not, node), 0.2 + (partsOf(facts, node).length > 0 ? WHOLE : 0));
  }
}

/** A comparison is denied by another sign. */
const isDenied = (facts: Facts, node: Node, isAsked: boolean) =>
  isTruth(facts, node, isAsked) && !(facts.is(node, "binary") && COMPARED.test(facts.operator(node)?.text ?? ""));

const COMPARED = /^(?:[<>]=?|[=!]==?|(?:not )?in|is(?: not)?)$/;

const isTruth = (facts: Facts, node: Node, isAsked: boolean) =>
  facts.isExpression(node) && (isAsked || ["bool", ""].includes(facts.kind(node)));

/** What may be asked of a name: the rows for its kind, and those about another name of that kind with each of them. */
export function askedOf(facts: Facts, { conditions }: CompiledTables, own: Name, offset: number): string[] {
  const { name, kind, type } = own;
  const isOther = (one: Name) => one.name !== name && one.kind === kind;
  return facts.rowsFor(conditions, kind, type).flatMap((row) => {
    const text = row.replaceAll("{_}", name);
    if (!row.includes("{other}")) return [text];
    return facts
      .namesAt(offset)
      .filter(isOther)
      .map((one) => text.replaceAll("{other}", one.name));
  });
}

/** One more clause: another of the function, one of them with other names, or what a name of this kind is asked. */
export function* clauses(facts: Facts, tables: CompiledTables): Iterable<Edit> {
  const { and, or } = tables;
  const whole = conditionsOf(facts);
  const parts = whole.flatMap((one) => [one, ...partsOf(facts, one)]);
  for (const place of [...whole, ...whole.flatMap((one) => groupsIn(facts, one))]) {
    const names = facts.namesAt(place.startIndex);
    const more = new Map<string, number>();
    for (const one of parts)
      if (one.id !== place.id && !partsOf(facts, place).some(({ id }) => id === one.id)) more.set(one.text, 0.3);
    for (const one of partsOf(facts, place).length > 0 ? partsOf(facts, place) : [place])
      for (const text of [...withOtherNames(facts, one), ...otherSides(facts, one)])
        more.set(text, more.get(text) ?? 0.4);
    for (const one of names)
      for (const text of askedOf(facts, tables, one, place.startIndex)) more.set(text, more.get(text) ?? 0.7);
    const [own] = partsOf(facts, place).length === 0 ? [] : (/&&|\|\||\b(?:and|or)\b/.exec(place.text) ?? []);
    for (const [text, extra] of more)
      for (const sign of [and, or]) {
        const before = own === sign ? place.text : clauseOf(place.text);
        // Conditions of several clauses seldom mix `and` and `or`.
        const mixed = own === undefined ? 0 : own === sign ? -0.3 : 0.5;
        if (!place.text.includes(text))
          yield edit("add_clause", place, `${before} ${sign} ${clauseOf(text)}`, extra + mixed);
      }
  }
}

/** Several clauses in parentheses within a condition. */
const groupsIn = (facts: Facts, condition: Node): Node[] =>
  condition.descendantsOfType(facts.kindsOf("parentheses")).flatMap((one) => {
    const inner = one?.namedChildren.at(0);
    return inner && partsOf(facts, inner).length > 0 ? [inner] : [];
  });

/** In parentheses where it has a sign that binds less than a comparison. */
const clauseOf = (text: string) => (/&&|\||\?|\b(?:and|or)\b/.test(text) ? `(${text})` : text);

/** Clauses between `and` and `or`. */
export function partsOf(facts: Facts, node: Node): Node[] {
  if (facts.is(node, "parentheses")) return node.namedChildren.flatMap((one) => (one ? partsOf(facts, one) : []));
  if (!facts.is(node, "binary") || !/^(?:&&|\|\||and|or)$/.test(facts.operator(node)?.text ?? "")) return [];
  return [node.childForFieldName("left"), node.childForFieldName("right")].flatMap((one) => {
    if (!one) return [];
    const inner = partsOf(facts, one);
    return inner.length > 0 ? inner : [one];
  });
}

/** A text with two of its names of one kind exchanged, or one become another. */
function* withOtherNames(facts: Facts, node: Node): Iterable<string> {
  const found = [node, ...node.descendantsOfType("identifier")].filter((one): one is Node => facts.is(one, "name"));
  const visible = facts.namesAt(node.startIndex);
  for (const one of new Set(found.map(({ text }) => text))) {
    const own = visible.find(({ name }) => name === one);
    for (const other of visible)
      if (own && other !== own && (other.kind === own.kind || facts.isLike(other.kind, own.kind))) {
        const pattern = new RegExp(`\\b(?:${one}|${other.name})\\b`, "g");
        yield node.text.replace(pattern, (name) => (name === one ? other.name : one));
      }
  }
}

const MIRRORED: Readonly<Record<string, string>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };

/** Of `x >= low` what `x` has on its other side: `x <= high`. */
function* otherSides(facts: Facts, node: Node): Iterable<string> {
  const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
  const sign = facts.is(node, "binary") ? MIRRORED[facts.operator(node)?.text ?? ""] : undefined;
  if (!sign || !left || !right) return;
  for (const { name, kind } of facts.namesAt(node.startIndex))
    if (kind === facts.kind(right) && name !== right.text && name !== left.text) yield `${left.text} ${sign} ${name}`;
}

export const statementsOf = (facts: Facts): Node[] => facts.nodes.filter((node) => facts.is(node, "statement"));

/** What stays of an `if`: one of its branches, without its condition. */
export function* branches(facts: Facts): Iterable<Edit> {
  for (const node of facts.nodes.filter((one) => facts.is(one, "if"))) {
    const then = node.childForFieldName("consequence");
    const found = node.childForFieldName("alternative");
    const otherwise = facts.is(found, "else") ? (found?.namedChildren.at(-1) ?? null) : found;
    if (!then) continue;
    if (facts.is(node, "clause")) {
      yield edit("branches", node, "");
      continue;
    }
    yield edit("branches", node, moved(facts, then, node.startIndex), endsBefore(facts, then, node) ? UNLIKELY : 0);
    if (!otherwise || !found) continue;
    const isClause = facts.is(otherwise, "clause");
    const left = isClause
      ? facts.program.slice(otherwise.startIndex + 2, node.endIndex)
      : moved(facts, otherwise, node.startIndex);
    yield edit("branches", node, left);
    yield edit("branches", { startIndex: then.endIndex, endIndex: node.endIndex }, "", 0.2);
    if (isClause) continue;
    yield {
      operator: "swap_branches",
      changes: [replace(then, otherwise.text), replace(otherwise, then.text)],
      extra: 0,
    };
  }
}

/** Whether a branch ends with a statement that leaves, and others stand behind its `if`. */
function endsBefore(facts: Facts, branch: Node, whole: Node): boolean {
  const around = facts.is(whole.parent, "wrapper") && whole.parent ? whole.parent : whole;
  const last = statementsOf(facts).findLast(
    ({ startIndex, endIndex }) => branch.startIndex <= startIndex && endIndex <= branch.endIndex,
  );
  return nextOf(facts, around) !== null && last !== undefined && facts.is(facts.core(last), "return", "jump");
}

/** What stays of `a ? b : c`, and the other way round. */
export function* choices(facts: Facts): Iterable<Edit> {
  for (const node of facts.nodes.filter((one) => facts.is(one, "conditional"))) {
    const [then, otherwise] = [node.childForFieldName("consequence"), node.childForFieldName("alternative")];
    if (!then || !otherwise || then.text === otherwise.text) continue;
    yield edit("branches", node, facts.inPlace(then.text, node), 0.2);
    yield edit("branches", node, facts.inPlace(otherwise.text, node), 0.2);
    const changes = [replace(then, otherwise.text), replace(otherwise, then.text)];
    yield { operator: "swap_branches", changes, extra: 0 };
  }
}

/** What two statements give back, the other way round. */
export function* returned(facts: Facts): Iterable<Edit> {
  const values = facts.nodes.flatMap((one) => (facts.is(one, "return") ? (one.namedChildren.at(0) ?? []) : []));
  for (const [at, one] of values.entries())
    for (const other of values.slice(at + 1))
      if (one.text !== other.text && facts.canStand(one, other.startIndex) && facts.canStand(other, one.startIndex))
        yield {
          operator: "exchange_returns",
          changes: [replace(one, other.text), replace(other, one.text)],
          extra: 0,
        };
}

/** Two arms of a `match` with what the other gives. */
export function* arms(facts: Facts): Iterable<Edit> {
  for (const node of facts.nodes.filter((one) => facts.is(one, "arm")))
    for (let other = node.nextNamedSibling; other; other = other.nextNamedSibling) {
      const [one, two] = [node.childForFieldName("value"), other.childForFieldName("value")];
      if (one && two && one.text !== two.text)
        yield { operator: "swap_branches", changes: [replace(one, two.text), replace(two, one.text)], extra: 0.3 };
    }
}

/** A template's lines as they stand at an offset: indented as its line, once more for each tab. */
export const laidOut = (facts: Facts, offset: number, text: string): string =>
  text.replaceAll("\t", facts.indentUnit).replaceAll("\n", `\n${facts.indentAt(offset)}`);

/** The text of a statement or a block, indented as the line of an offset. */
export const moved = (facts: Facts, { text, startIndex }: Node, offset: number): string =>
  text.replaceAll(`\n${facts.indentAt(startIndex)}`, `\n${facts.indentAt(offset)}`);

/**
 * A statement put before another, or behind it: on a line of its own, indented as the line at which it stands, but
 * beside the others of a body of one line.
 */
export const before = (facts: Facts, offset: number, text: string): Change => {
  const lead = facts.program.slice(facts.program.lastIndexOf("\n", offset - 1) + 1, offset);
  if (facts.isIndented && lead.trim() !== "" && !text.includes("\n")) return at(offset, `${text}; `);
  return at(offset, text + (/[;{}]\s*$/.test(lead) ? apart(facts, offset, text) : line(facts, offset)));
};
export const behind = (facts: Facts, node: Node, text: string): Change => {
  const rest = facts.program.slice(node.endIndex);
  const isApart = !facts.isIndented && /^[^\S\n]*\}/.test(rest);
  return at(node.endIndex, (isApart ? apart(facts, node.endIndex, text) : line(facts, node.startIndex)) + text);
};

const line = (facts: Facts, offset: number) => `\n${facts.indentAt(offset)}`;

/** What does not end by itself needs a line's end. */
const apart = (facts: Facts, offset: number, text: string) => (/^[^\n]*[;}]$/.test(text) ? " " : line(facts, offset));

/** Statements that go, change places or move to the end of the block around. */
export function* moves(facts: Facts): Iterable<Edit> {
  for (const node of statementsOf(facts)) {
    if (facts.is(node, "block") && facts.is(node.parent, "if", "loop", "else")) continue;
    const isOnly = !facts.is(node.parent, "block");
    const isDeclared = facts.is(node, "declaration");
    const isEmptied = isOnly || (facts.isIndented && hasOne(facts, node));
    const extra = (isDeclared || facts.is(facts.core(node), "loop") ? 0.7 : 0) + (isEmptied ? UNLIKELY : 0);
    const nothing = facts.isIndented ? "pass" : isOnly ? "{}" : "";
    if (!(isDeclared && facts.isNeeded(node, restOf(node))) && !isResult(facts, node))
      yield edit("delete_statement", node, nothing, extra);
    const next = nextOf(facts, node);
    if (next && !(isDeclared && facts.isNeeded(node, [next])) && !isResult(facts, next)) {
      yield { operator: "move_statement", changes: [replace(node, next.text), replace(next, node.text)], extra: 0 };
    }
    const gone = replace(node, nothing);
    yield* farMoves(facts, node, nothing);
    const around = aroundOf(facts, node);
    if (!around || facts.is(node, "declaration") || !facts.canStand(node, around.startIndex)) continue;
    const more = isOnly || hasOne(facts, node) ? UNLIKELY : 0;
    const text = moved(facts, node, around.startIndex);
    yield { operator: "move_statement", changes: [gone, behind(facts, around, text)], extra: 0.2 + more };
    yield {
      operator: "move_statement",
      changes: [gone, before(facts, around.startIndex, text)],
      extra: 0.4 + more,
    };
  }
  for (const node of statementsOf(facts)) {
    const found = previousOf(facts, node);
    const before = found && facts.core(found);
    const inside = before && facts.is(before, "loop", "if") ? blockOf(facts, before) : null;
    if (!inside || facts.is(node, "declaration")) continue;
    const gone = replace(node, facts.isIndented ? "pass" : "");
    const last = inside.namedChildren.at(-1);
    const end = last
      ? behind(facts, last, moved(facts, node, last.startIndex))
      : at(inside.endIndex - 1, `\n${node.text}\n`);
    yield { operator: "move_statement", changes: [end, gone], extra: 0.3 };
  }
}

/** Statements in between, and one more. */
const MOST_PASSED = 5;

/** A statement moves behind one that comes later, or that one before it; next to it they change places. */
function* farMoves(facts: Facts, node: Node, nothing: string): Iterable<Edit> {
  const passed: Node[] = [];
  for (let other = nextOf(facts, node); other && passed.length < MOST_PASSED; other = nextOf(facts, other)) {
    if (facts.is(facts.core(other), "return", "jump")) return;
    passed.push(other);
    if (passed.length === 1) continue;
    const extra = passed.length * 0.1;
    if (!(facts.is(node, "declaration") && facts.isNeeded(node, passed)))
      yield { operator: "move_far", changes: [replace(node, nothing), behind(facts, other, node.text)], extra };
    if (!facts.is(other, "declaration") && facts.canStand(other, node.startIndex))
      yield {
        operator: "move_far",
        changes: [replace(other, nothing), before(facts, node.startIndex, other.text)],
        extra,
      };
  }
}

/** Whether no other statement stands beside it. */
const hasOne = (facts: Facts, node: Node) => !nextOf(facts, node) && !previousOf(facts, node);

/** What stands behind a statement in its block. */
function restOf(node: Node): Node[] {
  const found: Node[] = [];
  for (let one = node.nextNamedSibling; one; one = one.nextNamedSibling) found.push(one);
  return found;
}

/** The function's last statement, where that gives its value. */
const isResult = (facts: Facts, node: Node): boolean =>
  facts.is(facts.core(node), "return") &&
  facts.core(node).namedChildren.length > 0 &&
  node.parent?.id === facts.body.id &&
  node.nextNamedSibling === null;

const at = (offset: number, text: string) => ({ start: offset, end: offset, text });

function sibling(facts: Facts, node: Node | null, step: "nextNamedSibling" | "previousNamedSibling"): Node | null {
  const found = node?.[step] ?? null;
  return found && facts.is(found, "statement") ? found : null;
}
export const nextOf = (facts: Facts, node: Node) => sibling(facts, node, "nextNamedSibling");
const previousOf = (facts: Facts, node: Node) => sibling(facts, node, "previousNamedSibling");

export function blockOf(facts: Facts, node: Node): Node | null {
  const found = node.childForFieldName("body") ?? node.childForFieldName("consequence");
  return facts.is(found, "block") ? found : null;
}

/** The loop or `if` whose statement this is. */
function aroundOf(facts: Facts, node: Node): Node | null {
  let found = node.parent;
  while (found && facts.is(found, "block", "else", "clause")) found = found.parent;
  if (!found || !facts.is(found, "loop", "if")) return null;
  const around = facts.is(found.parent, "wrapper") ? found.parent : found;
  return facts.is(around, "statement") ? around : null;
}

export function isInLoop(facts: Facts, node: Node): boolean {
  for (let one = node.parent; one && one.id !== facts.function.id; one = one.parent)
    if (facts.is(one, "loop")) return true;
  return false;
}

/** Whether a text gives a name another value, or calls a method of it. */
export const isChanged = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\w.])${name}(?:\\[[^\\]\n]*\\])?\\s*(?:(?:[-+*/%|&^]|<<)?=(?!=)|<<|\\+\\+|--|\\.\\w+\\()`).test(
    text,
  );

/** A statement becomes one that leaves, or the other way round. */
export function* jumps(facts: Facts, { jumps: all }: CompiledTables): Iterable<Edit> {
  const returns = statementsOf(facts).filter((one) => facts.is(facts.core(one), "return"));
  for (const node of statementsOf(facts)) {
    const core = facts.core(node);
    if (facts.is(core, "jump")) {
      for (const one of all) if (one !== node.text) yield edit("jump", node, one);
      for (const one of returns) if (facts.canStand(one, node.startIndex)) yield edit("jump", node, one.text, 0.2);
    }
    if (!facts.is(core, "return")) continue;
    if (isInLoop(facts, node)) for (const one of all) yield edit("jump", node, one, 0.4);
    const value = core.namedChildren.at(0);
    if (!value) continue;
    for (const { name, kind } of facts.namesAt(node.startIndex))
      if ((kind === facts.kind(value) || facts.isLike(kind, facts.kind(value))) && !facts.is(value, "name"))
        yield edit("result", value, name);
  }
}

/** A section of a `switch` that goes on into the next ends there. */
export function* sections(facts: Facts, { jumps: [leave] }: CompiledTables): Iterable<Edit> {
  for (const section of facts.nodes.filter((one) => facts.is(one, "section"))) {
    const last = section.namedChildren.filter((one) => one !== null && facts.is(one, "statement")).at(-1);
    const isLast = section.parent?.namedChildren.at(-1)?.id === section.id;
    if (!last || !leave || isLast || facts.is(facts.core(last), "return", "jump")) continue;
    const text = `\n${facts.indentAt(last.startIndex)}${leave}`;
    yield { operator: "jump", changes: [{ start: last.endIndex, end: last.endIndex, text }], extra: 0 };
  }
}

/** Declared types, and those of casts: a number with or without a part behind its point. */
export function* types(facts: Facts, { types: others }: CompiledTables): Iterable<Edit> {
  for (const node of facts.nodes.filter((one) => facts.is(one, "cast"))) {
    const type = node.childForFieldName("type");
    for (const other of others[`as ${type?.text}`] ?? []) if (type) yield edit("declared_type", type, other);
  }
  for (const node of facts.nodes.filter((one) => facts.is(one, "declaration"))) {
    const type = node.childForFieldName("type");
    for (const other of others[type?.text ?? ""] ?? []) if (type) yield edit("declared_type", type, other);
  }
}
