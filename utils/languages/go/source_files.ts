/** Files of Go in a project. */

import type { FunctionPlace, LineRange } from "../places.ts";
import { lineOf, lineStarts } from "../places.ts";
import type { RunConfined, SourceFiles, SyntaxProblem } from "../source_files.ts";
import { scan } from "./scan.ts";
import { type Declaration, unitOf } from "./unit.ts";

export const goFiles: SourceFiles = {
  hasCode: () => true,
  functions,
  testLines,
  substance: (text) =>
    scan(text)
      .tokens.map((token) => token.text)
      .join(" "),
  trace: { place: null, innermostLast: false },
  packageFolders: ["vendor"],
  madeFolders: [],
  sharedTestFiles: [],
  usualTests: "go test ./...",
  installer: null,
  outline: null,
  syntaxProblem,
};

/** Functions, and methods by their types: `Shelf.Put`. */
function functions(text: string): FunctionPlace[] {
  const starts = lineStarts(text);
  return unitOf(text)
    .declarations.filter(({ kind, body }) => kind === "func" && body !== null)
    .map((one) => ({ name: nameOf(text, one), start: lineOf(starts, one.start), end: lineOf(starts, one.end - 1) }));
}

function nameOf(text: string, { names: [name = ""], hasReceiver, start, parameters }: Declaration): string {
  if (!hasReceiver) return name;
  const receiver = /\(\s*(?:[\p{L}_][\p{L}\p{Nd}_]*\s+)?\*?\s*([\p{L}_][\p{L}\p{Nd}_]*)/u.exec(
    text.slice(start, parameters),
  );
  return `${receiver?.[1] ?? ""}.${name}`;
}

/** `TestPut`, or `TestPut/of_nothing` for a part of it. */
function testLines(text: string, test: string): LineRange | null {
  const name = test.split("/")[0];
  return functions(text).find((one) => one.name === name) ?? null;
}

/** A whole file compiles only among others, so all that is told is what its brackets and quotes say. */
async function syntaxProblem(_: string, text: string, run: RunConfined): Promise<SyntaxProblem | null> {
  const { sound, depth } = scan(text);
  if (sound && depth === 0) return null;
  const { status, explanation, line } = await run({ code: text, timeoutMs: 10_000 });
  const told =
    status === "syntax_error" ? explanation.replace(/^line \d+: /, "") : "a bracket or a quote is not closed";
  return { line: line ?? text.split("\n").length, message: told };
}
