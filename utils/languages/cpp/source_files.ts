/** Files of C++ in a project. */

import type { FunctionPlace, LineRange } from "../places.ts";
import { lineOf, lineStarts } from "../places.ts";
import type { RunConfined, SourceFiles, SyntaxProblem } from "../source_files.ts";
import { allItems, itemsOf } from "./items.ts";
import { scan } from "./scan.ts";

export const cppFiles: SourceFiles = {
  hasCode: () => true,
  functions,
  testLines,
  substance: (text) =>
    scan(text)
      .tokens.map(({ start, end }) => text.slice(start, end))
      .join(" "),
  trace: { place: null, innermostLast: false },
  packageFolders: [],
  madeFolders: ["cmake-build-debug", "cmake-build-release", "CMakeFiles"],
  sharedTestFiles: [],
  usualTests: "ctest",
  installer: null,
  outline: null,
  syntaxProblem,
};

/** Functions and tests, also those in classes and namespaces: `Shelf::put`, `ShelfTest.puts`. */
function functions(text: string): FunctionPlace[] {
  const starts = lineStarts(text);
  return [...allItems(itemsOf(text))]
    .filter(({ kind, name }) => name !== "" && (kind === "function" || kind === "test"))
    .map(({ kind, name, owner, around, start, end }) => ({
      name: kind === "test" ? name : [...around, ...(owner === "" ? [] : [owner]), name].join("::"),
      start: lineOf(starts, start),
      end: lineOf(starts, end - 1),
    }))
    .sort((a, b) => a.start - b.start);
}

/** `ShelfTest.puts` and `Instance/ShelfTest.puts/0` of GoogleTest, a text of Catch2, a function's name. */
function testLines(text: string, test: string): LineRange | null {
  const plain = test.replace(/^[\w]+\/(?=\w+\.\w)/, "").replace(/\/\d+$/, "");
  const all = functions(text);
  return all.find(({ name }) => name === plain) ?? all.find(({ name }) => name.endsWith(`::${plain}`)) ?? null;
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
