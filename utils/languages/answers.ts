/** The program in an answer: without prose around it, and without tests behind it. For languages with `//` comments. */

import type { Language } from "./language.ts";

const BEGIN = "// >>> mend: tests";
const END = "// <<< mend: tests";

/** Tests, to be put behind a program. */
export const marked = (tests: string): string => `\n${BEGIN}\n${tests}\n${END}\n`;

/** A program without the tests that `marked` made. */
export function withoutMarked(code: string): string {
  const begin = code.indexOf(BEGIN);
  const end = code.lastIndexOf(END);
  return begin === -1 ? code : code.slice(0, begin) + (end > begin ? code.slice(end + END.length) : "");
}

/** How code is recognized in prose. */
export interface CodeMarks {
  /** Tags of fences that may hold it. */
  tags: RegExp;
  /** A line that can only be code. */
  statement: RegExp;
  /** A line that ends as code does. */
  lastLine: RegExp;
  /** True where a line that can only be code may be the last, however it ends. */
  endsWithStatement?: boolean;
}

export function codeInProse({
  tags,
  statement,
  lastLine,
  endsWithStatement = false,
}: CodeMarks): Pick<Language, "mayBe" | "looksLikeCode" | "bareCode"> {
  const isCode = (line: string) => statement.test(line.slice(0, 300));
  return {
    mayBe: (tag) => tags.test(tag),
    looksLikeCode: (text) => text.split("\n").some(isCode),
    // From the first line that can only be code to the last that ends as code does.
    bareCode(text) {
      const lines = text.split("\n");
      const first = lines.findIndex(isCode);
      const last = lines.findLastIndex((line) => lastLine.test(line) || (endsWithStatement && isCode(line)));
      return first === -1 ? null : lines.slice(first, Math.max(first, last) + 1).join("\n");
    },
  };
}
