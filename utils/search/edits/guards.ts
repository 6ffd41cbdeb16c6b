/** Statements that leave early, alone or under a condition, and conditions that are put around a statement. */

import type { Facts, Name } from "../syntax/facts.ts";
import type { Node } from "../syntax/grammar.ts";
import type { CompiledTables } from "../tables.ts";
import { Cheapest, type Edit, replace, speaksOf, UNLIKELY } from "./edit.ts";
import type { Literals } from "./literals.ts";
import { aboutName } from "./rewrites.ts";
import {
  askedOf,
  before,
  behind,
  conditionsOf,
  isChanged,
  isInLoop,
  laidOut,
  partsOf,
  statementsOf,
} from "./statements.ts";

/** Values of one early return, and conditions of one place. */
const MOST_VALUES = 5;
const MOST_CONDITIONS = 40;
const MOST_COPIED = 48;

/** Where a statement can stand that looks at names which have just got their values. */
interface Place {
  /** The statement beside which it stands. */
  node: Node;
  /** Whether it stands behind it, on a line of its own. */
  isBehind: boolean;
  fresh: Name[];
  inLoop: boolean;
  extra: number;
  /** `leave`, or `late_leave` behind a loop. */
  operator?: string;
}

/**
 * `if (n < 2) return false;` where names get their values: parameters at the beginning, a loop's names where its body
 * begins, what a loop changes behind it, others behind the statement that gives them one. In a loop also its next turn
 * and its end; alone, without a condition, what leaves stands at the end of a block.
 */
export function* leaving(facts: Facts, tables: CompiledTables, literals: Literals): Iterable<Edit> {
  for (const place of placesOf(facts)) {
    const at = offsetOf(place);
    const returns = returnsAt(facts, tables, at, literals);
    for (const [condition, unlikely] of conditionsAt(facts, tables, place)) {
      const far = place.extra + unlikely;
      for (const [value, extra] of returns)
        yield put(facts, place.operator ?? "leave", place, under(tables, condition, value), far + extra);
      if (place.inLoop)
        for (const [index, jump] of tables.jumps.toReversed().entries())
          yield put(facts, "jump", place, under(tables, condition, jump), far + index * 0.2);
    }
  }
  for (const block of inner(facts)) {
    const last = block.namedChildren.findLast((one) => one !== null && facts.is(one, "statement"));
    if (!last || facts.is(facts.core(last), "return", "jump")) continue;
    const place = { node: last, isBehind: true };
    const isBody = facts.is(facts.is(block.parent, "block") ? block.parent?.parent : block.parent, "loop");
    // A loop that ends with its first turn is none, unless something begins the next turn before.
    const once = isBody && !/\bcontinue\b/.test(block.text) ? UNLIKELY : 0;
    for (const [value, extra] of returnsAt(facts, tables, last.endIndex, literals))
      yield put(facts, "leave", place, value, 0.3 + extra + once);
    // At the end of the function itself any name may be what is given, most likely one that is new.
    const isOwn = block.startIndex === lines(facts, facts.body).startIndex;
    for (const [at, { name }] of isOwn ? namesToGive(facts, last.endIndex).toReversed().entries() : [])
      for (const [far, template] of tables.give.entries())
        for (const [text, extra] of aboutName(facts, template, name, last.endIndex))
          yield put(
            facts,
            "result",
            place,
            tables.leave.value.replace("{_}", () => text),
            at * 0.1 + far * 0.2 + extra,
          );
    // At the end of a loop's own body the next turn begins anyway.
    const jumps = isBody ? tables.jumps.slice(0, 1) : tables.jumps.toReversed();
    if (isInLoop(facts, last))
      for (const [at, jump] of jumps.entries()) yield put(facts, "block_end", place, jump, at * 0.2 + once);
  }
}

