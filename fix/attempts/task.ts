/** A user's file as a task. */

import { basename } from "node:path";
import { UserError } from "../../utils/base/data/errors.ts";
import { plainText } from "../../utils/base/text/line_ends.ts";
import type { Language } from "../../utils/languages/language.ts";
import { type LineRange, plainName } from "../../utils/languages/places.ts";
import { languageOf } from "../../utils/languages/registry.ts";
import { languageOfFile } from "../../utils/project/outline.ts";
import type { VisibleTask } from "../../utils/task/task.ts";

/** The examples of docstrings in a Python file; empty where it has none. */
const examplesIn = (source: string): string =>
  [...source.matchAll(/^([ \t]*)>>> .*(?:\n\1(?!"""|''')\S.*)*/gm)]
    .map(([example, indent = ""]) => example.replaceAll(`\n${indent}`, "\n").slice(indent.length))
    .join("\n\n");

/** @param tests the file of tests, empty where none is known; it may be the source itself */
function testsOf({ ownTests }: Language, source: string, tests: string): string {
  const apart = tests === source && ownTests ? "" : tests;
  return apart || examplesIn(source) || (ownTests?.(source) ?? "");
}

/** What is to be repaired: a top-level function or class, or a method of one. */
export interface NamedEntry {
  /** As a person names it: `restock`, `Shelf`, `Shelf.put`, `shop::Shelf::put`. */
  name: string;
  /** What an answer defines: the top-level function or class; where functions are found in types, too, the function. */
  definition: string;
  /** Its first line, where names alone do not lead to it. */
  line?: number | undefined;
}

/** What holds a function of a file, as an answer defines it. */
export const entryOf = (file: string, { name, start }: { name: string; start: number }): NamedEntry =>
  languageOf(file)?.runtime?.compiled
    ? { name, definition: plainName(name), line: start }
    : { name, definition: name.split(".")[0] ?? name };

/**
 * The task of repairing what is named in a file. All up to the end of its `def` or `class` line is the declaration,
 * what follows the definition is the epilogue.
 * @param instruction what the function should do; empty: its docstring says it
 * @throws UserError where the file has no such function or class
 */
export function fileTask(
  file: string,
  source: string,
  { name, definition, line }: NamedEntry,
  tests: string,
  instruction: string,
): VisibleTask {
  const language = languageOfFile(file);
  const parts = language.partsAround(plainText(source), definition, line);
  if (!parts) throw new UserError(`${file} has no top-level function or class "${definition}".`);
  return {
    id: basename(file),
    language: language.name,
    entryPoint: definition,
    instruction: instruction || `Repair \`${name}\` so that it does what its name, docstring and tests say.`,
    declaration: parts.declaration,
    buggyCode: parts.body,
    epilogue: parts.epilogue,
    exampleTest: testsOf(language, plainText(source), plainText(tests)),
  };
}

/** The lines of what a task repairs, in its file. */
export const linesOf = ({ declaration, buggyCode }: Pick<VisibleTask, "declaration" | "buggyCode">): LineRange => ({
  start: lineCount(declaration),
  end: lineCount(declaration + buggyCode),
});

const lineCount = (text: string): number => text.trimEnd().split("\n").length;
