/** The signature of a Go function, and the stub that stands for it in the judge. */

import { blanked } from "../tokens.ts";
import { importClauses, neededImports, withoutClauses } from "./imports.ts";
import { scan, type Token } from "./scan.ts";
import { type Declaration, findFunction, type Import, unitOf } from "./unit.ts";

/** What a stub may take over of a type: names and brackets. Nothing that runs. */
const TYPE = /^[\p{L}\p{Nd}_\s*.,;[\](){}<-]*$/u;

export interface Signature {
  name: string;
  /** `[T any]`; empty for none. */
  generics: string;
  parameters: string[];
  results: string[];
}

/** Null where it has parameters of types, or holds more than names of types. @param code source in which it stands */
export function signatureOf(code: string, declaration: Declaration): Signature | null {
  const found = anySignatureOf(code, declaration);
  return found?.generics === "" ? found : null;
}

/** The same with parameters of types. */
export function anySignatureOf(code: string, { names, start, parameters, body, end }: Declaration): Signature | null {
  const [generics = ""] = /\[.*/s.exec(code.slice(start, parameters)) ?? [];
  const head = code.slice(parameters, body === null ? end : body - 1);
  const { tokens } = scan(head);
  const close = tokens.findIndex(({ depth, text }, at) => at > 0 && depth === 0 && text === ")");
  if (close === -1) return null;
  const given = typesIn(head, tokens.slice(1, close));
  const behind = tokens.slice(close + 1);
  const isList = behind[0]?.text === "(" && behind.at(-1)?.text === ")";
  const results = isList
    ? typesIn(head, behind.slice(1, -1))
    : textOf(head, behind) === ""
      ? []
      : [textOf(head, behind)];
  const types = [...given, ...results];
  return types.every((type) => TYPE.test(type)) ? { name: names[0] ?? "", generics, parameters: given, results } : null;
}

const textOf = (head: string, tokens: readonly Token[]): string =>
  head.slice(tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0);

/** One type for each parameter or result of a list, whose names are left out: `a, b int, c ...string`. */
function typesIn(head: string, tokens: readonly Token[]): string[] {
  const depth = tokens[0]?.depth;
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (token.text === "," && token.depth === depth) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  const there = parts.filter((part) => part.length > 0);
  if (!there.some(isNamed)) return there.map((part) => textOf(head, part));
  let type = "";
  return there
    .toReversed()
    .map((part) => {
      if (isNamed(part)) type = textOf(head, part.slice(1));
      return type;
    })
    .toReversed();
}

/** A name, then a type: `n int`, `a []int`; not `pkg.Type`, `func(int)`, `List[int]`. */
function isNamed([first, second, third]: readonly Token[]): boolean {
  if (first?.kind !== "word" || second === undefined || second.text === ".") return false;
  if (/^(?:func|map|chan|struct|interface)$/.test(first.text)) return false;
  return second.text !== "[" || third?.text === "]" || third?.kind === "number";
}

/**
 * The function under test as its tests see it: it asks the program's process.
 * @param code the task's declaration, up to the function's `{` or whole, or an untrusted program
 * @param packageName of the tests
 * @returns null where it has no such function, or one whose signature holds more than names of types
 */
export function stubOf(code: string, entryPoint: string, packageName: string): string | null {
  const unit = unitOf(code);
  const found = findFunction(unit, entryPoint);
  const signature = found ? signatureOf(code, found) : null;
  if (!signature) return null;
  const { name, parameters, results } = signature;
  const list = parameters.map((type, i) => `p${i} ${type}`).join(", ");
  const given = parameters.map((_, i) => `&p${i}`).join(", ");
  const back = results.map((type, i) => `r${i} ${type}`).join(", ");
  const taken = results.map((_, i) => `&r${i}`).join(", ");
  const body = [
    `func ${name}(${list}) (${back}) {`,
    `\tmend_judge.Call([]interface{}{${given}}, []interface{}{${taken}})`,
    "\treturn",
    "}",
  ].join("\n");
  const imports = neededImports(body, unit.imports).filter(({ path }) => path !== JUDGE.path);
  return `package ${packageName}; ${importClauses([JUDGE, ...imports])}\n${body}\n`;
}

const JUDGE: Import = { path: "mend/judge", alias: "mend_judge" };

/** The other declarations of the task's declaration, as a file of the tests; they may use them. */
export function helpersOf(declaration: string, entryPoint: string, packageName: string): string {
  const unit = unitOf(declaration);
  const found = findFunction(unit, entryPoint);
  const rest = found ? blanked(declaration, [found]) : declaration;
  const imports = neededImports(rest);
  return `package ${packageName}; ${importClauses(imports)}${withoutClauses(rest, unitOf(rest))}\n`;
}
