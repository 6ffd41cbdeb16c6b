/** What stands at the top level of Go source: the package's name, imports and declarations, found by brackets. */

import type { Span } from "../tokens.ts";
import { scan, type Token } from "./scan.ts";

export interface Import {
  path: string;
  /** The name that the source gives it; `.` and `_` are such names. Null where it has its own. */
  alias: string | null;
}

export interface Declaration extends Span {
  kind: "func" | "type" | "var" | "const" | "other";
  /** What it declares: one name of a function or a method (without its receiver), several of a group. */
  names: string[];
  /** True for a method. */
  hasReceiver: boolean;
  /** Offset behind the `{` of a function's body; null where it has none. */
  body: number | null;
  /** Offset of the parameters' `(`, of a function. */
  parameters: number;
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
  for (const item of itemsOf(tokens)) {
    const [first, second] = item;
    const span = { start: first?.start ?? 0, end: item.at(-1)?.end ?? 0 };
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

/** The pieces at the top level: each ends with its line, or with a `;`. */
function* itemsOf(tokens: readonly Token[]): Generator<Token[]> {
  let start = 0;
  for (const [at, token] of tokens.entries()) {
    if (token.depth > 0 || (!token.endsLine && token.text !== ";")) continue;
    // `}` of a function that is written on the line of the next one.
    yield tokens.slice(start, at + 1);
    start = at + 1;
  }
  if (start < tokens.length) yield tokens.slice(start);
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
  const other: Declaration = { ...span, kind, names: [], hasReceiver: false, body: null, parameters: 0 };
  if (kind === "other") return other;
  if (kind !== "func") return { ...other, names: namesIn(item) };
  const hasReceiver = item[1]?.text === "(";
  const at = hasReceiver ? item.findIndex(({ depth, text }, i) => i > 1 && depth === 0 && text === ")") + 1 : 1;
  const opens = item.findIndex(({ depth, text }, i) => i > at && depth === 0 && text === "(");
  const name = item[at];
  if (name?.kind !== "word" || opens === -1) return { ...other, kind: "other" };
  const body = bodyOf(item, opens);
  return {
    ...other,
    names: [name.text],
    hasReceiver,
    body: body?.end ?? null,
    parameters: item[opens]?.start ?? 0,
  };
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

/** The function `name`, which is no method; of several the last. */
export const findFunction = (unit: Unit, name: string): Declaration | undefined =>
  unit.declarations.findLast(
    (one) => one.kind === "func" && !one.hasReceiver && one.names[0] === name && one.body !== null,
  );

/** The function `name`, or where there is none the method of that name; of several the last. */
export const findCallable = (unit: Unit, name: string): Declaration | undefined =>
  findFunction(unit, name) ??
  unit.declarations.findLast((one) => one.hasReceiver && one.names[0] === name && one.body !== null);

const TEST_NAME = /^Test(?:$|[^\p{Ll}])/u;

/** Names of the tests of a file. */
export const testsIn = ({ declarations }: Unit): string[] =>
  declarations.flatMap(({ kind, hasReceiver, names: [name = ""] }) =>
    kind === "func" && !hasReceiver && TEST_NAME.test(name) ? [name] : [],
  );
