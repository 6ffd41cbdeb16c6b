/** Finds code fences, also those that are indented, glued to text, left open or that hold back quotes in a string. */
import type { Language } from "../../utils/languages/language.ts";
import { beforeTurnToken } from "./labels.ts";

/** Characters that may still be read ahead, so that hostile text cannot make reading it quadratic. */
export interface Budget {
  left: number;
}

export interface Fence {
  /** Offset after the closing fence. */
  end: number;
  /** Language in lower case; empty where none is given. */
  tag: string;
  code: string;
  /** False where the text ended before the closing fence. */
  closed: boolean;
}

/** Whether a fence with this tag may hold the language. */
export const isOf = (language: Language, tag: string): boolean => tag === "" || language.mayBe(tag.toLowerCase());

const OPENING = /(`{3,}|~{3,})([^`\n]*)(?:\n|$)/y;
const ON_LINE = /(`{3,})(?:(?:python|py|javascript|js|json)\b)?([^`\n]+)\1/iy;

/**
 * The fence whose first back quote or tilde is at `at`; null where none opens. `width` is what its line is indented by, -1
 * where text stands before it.
 */
export function fenceAt(text: string, at: number, width: number, language: Language, budget: Budget): Fence | null {
  ON_LINE.lastIndex = at;
  const line = ON_LINE.exec(text);
  if (line) return { end: ON_LINE.lastIndex, tag: "", code: line[2]?.trim() ?? "", closed: true };
  OPENING.lastIndex = at;
  const [whole, marks = "", info = ""] = OPENING.exec(text) ?? [];
  const [, space = "", word = "", code = ""] = /^(\s*)([\w+#.-]*)(.*)/.exec(info.trimEnd()) ?? [];
  if (whole === undefined || (code !== "" && width < 0)) return null;
  // Code may follow on the same line, with a language before it or without one.
  const tag = code === "" || language.mayBe(word.toLowerCase()) ? word.toLowerCase() : "";
  const from = at + (code === "" ? whole.length : marks.length + (tag === "" ? 0 : space.length + tag.length));
  const close = closing(text, from, marks, isOf(language, tag) ? language : null, budget);
  const content = close ? text.slice(from, close.from) : beforeTurnToken(text.slice(from));
  return {
    end: close?.end ?? text.length,
    tag,
    code: dedentLines(code === "" ? content : content.trimStart(), width),
    closed: close !== null,
  };
}

/**
 * Where a fence closes: at the first marks that start or end a line and stand in no string and no bracket of a program;
 * else at the first that start a line, else at the first that end one.
 */
function closing(text: string, from: number, marks: string, language: Language | null, budget: Budget) {
  const run = `${marks.charAt(0)}{${marks.length},}`;
  // Lines end at \n alone: to JavaScript's `^` and `$` other characters, which a string may hold, end one, too.
  const candidates = new RegExp(
    `(?<![^\\n])([^\\S\\n]*)${run}(?:(\\w+)[^\\S\\n]*(?![^\\n]))?|(?<!${marks.charAt(0)})${run}[^\\S\\n]*(?![^\\n])`,
    "g",
  );
  candidates.lastIndex = from;
  let first: { from: number; end: number; startsLine: boolean } | null = null;
  for (let found = candidates.exec(text); found; found = candidates.exec(text)) {
    const { 0: whole, 1: indent, 2: tag, index } = found;
    const startsLine = indent !== undefined;
    if (!startsLine && text.slice(text.lastIndexOf("\n", index) + 1, index).includes("#")) continue;
    // Marks with a language open another fence, which stays to be read.
    const close = {
      from: Math.max(from, startsLine ? index - 1 : index),
      end: tag ? index : index + whole.length,
      startsLine,
    };
    if (!first || (startsLine && !first.startsLine)) first = close;
    budget.left -= close.from - from;
    const isOutside = language && budget.left > 0 ? language.isWhole(`${text.slice(from, close.from)}\nx`) : startsLine;
    if (isOutside) return close;
  }
  return first;
}

/** Takes the fence's own indentation off every line, as far as all lines have it. */
function dedentLines(code: string, width: number): string {
  let common = width;
  for (const [white] of code.matchAll(/^[ \t]*(?=\S)/gm)) common = Math.min(common, white.length);
  return common <= 0 ? code : code.replace(new RegExp(`^[ \\t]{1,${common}}`, "gm"), "");
}
