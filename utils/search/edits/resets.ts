/**
 * What a loop fills is declared before it: it begins anew in each turn, or is declared inside. What is made once, where
 * each call or each object should have its own.
 */

import type { Facts } from "../syntax/facts.ts";
import type { Node } from "../syntax/grammar.ts";
import { type Edit, replace } from "./edit.ts";
import { before, blockOf, isChanged, statementsOf } from "./statements.ts";

const MOST_CHARS = 80;
const DECLARED = /([A-Za-z_$][\w$]*)(?:\s*:[^=]+)?\s*:?=\s*([^=][^;]*);?$/;
/** Without a value: `std::set<int> seen;` and `var row []int`. */
const BARE = /^(?:[\w:<>,* ]+ (?!\d)(\w+);|var (\w+) [^=\n]+)$/;

export function* resets(facts: Facts): Iterable<Edit> {
  for (const declaration of statementsOf(facts)) {
    const isDeclared = facts.is(declaration, "declaration");
    const isGiven = facts.isIndented && facts.is(facts.core(declaration), "assignment");
    if (!(isDeclared || isGiven) || declaration.text.length > MOST_CHARS) continue;
    const [, bare, goBare] = BARE.exec(declaration.text) ?? [];
    const [, name = bare ?? goBare, value] = DECLARED.exec(declaration.text) ?? [];
    if (name === undefined || value?.includes(", ")) continue;
    for (let next = declaration.nextNamedSibling; next; next = next.nextNamedSibling) {
      const loop = facts.core(next);
      const first = facts.is(loop, "loop") ? firstOf(facts, loop) : null;
      if (!first || !isChanged(first.parent?.text ?? "", name)) continue;
      const gone = replace(declaration, facts.isIndented ? "pass" : "");
      const isHere = !facts.isNeeded(declaration, [...between(declaration, next), ...behind(next)]);
      if (isHere)
        yield { operator: "reset", changes: [gone, before(facts, first.startIndex, declaration.text)], extra: 0 };
      else if (value !== undefined) {
        const end = /;$/.test(declaration.text) ? ";" : "";
        yield { operator: "reset", changes: [before(facts, first.startIndex, `${name} = ${value}${end}`)], extra: 0.2 };
      }
    }
  }
}

function firstOf(facts: Facts, loop: Node): Node | null {
  let found = blockOf(facts, loop)?.namedChildren[0] ?? null;
  while (found && !facts.is(found, "statement"))
    found = facts.is(found, "block") ? (found.namedChildren[0] ?? null) : found.nextNamedSibling;
  return found;
}

function behind(node: Node): Node[] {
  const found: Node[] = [];
  for (let one = node.nextNamedSibling; one; one = one.nextNamedSibling) found.push(one);
  return found;
}

const between = (first: Node, last: Node): Node[] =>
  behind(first).filter(({ endIndex }) => endIndex <= last.startIndex);

const isOwn = (facts: Facts, value: Node | null): value is Node => facts.is(value, "display", "call");

/** A new list for each call, where all calls share a default, and for each object, where all of a class do. */
export function* defaults(facts: Facts): Iterable<Edit> {
  if (!facts.isIndented) return;
  for (const one of [facts.function, ...facts.nodes].filter(({ type }) => type === "function_definition")) {
    const [first] = one.childForFieldName("body")?.namedChildren ?? [];
    if (!first || first.namedChildren[0]?.type === "string") continue;
    const indent = facts.indentAt(first.startIndex);
    for (const parameter of one.childForFieldName("parameters")?.namedChildren ?? []) {
      const [name, value] = [parameter.childForFieldName("name"), parameter.childForFieldName("value")];
      if (!name || !facts.is(parameter, "default") || !isOwn(facts, value)) continue;
      const text = `if ${name.text} is None:\n${indent}${facts.indentUnit}${name.text} = ${value.text}`;
      yield {
        operator: "own_default",
        changes: [replace(value, "None"), before(facts, first.startIndex, text)],
        extra: 0,
      };
    }
    yield* ofClass(facts, one, first);
  }
}

function* ofClass(facts: Facts, method: Node, first: Node): Iterable<Edit> {
  const [self] = method.childForFieldName("parameters")?.namedChildren ?? [];
  if (method.childForFieldName("name")?.text !== "__init__" || !self) return;
  for (const one of method.parent?.namedChildren ?? []) {
    const given = facts.core(one);
    const isShared = facts.is(given, "assignment") && isOwn(facts, given.childForFieldName("right"));
    if (isShared)
      yield {
        operator: "own_default",
        changes: [before(facts, first.startIndex, `${self.text}.${given.text}`)],
        extra: 0.3,
      };
  }
}
