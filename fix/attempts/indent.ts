/** The indentation of a file, for code that goes into it. */

import { smallest } from "../../utils/base/data/extremes.ts";
import type { LanguageName } from "../../utils/languages/language.ts";
import { LANGUAGES } from "../../utils/languages/registry.ts";

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
    const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
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
