/** Files of Java in a project. */

import type { FunctionPlace, LineRange } from "../places.ts";
import { lineOf, lineStarts } from "../places.ts";
import type { RunConfined, SourceFiles, SyntaxProblem } from "../source_files.ts";
import { type Member, unitOf } from "./members.ts";
import { scan } from "./scan.ts";

export const javaFiles: SourceFiles = {
  hasCode: (file) => !/(?:^|\/)(?:package|module)-info\.java$/.test(file),
  functions,
  testLines,
  substance: (text) =>
    scan(text)
      .tokens.map(({ start, end }) => text.slice(start, end))
      .join(" "),
  trace: { place: null, innermostLast: false },
  packageFolders: [],
  madeFolders: [".gradle"],
  sharedTestFiles: [],
  usualTests: "mvn -o -q test",
  installer: null,
  outline: null,
  syntaxProblem,
};

/** Methods of the classes at the top level: `Shelf.put`. */
function functions(text: string): FunctionPlace[] {
  const starts = lineStarts(text);
  const place = (type: string, { name, start, end }: Member) => ({
    name: `${type}.${name}`,
    start: lineOf(starts, start),
    end: lineOf(starts, end - 1),
  });
  return unitOf(text)
    .types.flatMap(({ name, members }) =>
      members
        .filter(({ kind, body }) => kind !== "other" && kind !== "type" && body !== null)
        .map((one) => place(name, one)),
    )
    .sort((a, b) => a.start - b.start);
}

/** `ShelfTest.put`, `ShelfTest#put` or `put()` of JUnit. */
function testLines(text: string, test: string): LineRange | null {
  const name = /([\p{L}\p{N}_$]+)(?:\(\))?(?:\[.*\])?$/u.exec(test)?.[1];
  return functions(text).find((one) => one.name.endsWith(`.${name}`)) ?? null;
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
