/** What files of compiled languages have in common: they are read by their brackets, and parsed by their compiler. */

import type { Language } from "./language.ts";
import type { Outline } from "./outline.ts";
import { plainName } from "./places.ts";
import type { RunConfined, SourceFiles, SyntaxProblem } from "./source_files.ts";
import { isWhole, type Scan, substanceOf, type Token } from "./tokens.ts";

type Scanner = (text: string) => Scan<Token<string>>;
type Reading = Pick<SourceFiles, "functions"> & Pick<Language, "partsAround">;

export const compiledFiles = (scan: Scanner, { functions, partsAround }: Reading) =>
  ({
    hasCode: () => true,
    functions,
    substance: (text) => substanceOf(scan(text)),
    sharedTestFiles: [],
    outline: async ({ text }) => outlineOf(text, { functions, partsAround }),
    syntaxProblem: (_, text, run) => syntaxProblem(scan, text, run),
  }) satisfies Partial<SourceFiles>;

/** Definitions are functions that an answer can take the place of. Others count as what stands outside of them. */
function outlineOf(text: string, { functions, partsAround }: Reading): Outline {
  const lines = text.split("\n");
  const definitions: Outline["definitions"] = [];
  const inside = new Set<number>();
  for (const { name, start, end } of functions(text)) {
    if (partsAround(text, plainName(name), start) === null) continue;
    const words = wordsIn(lines.slice(start - 1, end).join("\n"));
    definitions.push({ name, methods: [], words, line: start });
    for (let line = start; line <= end; line += 1) inside.add(line);
  }
  const outside = lines.filter((_, i) => !inside.has(i + 1)).join("\n");
  return { error: null, definitions, words: wordsIn(outside) };
}

const wordsIn = (text: string): string[] => [...new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [])];

/** A single file may not compile without the others, so only brackets and quotes are checked. */
async function syntaxProblem(scan: Scanner, text: string, run: RunConfined): Promise<SyntaxProblem | null> {
  if (isWhole(scan(text))) return null;
  const { status, explanation, line } = await run({ code: text, timeoutMs: 10_000 });
  const message =
    status === "syntax_error" ? explanation.replace(/^line \d+: /, "") : "a bracket or a quote is not closed";
  return { line: line ?? text.split("\n").length, message };
}
