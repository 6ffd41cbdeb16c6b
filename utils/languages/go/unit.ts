/** What stands at the top level of Go source: the package's name, imports and declarations, found by brackets. */

import { BracketReader, functionsBy, type Item } from "../items.ts";
import type { Span } from "../tokens.ts";
import { scan, type Token } from "./scan.ts";

export interface Import {
  path: string;
  /** The name that the source gives it; `.` and `_` are such names. Null where it has its own. */
  alias: string | null;
}

/** Its name is the first of a group. */
export interface Declaration extends Item {
  kind: "func" | "type" | "var" | "const" | "other";
  /** What it declares: one name of a function or a method (without its receiver), several of a group. */
  names: string[];
  /** The type of a method, as far as it has a name; null for a function. */
  receiver: string | null;
  /** Offset of the parameters' `(`, of a function. */
  parameters: number;
  /** Nothing stands in it that counts. */
  items: [];
}

export interface Unit {
  /** `package` and `import` clauses. */
  clauses: Span[];
  packageName: string | null;
  imports: Import[];
  declarations: Declaration[];
}

const KINDS = ["func", "type", "var", "const"] as const;

/** Reads a whole file, or what may be one. */
export function unitOf(code: string): Unit {
  const { tokens } = scan(code);
  const unit: Unit = { clauses: [], packageName: null, imports: [], declarations: [] };
  // Each ends with its line, or with a `;`.
  const ends = (_: number, at: number) => tokens[at]?.endsLine === true || tokens[at]?.text === ";";
  const reader = new BracketReader(tokens);
  for (const [from, to] of reader.pieces(0, tokens.length, 0, ends)) {
    const item = tokens.slice(from, to);
    const [first, second] = item;
    const span = reader.span(from, to);
    if (first?.text === "package") {
      unit.clauses.push(span);
      unit.packageName = second?.text ?? null;
    } else if (first?.text === "import") {
      unit.clauses.push(span);
      unit.imports.push(...importsIn(item));
    } else if (first?.text !== ";") unit.declarations.push(declarationOf(item, span));
  }
  return unit;
}

function importsIn(item: readonly Token[]): Import[] {
  return item.flatMap(({ kind, text }, at) => {
    if (kind !== "string") return [];
    const before = item[at - 1];
    const isAlias = before && !before.endsLine && (before.text === "." || before.kind === "word") && at > 1;
    return [{ path: text.slice(1, -1), alias: isAlias ? before.text : null }];
  });
}

function declarationOf(item: readonly Token[], span: Span): Declaration {
  const kind = KINDS.find((one) => one === item[0]?.text) ?? "other";
  const declared = (names: string[], more: Partial<Declaration> = {}): Declaration => ({
    ...{ ...span, kind, name: names[0] ?? "", names, receiver: null, body: null, parameters: 0, items: [] },
    ...more,
  });
  if (kind === "other") return declared([]);
  if (kind === "type") return declared(namesIn(item), { body: item.find(({ text }) => text === "{")?.end ?? null });
  if (kind !== "func") return declared(namesIn(item));
  const hasReceiver = item[1]?.text === "(";
  const at = hasReceiver ? item.findIndex(({ depth, text }, i) => i > 1 && depth === 0 && text === ")") + 1 : 1;
  const opens = item.findIndex(({ depth, text }, i) => i > at && depth === 0 && text === "(");
  const name = item[at];
  if (name?.kind !== "word" || opens === -1) return declared([], { kind: "other" });
  return declared([name.text], {
    receiver: hasReceiver ? typeOf(item.slice(2, at - 1)) : null,
    body: bodyOf(item, opens)?.end ?? null,
    parameters: item[opens]?.start ?? 0,
  });
}

/** Of a receiver: `Shelf` of `s *Shelf[T]`. */
function typeOf(receiver: readonly Token[]): string {
  const words = receiver.filter(({ kind, depth }) => kind === "word" && depth === 1).map(({ text }) => text);
  return words[1] ?? words[0] ?? "";
}

/** The `{` of a function's body, behind its results: those of `struct{}` and `interface{}` among them are none. */
function bodyOf(item: readonly Token[], opens: number): Token | undefined {
  return item.find(
    ({ depth, text }, at) =>
      at > opens && depth === 0 && text === "{" && !/^(?:struct|interface)$/.test(item[at - 1]?.text ?? ""),
  );
}

/** Of `var a, b = ...` and of each line of a group. */
function namesIn(item: readonly Token[]): string[] {
  const inGroup = item[1]?.text === "(";
  const found: string[] = [];
  let [isFirst, isBehind] = [true, false];
  for (const token of item.slice(inGroup ? 2 : 1)) {
    if (token.depth !== (inGroup ? 1 : 0)) continue;
    const isName = isFirst && token.kind === "word";
    if (isName) found.push(token.text);
    isFirst = token.endsLine || token.text === ";" || (isBehind && token.text === ",");
    isBehind = isName;
  }
  return found;
}

interface Declared {
  declarations: readonly Declaration[];
}

/** The function `name`, which is no method; of several the last. */
export const findFunction = (unit: Declared, name: string): Declaration | undefined =>
  unit.declarations.findLast(
    (one) => one.kind === "func" && one.receiver === null && one.name === name && one.body !== null,
  );

/** The function `name`, or where there is none the method of that name; of several the last. */
export const findCallable = (unit: Declared, name: string): Declaration | undefined =>
  findFunction(unit, name) ??
  unit.declarations.findLast((one) => one.receiver !== null && one.name === name && one.body !== null);

/** Functions, and methods by their types: `Shelf.Put`. */
export const { partsAround, functions } = functionsBy<Declaration>({
  itemsOf: (text) => unitOf(text).declarations,
  isFunction: ({ kind }) => kind === "func",
  find: (declarations, name) =>
    findCallable({ declarations }, name) ??
    declarations.findLast(({ kind, names }) => kind === "type" && names.includes(name)),
  nameOf: ({ name, receiver }) => (receiver === null ? name : `${receiver}.${name}`),
});

const TEST_NAME = /^Test(?:$|[^\p{Ll}])/u;

/** Names of the tests of a file. */
export const testsIn = ({ declarations }: Unit): string[] =>
  declarations.flatMap(({ kind, receiver, name }) =>
    kind === "func" && receiver === null && TEST_NAME.test(name) ? [name] : [],
  );
