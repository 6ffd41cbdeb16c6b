/** A parameter that the function never reads was meant somewhere: in place of a value, or as one more condition. */

import type { Facts, Name } from "../syntax/facts.ts";
import type { Node } from "../syntax/grammar.ts";
import type { CompiledTables } from "../tables.ts";
import { type Edit, replace } from "./edit.ts";
import { conditionsOf } from "./statements.ts";

export function* unread(facts: Facts, { and, convert }: CompiledTables): Iterable<Edit> {
  for (const parameter of unreadOf(facts)) {
    for (const node of facts.nodes) {
      const text = valueFor(facts, node, parameter, convert);
      if (text === null) continue;
      const shown = facts.is(node.parent, "range") ? text : facts.inPlace(text, node);
      yield { operator: "unread", changes: [replace(node, shown)], extra: rarity(facts, node) };
    }
    if (parameter.kind !== "bool") continue;
    for (const condition of conditionsOf(facts))
      for (const [at, asked] of [parameter.name, `!${parameter.name}`].entries())
        yield {
          operator: "unread",
          changes: [replace(condition, `${asked} ${and} (${condition.text})`)],
          extra: 0.3 + at * 0.2,
        };
  }
}

function unreadOf(facts: Facts): Name[] {
  const { body, function: whole } = facts;
  const used = new Set(body.descendantsOfType("identifier").map((one) => one?.text));
  return facts.names.filter(
    ({ name, from }) => whole.startIndex < from && from <= body.startIndex && !used.has(name) && !/^_/.test(name),
  );
}

/** The parameter as what stands at a node; null where it cannot stand there. */
function valueFor(facts: Facts, node: Node, { name, kind }: Name, convert = ""): string | null {
  if (!facts.isExpression(node) || facts.isWritten(node) || facts.is(node, "parentheses")) return null;
  if (facts.is(node.parent, "update", "field") || facts.is(node, "truth")) return null;
  const own = facts.kind(node);
  if (own === "" || kind === "") return null;
  if (facts.fits(kind, own)) return name;
  const isBothNumbers = facts.isNumber(kind) && facts.isNumber(own);
  return isBothNumbers && convert !== "" ? convert.replace("{_}", name).replace("{kind}", own) : null;
}

/** Bounds are meant first. */
const rarity = (facts: Facts, node: Node): number =>
  facts.is(node.parent, "range") || (facts.is(node.parent, "binary") && !facts.is(node, "number")) ? 0 : 0.3;
