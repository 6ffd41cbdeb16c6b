/** What a loop fills is declared before it: it begins anew in each turn, or is declared inside. */

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
    if (!facts.is(declaration, "declaration") || declaration.text.length > MOST_CHARS) continue;
    const [, bare, goBare] = BARE.exec(declaration.text) ?? [];
    const [, name = bare ?? goBare, value] = DECLARED.exec(declaration.text) ?? [];
    if (name === undefined || value?.includes(", ")) continue;
    for (let next = declaration.nextNamedSibling; next; next = next.nextNamedSibling) {
      const loop = facts.core(next);
      const first = facts.is(loop, "loop") ? firstOf(facts, loop) : null;
      if (!first || !isChanged(first.parent?.text ?? "", name)) continue;
      const gone = replace(declaration, "");
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
