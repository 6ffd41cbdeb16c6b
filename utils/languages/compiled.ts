/** What compiled languages have in common. */

import { randomBytes } from "node:crypto";
import type { Language, ProgramParts } from "./language.ts";
import type { RunConfined, SyntaxProblem } from "./source_files.ts";
import { isWhole, type Scan, type Token } from "./tokens.ts";

/** Of a language's row: what its scanner says, and that tests are compiled apart from the program. */
export const compiledBy = (scan: (text: string) => Scan<Token<string>>) =>
  ({
    judgedIn: ["isolated", "in_process"],
    stopStatement: "",
    // What stands beside the function and its signature: what the judge makes a stub of.
    testHelpers: (declaration) => declaration,
    linesInText: (code) => scan(code).insideText,
    isWhole: (code) => isWhole(scan(code)),
    isSound: (code) => scan(code).sound,
  }) satisfies Partial<Language>;

/** Of a file, for those that a program must not find where it is compiled beside its tests. */
export const unknownName = (): string => randomBytes(8).toString("hex");

/** @param found the function in the program */
export const lacking = (entryPoint: string, found: object | null): string | undefined =>
  found ? undefined : `the program does not define a function \`${entryPoint}\``;

/** Why nothing can be judged. @param lacks what its definition should have */
export const noStub = (entryPoint: string, lacks = "a signature of plain types", kind = "function"): string =>
  `no ${kind} \`${entryPoint}\` with ${lacks} stands in the declaration or the program`;

/**
 * A file around what stands from `body` to `end`; null where there is no such thing, or it has no body. The declaration
 * ends with the line of its `{`.
 */
export function partsAt(
  source: string,
  found: { body: number | null; end: number } | null | undefined,
): ProgramParts | null {
  if (!found || found.body === null) return null;
  const { body, end } = found;
  const lineEnd = source.indexOf("\n", body);
  const from = lineEnd !== -1 && source.slice(body, lineEnd).trim() === "" ? lineEnd + 1 : body;
  const to = source.charAt(end) === "\n" ? end + 1 : end;
  return { declaration: source.slice(0, from), body: source.slice(from, to), epilogue: source.slice(to) };
}

/**
 * Why a file does not parse. A single file may not compile without the others, so only brackets and quotes are checked.
 */
export const syntaxProblemBy =
  (scan: (text: string) => Scan<Token<string>>) =>
  async (_: string, text: string, run: RunConfined): Promise<SyntaxProblem | null> => {
    if (isWhole(scan(text))) return null;
    const { status, explanation, line } = await run({ code: text, timeoutMs: 10_000 });
    const told =
      status === "syntax_error" ? explanation.replace(/^line \d+: /, "") : "a bracket or a quote is not closed";
    return { line: line ?? text.split("\n").length, message: told };
  };
