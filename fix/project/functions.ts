/** The functions of a source file, read lexically: cheap enough for a repository of thousands of files. */

import { plainText } from "../../utils/base/text/line_ends.ts";
import type { FunctionPlace } from "../../utils/languages/places.ts";
import { LANGUAGES, languageOf } from "../../utils/languages/registry.ts";

export type { FunctionPlace } from "../../utils/languages/places.ts";

export type PlaceInFile = FunctionPlace & { file: string };

export const isPython = (file: string): boolean => languageOf(file) === LANGUAGES.python;
export const isSource = (file: string): boolean => languageOf(file)?.files.hasCode(file) === true;

/** In the order of their first lines; none in a file of a language that is not known. */
export const functionsOf = (file: string, text: string): FunctionPlace[] =>
  languageOf(file)?.files.functions(plainText(text)) ?? [];

/** The innermost function around a line. */
export const functionAt = (functions: readonly FunctionPlace[], line: number): FunctionPlace | undefined =>
  functions.findLast(({ start, end }) => start <= line && line <= end);

/** The innermost function around each of a file's lines, the first line first; linear in both. */
export function ownersOf(functions: readonly FunctionPlace[], lines: number): (FunctionPlace | undefined)[] {
  const open: FunctionPlace[] = [];
  let next = 0;
  return Array.from({ length: lines }, (_, i) => {
    for (let one = functions[next]; one && one.start <= i + 1; one = functions[++next]) open.push(one);
    while ((open.at(-1)?.end ?? Infinity) < i + 1) open.pop();
    return open.at(-1);
  });
}
