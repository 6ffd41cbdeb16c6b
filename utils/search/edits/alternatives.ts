/** What is done where a condition does not hold: an `else` put in, taken away, or asked a condition of its own. */

import type { Facts } from "../syntax/facts.ts";
import type { Node } from "../syntax/grammar.ts";
import type { CompiledTables } from "../tables.ts";
import { Cheapest, type Edit, replace, speaksOf } from "./edit.ts";
import { askedOf, conditionsOf, laidOut, partsOf, statementsOf } from "./statements.ts";

/** Statements of one new `else`, and conditions of one that is there. */
const MOST_STATEMENTS = 12;
const MOST_CONDITIONS = 16;
const MOST_COPIED = 60;

const edit = (operator: string, start: number, end: number, text: string, extra: number): Edit => ({
  operator,
  changes: [{ start, end, text }],
  extra,
});

/** An `if` with its branches; `word` is where its `else` begins. */
interface Branch {
  node: Node;
  then: Node;
  otherwise: { word: number; body: Node } | null;
  /** Whether its end is that of a statement, so that something can stand behind it. */
  isWhole: boolean;
}

function branchesIn(facts: Facts): Branch[] {
  return facts.nodes
    .filter((one) => facts.is(one, "if"))
    .flatMap((node): Branch[] => {
      const then = node.childForFieldName("consequence");
      if (!then) return [];
      const found = node.childForFieldName("alternative");
      const body = facts.is(found, "else") ? (found?.namedChildren.at(-1) ?? null) : found;
      const word = facts.isIndented ? (found?.startIndex ?? -1) : facts.program.indexOf("else", then.endIndex);
      const isWhole = facts.is(around(facts, node), "statement") && facts.is(around(facts, node).parent, "block");
      return [{ node, then, otherwise: body && found ? { word, body } : null, isWhole }];
    });
}

const around = (facts: Facts, node: Node): Node =>
  node.parent && facts.is(node.parent, "wrapper") ? node.parent : node;

/** Edits of each `if`: see `opened`, `joined`, `parted` and `asked`. */
export function* alternatives(facts: Facts, tables: CompiledTables): Iterable<Edit> {
  for (const one of branchesIn(facts)) {
    if (one.otherwise === null) {
      if (!isLeft(facts, one.then)) {
        yield* opened(facts, tables, one);
        yield* joined(facts, one);
      }
    } else {
      yield* parted(facts, one, one.otherwise);
      yield* asked(facts, tables, one.otherwise);
    }
  }
}

/** Whether nothing behind a branch runs after it. */
function isLeft(facts: Facts, branch: Node): boolean {
  const last = statementsIn(facts, branch).at(-1);
  return last !== undefined && facts.is(facts.core(last), "return", "jump");
}

/** Statements of a block in their order, or the one that stands without. */
function statementsIn(facts: Facts, branch: Node): Node[] {
  if (!facts.is(branch, "block")) return [branch];
  return branch.namedChildren.flatMap((one) =>
    facts.is(one, "block") && !facts.is(one, "statement") ? statementsIn(facts, one) : [one],
  );
}

/** `else` with the opposite of what is done before it, what else is done to the same names, or a statement more. */
function* opened(facts: Facts, tables: CompiledTables, { node, then }: Branch): Iterable<Edit> {
  const found = new Cheapest();
  const done = statementsIn(facts, then);
  for (const one of done)
    if (one.text.length <= MOST_COPIED) for (const text of opposites(one, tables)) found.add(text, 0.2);
  const names = facts.namesAt(node.endIndex);
  for (const { name, kind } of names) {
    if (!done.some(({ text }) => isGiven(text, name))) continue;
    for (const [at, template] of facts.rowsFor(tables.insert, kind).entries())
      if (isGiven(template, "{_}")) found.add(template.replaceAll("{_}", name), 0.3 + at * 0.1);
  }
  for (const one of statementsOf(facts)) {
    const isPlain = !facts.is(one, "declaration", "block") && !facts.is(facts.core(one), "if", "loop");
    if (isPlain && one.text.length <= MOST_COPIED && facts.canStand(one, node.endIndex)) found.add(one.text, 0.5);
  }
  const known = new Set(done.map(({ text }) => text));
  for (const [text, extra] of found.first(MOST_STATEMENTS))
    if (!known.has(text)) yield edit("else", node.endIndex, node.endIndex, elseOf(facts, node, text), extra);
}

