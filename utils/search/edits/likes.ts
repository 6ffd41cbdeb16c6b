/** Copies an `if` with other numbers and texts: the case that a chain of them lacks. */

import type { Facts } from "../syntax/facts.ts";
import type { Node } from "../syntax/grammar.ts";
import type { Edit } from "./edit.ts";
import type { Told } from "./told.ts";

const MOST_CHARS = 120;
const MOST_LITERALS = 3;
/** Of one `if`, at one place. */
const MOST_MADE = 16;

/** Before and after each `if` with a few literals, a copy with literals of the instruction in their places. */
export function* likes(facts: Facts, told: Told): Iterable<Edit> {
  for (const node of facts.nodes.filter((one) => facts.is(one, "if"))) {
    const statement = facts.is(node.parent, "wrapper") && node.parent ? node.parent : node;
    const isAlone = facts.is(statement.parent, "block") && node.childForFieldName("alternative") === null;
    if (!isAlone || statement.text.length > MOST_CHARS) continue;
    const indent = facts.indentAt(statement.startIndex);
    for (const copy of copiesOf(facts, statement, told)) {
      // The last case of a chain is missing more often than one in between.
      const next = statement.nextNamedSibling;
      const isBetween = next !== null && facts.is(facts.core(next), "if");
      yield like(statement.endIndex, `\n${indent}${copy}`, isBetween ? 0.3 : 0);
      yield like(statement.startIndex, `${copy}\n${indent}`, 0.4);
    }
  }
}

const like = (at: number, text: string, extra: number): Edit => ({
  operator: "like_statement",
  changes: [{ start: at, end: at, text }],
  extra,
});

/** Copies in which all numbers and texts become ones that the function does not have. */
function copiesOf(facts: Facts, statement: Node, told: Told): string[] {
  const literals = facts.nodes.filter(
    (one) =>
      facts.is(one, "number", "text") && statement.startIndex <= one.startIndex && one.endIndex <= statement.endIndex,
  );
  if (literals.length === 0 || literals.length > MOST_LITERALS) return [];
  const written = new Set(facts.nodes.filter((one) => facts.is(one, "number", "text")).map(({ text }) => text));
  const others = literals.map((one) => {
    const known = facts.is(one, "number") ? told.numbers : told.texts.map((text) => JSON.stringify(text));
    return known.filter((text) => !written.has(text));
  });
  let made = [statement.text];
  // The last first, so that the places of those before it stay.
  for (const [at, { startIndex, endIndex }] of [...literals.entries()].toReversed()) {
    const [start, end] = [startIndex - statement.startIndex, endIndex - statement.startIndex];
    made = made.flatMap((text) => (others[at] ?? []).map((other) => text.slice(0, start) + other + text.slice(end)));
    made = made.slice(0, MOST_MADE);
  }
  return made;
}
