/** Replaces a field, method or function by a similar one of the program: those are easily confused. */

import type { Facts } from "../syntax/facts.ts";
import type { Node } from "../syntax/grammar.ts";
import type { CompiledTables } from "../tables.ts";
import { Cheapest, type Edit, replace } from "./edit.ts";

/** Extra cost of a member seen on another value only: the value may not have it. */
const OF_OTHERS = 0.5;
const OF_LIKE_KIND = 0.3;

export function* members(facts: Facts, node: Node, { siblings }: CompiledTables): Iterable<Edit> {
  yield* otherValues(facts, node);
  if (facts.is(node, "call")) yield* otherCalls(facts, node);
  else if (facts.is(node, "field") && !facts.isCalled(node)) yield* otherFields(facts, node, siblings);
}

/** `State.OPEN` in place of `State.CLOSED`. */
function* otherValues(facts: Facts, node: Node): Iterable<Edit> {
  const [, type, own] = /^(\w+)(?:\.|::)(\w+)$/.exec(node.text) ?? [];
  if (type === undefined || own === undefined || !facts.valuesOf(type).includes(own)) return;
  const place = { startIndex: node.endIndex - own.length, endIndex: node.endIndex };
  for (const other of facts.valuesOf(type))
    if (other !== own) yield { operator: "attribute", changes: [replace(place, other)], extra: 0 };
}

function* otherFields(facts: Facts, node: Node, siblings: CompiledTables["siblings"]): Iterable<Edit> {
  const field = facts.member(node);
  if (!field) return;
  for (const [name, extra] of fieldsLike(facts, node, siblings))
    yield { operator: "attribute", changes: [replace(field, name)], extra };
}

/** Other fields that a value may have, each with its extra cost. */
export function fieldsLike(
  facts: Facts,
  node: Node,
  siblings: CompiledTables["siblings"] = [],
): (readonly [name: string, extra: number])[] {
  const [value, field] = [facts.object(node), facts.member(node)];
  if (!value || !field) return [];
  const declared = facts.fieldsOf(facts.typeNameOf(value));
  const own = declared.find(({ name }) => name === field.text);
  const others = new Cheapest();
  for (const group of siblings) if (group.includes(field.text)) for (const one of group) others.add(one, 0);
  if (own)
    for (const { name, type } of declared) {
      if (type === own.type) others.add(name, 0);
      else if (facts.isLike(facts.kindOfType(type), facts.kindOfType(own.type))) others.add(name, OF_LIKE_KIND);
    }
  else
    for (const { receiver, name, given } of facts.uses)
      if (given === null) others.add(name, receiver === value.text ? 0 : OF_OTHERS);
  return others.all.filter(([name]) => name !== field.text);
}

function* otherCalls(facts: Facts, node: Node): Iterable<Edit> {
  const called = facts.called(node);
  if (!called || facts.is(node, "macro")) return;
  const [receiver, given] = [facts.receiver(node), facts.argumentsOf(node).length];
  const others = new Cheapest();
  const own = facts.callables.filter(({ name, parameters }) => name === called.text && parameters === given);
  for (const one of own)
    for (const { name, owner, parameters, result } of facts.callables)
      if (owner === one.owner && parameters === given && result === one.result) others.add(name, 0);
  if (receiver)
    for (const use of facts.uses)
      if (use.receiver === receiver.text && use.given === given)
        others.add(use.name, own.length > 0 ? OF_LIKE_KIND : 0);
  for (const [name, extra] of others.all)
    if (name !== called.text) yield { operator: "function", changes: [replace(called, name)], extra };
}