const elseOf = (facts: Facts, node: Node, statement: string): string =>
  laidOut(facts, node.startIndex, facts.isIndented ? "\nelse:\n\t{_}" : " else {\n\t{_}\n}").replace(
    "{_}",
    () => statement,
  );

const escaped = (name: string) => name.replace(/[{}]/g, "\\$&");

/** Whether a text gives a name another value. */
const isGiven = (text: string, name: string) =>
  new RegExp(`(?<![\\w.])${escaped(name)}\\s*(?:[-+*/%|&^]?=(?!=)|\\+\\+|--)`).test(text);

const OPPOSITE: readonly (readonly [string, string])[] = [
  ["+=", "-="],
  ["*=", "/="],
  ["++", "--"],
  ["true", "false"],
  ["min", "max"],
];

/** A statement with one sign turned round: of `x += 1` it is `x -= 1`. */
function* opposites({ text }: Node, { symbols }: CompiledTables): Iterable<string> {
  for (const [one, other] of OPPOSITE.flatMap((pair) => [pair, pair.toReversed()])) {
    if (one === undefined || other === undefined || !text.includes(one)) continue;
    if (one in symbols || /\w/.test(one)) yield text.replace(one, () => other);
  }
}

/** What stands behind becomes the `else`; an `if` that does becomes `else if`. */
function* joined(facts: Facts, { node, isWhole }: Branch): Iterable<Edit> {
  const next = around(facts, node).nextNamedSibling;
  if (!isWhole || !next || !facts.is(next, "statement") || facts.is(next, "declaration", "block")) return;
  const core = facts.core(next);
  if (facts.is(core, "if")) {
    const word = facts.isIndented ? `\n${facts.indentAt(node.startIndex)}el` : " else ";
    yield edit("else", node.endIndex, next.startIndex, word, 0);
  } else if (!facts.is(core, "return")) {
    const inside = next.text.replaceAll("\n", `\n${facts.indentUnit}`);
    yield edit("else", node.endIndex, next.endIndex, elseOf(facts, node, inside), 0.3);
  }
}

/** `else` goes and what it holds stays: it is done in any case. */
function* parted(facts: Facts, { node, then, isWhole }: Branch, { word, body }: { word: number; body: Node }) {
  if (!isWhole || isLeft(facts, then)) return;
  const indent = facts.indentAt(node.startIndex);
  const held = statementsIn(facts, body);
  const [first, last] = [held[0], held.at(-1)];
  if (facts.is(body, "clause")) yield edit("else", body.startIndex, body.startIndex + 2, "", 0);
  else if (facts.is(body, "if")) yield edit("else", then.endIndex, body.startIndex, `\n${indent}`, 0);
  else if (first && last && word >= then.endIndex) {
    const text = facts.program.slice(first.startIndex, last.endIndex).replaceAll(`\n${facts.indentUnit}`, "\n");
    yield edit("else", then.endIndex, body.endIndex, `\n${indent}${text}`, 0.3);
  }
}

/** `else` becomes `else if`, by what is asked of its names or elsewhere in the function. */
function* asked(facts: Facts, tables: CompiledTables, { word, body }: { word: number; body: Node }): Iterable<Edit> {
  if (facts.is(body, "if")) return;
  const found = new Cheapest();
  for (const one of facts.namesAt(body.startIndex)) {
    const isFlag = one.kind === "bool";
    const isRead = speaksOf(body.text, one.name);
    if (!isFlag && !isRead) continue;
    for (const [at, text] of askedOf(facts, tables, one, body.startIndex).entries())
      found.add(text, (isFlag && isRead ? 0 : 0.3) + at * 0.1);
  }
  for (const one of conditionsOf(facts).flatMap((whole) => [whole, ...partsOf(facts, whole)]))
    if (one.text.length <= MOST_COPIED && facts.canStand(one, body.startIndex)) found.add(one.text, 0.4);
  const [head = ""] = tables.guarded.split("{statement}");
  const isBare = !/\{\s*$/.test(head);
  for (const [condition, extra] of found.first(MOST_CONDITIONS)) {
    if (facts.isIndented) {
      yield edit("else", word, word + "else".length, `elif ${condition}`, extra);
      continue;
    }
    const shown = `${head.replace("{condition}", () => condition).replace(/\{\s*$/, "")}`.trimEnd();
    yield {
      operator: "else",
      changes: [replace(body, `${shown} ${isBare || facts.is(body, "block") ? body.text : `{ ${body.text} }`}`)],
      extra,
    };
  }
}
