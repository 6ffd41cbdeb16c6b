/** Items by their place in a list or a text: which is meant, whether there is one, and what is asked beside it. */

import type { Facts } from "../syntax/facts.ts";
import type { Node } from "../syntax/grammar.ts";
import type { CompiledTables } from "../tables.ts";
import { type Edit, replace, speaksOf } from "./edit.ts";
import { conditionsOf } from "./statements.ts";

/** `list[at]`, `list.get(at)`, `text.charAt(at)`. */
interface Access {
  list: Node;
  at: Node;
}

function accessOf(facts: Facts, node: Node): Access | null {
  const isCall = facts.is(node, "call");
  const list = isCall ? facts.receiver(node) : facts.is(node, "index") ? (node.namedChildren.at(0) ?? null) : null;
  const [only, more] = isCall ? facts.argumentsOf(node) : [innerOf(facts, node)];
  if (!list || !only || more || !facts.is(list, "name") || !facts.isNumber(facts.kind(only))) return null;
  const kind = facts.kind(list);
  return kind === "str" || facts.itemOf(kind) !== "" ? { list, at: only } : null;
}

/** What stands between the brackets. */
function innerOf(facts: Facts, node: Node): Node | undefined {
  const inside = node.namedChildren.at(-1) ?? undefined;
  const isPlain = !inside || facts.is(inside, "number", "name", "binary", "call", "cast", "parentheses");
  return isPlain ? inside : (inside.namedChildren.at(0) ?? undefined);
}

const PLACE = /^(?:num|int|usize|i32|i64|u32|u64|size_t|long)$/;

/** Another place: that of a name, the one before it and the one behind. */
export function* places(facts: Facts): Iterable<Edit> {
  for (const node of facts.nodes) {
    const found = accessOf(facts, node);
    if (!found || facts.is(found.at, "cast")) continue;
    const own = facts.kind(found.at);
    for (const { name, kind, type } of facts.namesAt(node.startIndex)) {
      if (!PLACE.test(kind) || /\b(?:char|double|float)\b/i.test(type) || (own !== "num" && kind !== own)) continue;
      const far = facts.is(found.at, "number") ? 0 : 0.5;
      for (const [at, text] of [name, `${name} - 1`, `${name} + 1`].entries())
        if (text.replaceAll(" ", "") !== found.at.text.replaceAll(" ", ""))
          yield { operator: "place", changes: [replace(found.at, text)], extra: far + (at === 0 ? 0.2 : 0) };
      const distance = facts.is(found.at, "binary") ? found.at.childForFieldName("right") : null;
      if (distance && facts.is(distance, "number") && !speaksOf(found.at.text, name))
        yield { operator: "place", changes: [replace(distance, name)], extra: 0 };
    }
  }
}

/** Conditions that ask an item whether there is one, before that; and what is asked of an item of the one beside it. */
export function* bounds(facts: Facts, { bounds: tests, and }: CompiledTables): Iterable<Edit> {
  for (const condition of conditionsOf(facts)) {
    const isOr = facts.is(condition, "binary") && facts.operator(condition)?.text === "||";
    const asked = isOr ? `(${condition.text})` : condition.text;
    const found = accessesIn(facts, condition);
    for (const one of found)
      for (const [extra, bound] of boundsOf(facts, one, tests))
        if (!condition.text.includes(bound))
          yield { operator: "bounds", changes: [replace(condition, `${bound} ${and} ${asked}`)], extra };
    const [only, more] = found;
    if (only && !more) yield* beside(facts, { condition, found: only, tests, and });
  }
}

/** Each once that reads alike. */
function accessesIn(facts: Facts, condition: Node): Access[] {
  const found = new Map<string, Access>();
  for (const node of [condition, ...condition.descendantsOfType(facts.kindsOf("index", "call"))]) {
    const one = node && accessOf(facts, node);
    if (one) found.set(`${one.list.text} ${one.at.text}`, one);
  }
  return [...found.values()];
}

/** That a place is in its list, by what it may be before or behind. */
function boundsOf(facts: Facts, { list, at }: Access, tests: CompiledTables["bounds"]): [number, string][] {
  const [template] = facts.rowsFor(tests, facts.kind(list));
  const behind = template ? [template.replaceAll("{_}", list.text).replaceAll("{at}", at.text)] : [];
  const [, name] = /^(\w+)\s*-\s*1$/.exec(at.text) ?? [];
  const before = name ? `${name} > 0` : `${at.text} >= 0`;
  return name
    ? [[0, before]]
    : [...behind.map((one): [number, string] => [0, one]), [facts.mayBeNegative(at) ? 0.3 : 2, before]];
}

interface Beside {
  condition: Node;
  found: Access;
  tests: CompiledTables["bounds"];
  and: string;
}

/** What is asked of the item at `i` is asked of the one before or behind it, too: where there is one. */
function* beside(facts: Facts, { condition, found: { list, at }, tests, and }: Beside): Iterable<Edit> {
  if (!facts.is(at, "name")) return;
  const [template] = facts.rowsFor(tests, facts.kind(list));
  const other = (place: string) => {
    const item = facts.program.slice(list.startIndex, at.startIndex);
    return condition.text.replaceAll(`${item}${at.text}`, () => `${item}${place}`);
  };
  const sides: [string, string][] = [[`${at.text} > 0`, `${at.text} - 1`]];
  if (template)
    sides.push([template.replaceAll("{_}", list.text).replaceAll("{at}", `${at.text} + 1`), `${at.text} + 1`]);
  for (const [bound, place] of sides)
    if (other(place) !== condition.text && !condition.text.includes(bound))
      yield {
        operator: "bounds",
        changes: [replace(condition, `${condition.text} ${and} ${bound} ${and} ${other(place)}`)],
        extra: 1,
      };
}