/** Behind a loop, once more what it does with a list or a text that it fills, if something is left in there. */
export function* leftovers(facts: Facts, tables: CompiledTables): Iterable<Edit> {
  for (const loop of facts.nodes.filter((one) => facts.is(one, "loop"))) {
    const inside = statementsOf(facts).filter(
      (one) => loop.startIndex < one.startIndex && one.endIndex <= loop.endIndex,
    );
    const given = new Set(inside.flatMap((one) => givenIn(facts, one)));
    const place = { node: loop, isBehind: true };
    for (const one of inside) {
      const core = facts.core(one);
      const isOther = facts.is(core, "if", "loop", "return", "jump", "declaration") || / :?= /.test(one.text);
      if (isOther || one.text.length > MOST_COPIED || !facts.canStand(one, loop.endIndex)) continue;
      for (const { name, kind, type } of facts.namesAt(loop.endIndex)) {
        const [isFilled] = /^(?:\[.*|str)$/.test(kind) ? facts.rowsFor(tables.conditions, kind, type) : [];
        if (isFilled === undefined || !given.has(name) || !speaksOf(one.text, name)) continue;
        yield put(facts, "leftover", place, under(tables, isFilled.replaceAll("{_}", name), one.text), 0);
      }
    }
  }
}

const under = ({ guarded }: CompiledTables, condition: string, statement: string) =>
  guarded.replace("{condition}", () => condition).replace("{statement}", () => statement);

const put = (
  facts: Facts,
  operator: string,
  { node, isBehind }: Pick<Place, "node" | "isBehind">,
  text: string,
  extra: number,
) => {
  const statement = laidOut(facts, node.startIndex, text);
  const change = isBehind ? behind(facts, node, statement) : before(facts, node.startIndex, statement);
  return { operator, changes: [change], extra };
};

const offsetOf = ({ node, isBehind }: Pick<Place, "node" | "isBehind">) => (isBehind ? node.endIndex : node.startIndex);

/** Blocks of loops and of branches, and the whole of a function that gives something. */
function inner(facts: Facts): Node[] {
  const around = facts.nodes.filter((node) => facts.is(node, "if", "loop"));
  const own = facts.resultType === "" ? [] : [facts.function];
  return [...own, ...around].flatMap((node) => {
    const found = node.childForFieldName("body") ?? node.childForFieldName("consequence");
    return found && facts.is(found, "block") ? [lines(facts, found)] : [];
  });
}

/** What holds a block's statements, where that is a node of its own. */
function lines(facts: Facts, block: Node): Node {
  const only = block.namedChildren.find((one) => one !== null && facts.is(one, "block"));
  return only && block.namedChildren.length === 1 && !facts.is(only, "statement") ? only : block;
}

function placesOf(facts: Facts): Place[] {
  const found: Place[] = [];
  const begins = (block: Node, fresh: Name[], extra: number) => {
    const first = lines(facts, block).namedChildren.find((one) => one.startIndex >= facts.from);
    if (first && fresh.length > 0)
      found.push({ node: first, isBehind: false, fresh, inLoop: isInLoop(facts, first), extra });
  };
  const { body } = facts;
  const given = facts.names.filter(({ from }) => from <= body.startIndex);
  if (!facts.isValue) begins(body, given, 0);
  for (const node of facts.nodes.filter((one) => facts.is(one, "loop"))) {
    const block = node.childForFieldName("body");
    if (!block) continue;
    const isOwn = ({ from }: Name) => node.startIndex < from && from <= block.startIndex;
    begins(block, facts.names.filter(isOwn), 0.2);
    const whole = facts.is(node.parent, "wrapper") && node.parent ? node.parent : node;
    const fresh = facts
      .namesAt(whole.endIndex)
      .filter(({ name, from }) => facts.function.startIndex < from && isChanged(block.text, name));
    if (fresh.length > 0 && facts.is(whole.parent, "block") && whole.nextNamedSibling)
      found.push({
        node: whole,
        isBehind: true,
        fresh,
        inLoop: isInLoop(facts, whole),
        extra: 0,
        operator: "late_leave",
      });
  }
  for (const node of statementsOf(facts)) {
    const given = givenIn(facts, node);
    if (given.length === 0 || !facts.is(node.parent, "block") || !node.nextNamedSibling) continue;
    const fresh = facts.namesAt(node.endIndex).filter(({ name }) => given.includes(name));
    const inLoop = isInLoop(facts, node);
    if (fresh.length > 0) found.push({ node, isBehind: true, fresh, inLoop, extra: 0.5 });
  }
  return found;
}

/** Names that a statement declares or gives a value. */
function givenIn(facts: Facts, statement: Node): string[] {
  const core = facts.core(statement);
  if (facts.is(statement, "declaration"))
    return facts.names
      .filter(({ from }) => statement.startIndex < from && from <= statement.endIndex)
      .map(({ name }) => name);
  const assigned = facts.is(core, "assignment") ? core : core.namedChildren.find((one) => facts.is(one, "assignment"));
  const left = assigned?.childForFieldName("left");
  return left && facts.is(left, "name") ? [left.text] : [];
}

/** What is asked at a place about its fresh names, and what the function asks elsewhere. */
function conditionsAt(facts: Facts, { guards }: CompiledTables, place: Place): [string, number][] {
  const [found, offset, { fresh, operator }] = [new Cheapest(), offsetOf(place), place];
  const all = facts.namesAt(offset);
  // Names of one block are compared with each other, and behind a loop what it fills.
  const isBeside = (one: Name, other: Name) =>
    operator !== undefined || (!facts.isIndented && other.from > facts.body.startIndex && one.to === other.to);
  for (const one of fresh)
    for (const [at, template] of facts.rowsFor(guards, one.kind, one.type).entries())
      for (const [text, other] of withNames(facts, template, one, all))
        found.add(text, other && isBeside(one, other) ? 0 : at * 0.1);
  for (const one of askedBefore(facts, offset)) {
    const isAbout = fresh.some(({ name }) => speaksOf(one.text, name));
    if (isAbout && one.text.length <= MOST_COPIED && facts.canStand(one, offset)) found.add(one.text, 0.4);
  }
  return found.first(MOST_CONDITIONS);
}

/** Kinds of what has a size, which can be compared with that of another. */
const SIZED = /^(?:[[<{].*|dict)$/;

/** A template with the name, and with each other of its kind or each number where that is asked. */
function withNames(facts: Facts, template: string, { name, kind }: Name, all: readonly Name[]): [string, Name?][] {
  const [asked] = /\{(?:other|num)\}/.exec(template) ?? [];
  if (asked === undefined) return [[template.replaceAll("{_}", name)]];
  const isLike = (one: Name) => one.kind === kind || (SIZED.test(one.kind) && SIZED.test(kind));
  const isIt = (one: Name) => (asked === "{num}" ? facts.isNumber(one.kind) : isLike(one));
  const others = all.filter((one) => isIt(one) && one.name !== name);
  return others.map((one) => [template.replaceAll("{_}", name).replaceAll(asked, one.name), one]);
}

/** Conditions of the function and their clauses, without those of an earlier `if` that leaves where they hold. */
function askedBefore(facts: Facts, offset: number): Node[] {
  const decided = facts.nodes.filter((one) => {
    const then = facts.is(one, "if") && one.endIndex <= offset ? one.childForFieldName("consequence") : null;
    const last = then && (facts.is(then, "block") ? lines(facts, then).namedChildren.at(-1) : then);
    return last && facts.is(facts.core(last), "return", "jump");
  });
  return conditionsOf(facts)
    .filter((whole) => !decided.some((one) => one.startIndex <= whole.startIndex && whole.endIndex <= one.endIndex))
    .flatMap((whole) => [whole, ...partsOf(facts, whole)]);
}

/** Return statements for a place: values that the function returns elsewhere, usual values, names of its kind. */
function returnsAt(
  facts: Facts,
  { leave, results }: CompiledTables,
  offset: number,
  { expected = [] }: Literals,
): [string, number][] {
  const type = facts.resultType;
  if (type === "") return [[leave.alone, 0]];
  const found = new Cheapest();
  const given = facts.nodes.flatMap((one) => (facts.is(one, "return") ? (one.namedChildren.at(0) ?? []) : []));
  for (const value of given)
    if (value.text.length <= MOST_COPIED && facts.canStand(value, offset)) found.add(value.text, 0);
  // Where no type is written, what it returns elsewhere has one.
  const [first = "", ...others] = new Set(given.map((one) => facts.kind(one)));
  const shared = others.length === 0 ? first : "";
  const rows = (one: string, kind = facts.kindOfType(one) || shared) => facts.rowsFor(results, kind, kind);
  const isNumber = facts.isNumber(facts.kindOfType(type));
  for (const [at, row] of rows(type).entries())
    if (!row.includes("{expected}"))
      found.add(row.replaceAll("{type}", type), expected.includes(row) ? 0 : 0.1 + at * 0.1);
    else
      for (const value of expected)
        if (isNumber !== value.startsWith('"'))
          found.add(
            row.replace("{expected}", () => value),
            0,
          );
  const failed = failure(facts, rows, type, offset);
  if (failed !== null) found.add(failed, 0);
  for (const { name } of namesToGive(facts, offset)) found.add(name, 0.3);
  return found.first(MOST_VALUES).map(([value, extra]) => [leave.value.replace("{_}", () => value), extra]);
}

/** Names of the kind of the function's result. */
const namesToGive = (facts: Facts, offset: number): Name[] => {
  const { resultType } = facts;
  return facts.namesAt(offset).filter(({ type }) => facts.kindOfType(resultType) === "" || type === resultType);
};

/** `0, err` of `(int, error)`: nothing, and the error that is known; null where there is none. */
function failure(facts: Facts, rows: (type: string) => string[], type: string, offset: number): string | null {
  const types = /^\((.*)\)$/.exec(type)?.[1]?.split(/, */) ?? [];
  const error = facts.namesAt(offset).findLast((one) => one.type === "error");
  if (types.at(-1) !== "error" || error === undefined) return null;
  const values = types.slice(0, -1).map((one) => rows(one).find((row) => !row.includes("{")) ?? "nil");
  return [...values, error.name].join(", ");
}

/**
 * A statement under a condition: `best = x` where `x` is larger or smaller, what is asked of its names, and what the
 * function asks elsewhere.
 */
export function* guarded(facts: Facts, tables: CompiledTables): Iterable<Edit> {
  for (const node of statementsOf(facts)) {
    if (facts.is(node, "declaration", "block") || facts.is(facts.core(node), "return", "if")) continue;
    if (!facts.is(node.parent, "block")) continue;
    const found = new Cheapest();
    for (const text of comparedSides(facts, node)) found.add(text, 0);
    for (const one of askedBefore(facts, node.startIndex))
      if (one.text.length <= MOST_COPIED && facts.canStand(one, node.startIndex)) found.add(one.text, 0.3);
    for (const one of facts.namesAt(node.startIndex))
      if (speaksOf(node.text, one.name))
        for (const [at, text] of askedOf(facts, tables, one, node.startIndex).entries())
          found.add(text, 0.5 + at * 0.1);
    for (const [condition, extra] of found.all) {
      const around = laidOut(facts, node.startIndex, under(tables, condition, "{statement}"));
      const inside = node.text.replaceAll("\n", `\n${facts.indentUnit}`);
      const text = around.replace("{statement}", () => inside);
      yield { operator: "condition_of_statement", changes: [replace(node, text)], extra };
    }
  }
}

/** `x > best` and `x < best` of `best = x`. */
function comparedSides(facts: Facts, statement: Node): string[] {
  const core = facts.core(statement);
  const found = facts.is(core, "assignment") ? core : core.namedChildren.find((one) => facts.is(one, "assignment"));
  const [left, right] = [found?.childForFieldName("left"), found?.childForFieldName("right")];
  if (!found || !left || !right || facts.operator(found)?.text !== "=") return [];
  const kind = facts.kind(left) || facts.kind(right);
  if (!facts.isNumber(kind)) return [];
  return [">", "<"].map((sign) => `${right.text} ${sign} ${left.text}`);
}
