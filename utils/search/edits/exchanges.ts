/** Values given to each other's names: `row = at.x; column = at.y` and `{ x: top, y: left }`. */

import type { Facts } from "../syntax/facts.ts";
import type { Node } from "../syntax/grammar.ts";
import { type Edit, replace } from "./edit.ts";

const MOST_CHARS = 60;
/** Values in between, and one more. */
const MOST_APART = 4;

/** Both of two values that are built alike and stand in one block or literal. */
export function* exchanges(facts: Facts): Iterable<Edit> {
  const given = facts.nodes.flatMap((node) => givenBy(facts, node));
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

interface Given {
  value: Node;
  type: string;
  /** The block or the literal. */
  within: number;
}

function givenBy(facts: Facts, node: Node): Given[] {
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
