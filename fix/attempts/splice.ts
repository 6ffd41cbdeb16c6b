/**
 * How an answer goes into a file. In a compiled language an answer that is a function alone, or the file with another
 * function in it, takes the function's lines, and all else stays as it is. Code is indented as the file is.
 */

import { smallest } from "../../utils/base/data/extremes.ts";
import type { LanguageName } from "../../utils/languages/language.ts";
import { plainName } from "../../utils/languages/places.ts";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import type { VisibleTask } from "../../utils/task/task.ts";
import { linesOf } from "./task.ts";

const NOTHING = /^(?:\s*\/\/[^\n]*|\s*\/\*[\s\S]*?\*\/|\s)*$/;
const indentOf = (line = ""): string => /^[ \t]*/.exec(line)?.[0] ?? "";

const withoutLines = (lines: readonly string[], { start, end }: { start: number; end: number }): string =>
  [...lines.slice(0, start - 1), ...lines.slice(end)].join("\n");

/**
 * @param original with `\n` line ends, like `answer`
 * @returns null where the answer is more than the function or something else
 */
export function spliced(
  task: Pick<VisibleTask, "language" | "entryPoint" | "declaration" | "buggyCode">,
  original: string,
  answer: string,
): string | null {
  const { language, entryPoint } = task;
  const { runtime, files } = LANGUAGES[language];
  if (!runtime?.compiled) return null;
  const own = files.functions(original).filter(({ name }) => plainName(name) === entryPoint);
  const given = files.functions(answer);
  const { start: opens } = linesOf(task);
  const at = own.findLastIndex(({ start }) => start <= opens);
  const place = own[at];
  const named = given.filter(({ name }) => plainName(name) === entryPoint);
  const found = named[named.length === own.length ? at : 0];
  if (!place || !found || (named.length !== own.length && named.length > 1)) return null;
  const lines = answer.split("\n");
  const originalLines = original.split("\n");
  const around = withoutLines(lines, found);
  const isAlone = given.length === 1 && NOTHING.test(around);
  if (!isAlone && files.substance(around) !== files.substance(withoutLines(originalLines, place))) return null;
  const indent = indentOf(originalLines[place.start - 1]);
  const code = lines.slice(found.start - 1, found.end);
  const indented = indentOf(code[0]) === "" ? code.map((line) => (line === "" ? line : indent + line)) : code;
  return [...originalLines.slice(0, place.start - 1), ...indented, ...originalLines.slice(place.end)].join("\n");
}

/**
 * `code` indented by the unit that `file` uses. Lines inside strings stay, and so does code that is no deeper than its
 * first line.
 */
export function indentLike(file: string, code: string, language: LanguageName): string {
  const [own, wanted] = [unitOf(code), unitOf(file)];
  if (own === null || wanted === null || own === wanted) return code;
  const fixed = LANGUAGES[language].linesInText(code);
  let at = 0;
  const lines = code.split("\n").map((line) => {
    const start = at;
    at += line.length + 1;
    if (fixed.has(start)) return line;
    const indent = indentOf(line);
    const levels = Math.floor(indent.length / own.length);
    return wanted.repeat(levels) + indent.slice(levels * own.length) + line.slice(indent.length);
  });
  return lines.join("\n");
}

/**
 * One level of indentation: a tab, or as many spaces as the least deep indented lines have. Null where nothing is
 * indented.
 */
function unitOf(code: string): string | null {
  const indents = code.split("\n").flatMap((line) => /^([ \t]+)(?![*\s])/.exec(line)?.[1] ?? []);
  if (indents.length === 0) return null;
  if (indents.filter((indent) => indent.startsWith("\t")).length * 2 > indents.length) return "\t";
  const widths = indents.map(({ length }) => length);
  return " ".repeat([8, 4, 3, 2].find((width) => widths.every((w) => w % width === 0)) ?? smallest(widths));
}
