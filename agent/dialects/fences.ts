/** Finds code fences, also those that are indented, glued to text, left open or that hold back quotes in a string. */
import { editsIn, type TextEdit } from "../../utils/base/text/edits.ts";
import type { Language } from "../../utils/languages/language.ts";
import { beforeTurnToken } from "./labels.ts";

export interface Fence {
  code: string;
  /** Whether it holds anything and its tag allows the language. */
  isOwn: boolean;
  /** False where the text ended before the closing fence. */
  closed: boolean;
  /** Offset after the closing fence. */
  end: number;
}

const ON_LINE = /(`{3,})(?:(?:python|py|javascript|js|json)\b)?([^`\n]+)\1/iy;
const OPENING = /(`{3,}|~{3,})([^\S\n]*)([\w+#.-]*)([^`\n]*)(?:\n|$)/y;

/**
 * The fence whose first back quote or tilde is at `at`; null where none opens. `width` is what its line is indented by,
 * -1 where text stands before it. `budget` is how many characters may still be read ahead: without it, reading hostile
 * text takes quadratic time.
 */
export function fenceAt(
  text: string,
  at: number,
  width: number,
  language: Language,
  budget: { left: number },
): Fence | null {
  ON_LINE.lastIndex = at;
  const line = ON_LINE.exec(text);
  if (line)
    return { code: line[2]?.trim() ?? "", isOwn: /\S/.test(line[2] ?? ""), closed: true, end: ON_LINE.lastIndex };
  OPENING.lastIndex = at;
  const [opening, marks = "", space = "", word = "", more = ""] = OPENING.exec(text) ?? [];
  const isGlued = more.trim() !== "";
  if (opening === undefined || (isGlued && width < 0)) return null;
  // Code may follow on the same line, with a language before it or without one.
  const isTag = word !== "" && (!isGlued || language.mayBe(word.toLowerCase()));
  const isOwn = !isTag || language.mayBe(word.toLowerCase());
  const from = at + (isGlued ? marks.length + (isTag ? space.length + word.length : 0) : opening.length);
  const close = closing(text, from, marks, isOwn ? language : null, budget);
  const content = close ? text.slice(from, close.from) : beforeTurnToken(text.slice(from));
  const code = dedentLines(isGlued ? content.trimStart() : content, width);
  return { code, isOwn: isOwn && code.trim() !== "", closed: close !== null, end: close?.end ?? text.length };
}

/**
 * Where a fence closes: at the first marks that start or end a line and stand in no string and no bracket of a program;
 * else at the first that start a line, else at the first that end one.
 */
function closing(text: string, from: number, marks: string, language: Language | null, budget: { left: number }) {
  const [mark] = marks;
  // Lines end at \n alone. JavaScript's `^` and `$` also know other line ends, which a string of the program may hold.
  const run = `${mark}{${marks.length},}`;
  const toEnd = "[^\\S\\n]*(?![^\\n])";
  const atStart = `(?<![^\\n])(?<indent>[^\\S\\n]*)${run}(?:(?<tag>\\w+)${toEnd})?`;
  const candidates = new RegExp(`${atStart}|(?<!${mark})${run}${toEnd}`, "g");
  candidates.lastIndex = from;
  let first: { from: number; end: number; startsLine: boolean } | null = null;
  for (let found = candidates.exec(text); found; found = candidates.exec(text)) {
    const { 0: whole, index, groups: { indent, tag } = {} } = found;
    const startsLine = indent !== undefined;
    if (!startsLine && text.slice(text.lastIndexOf("\n", index) + 1, index).includes("#")) continue;
    // Marks with a language close this fence and open the next one, which is read after it.
    const end = tag ? index : index + whole.length;
    const close = { from: Math.max(from, startsLine ? index - 1 : index), end, startsLine };
    if (!first || (startsLine && !first.startsLine)) first = close;
    budget.left -= close.from - from;
    if (language && budget.left > 0 ? language.isWhole(`${text.slice(from, close.from)}\nx`) : startsLine) return close;
  }
  return first;
}

/** Removes the indentation of the fence from every line, or as much of it as all lines have. */
function dedentLines(code: string, width: number): string {
  const widths = code.split("\n").flatMap((line) => (line.trim() === "" ? [] : line.search(/[^ \t]/)));
  const common = widths.reduce((least, one) => Math.min(least, one), width);
  return common <= 0 ? code : code.replace(new RegExp(`^[ \\t]{1,${common}}`, "gm"), "");
}

/**
 * The fence that holds an answer: of those that define something the last, as models show the buggy function first,
 * with those before it that define something else.
 */
export function bestFence(fences: readonly Fence[], language: Language): Fence | null {
  const own = fences.filter((fence) => fence.isOwn);
  const defining = (of: readonly Fence[]) => of.filter(({ code }) => language.definesSomething(code));
  const best = defining(own);
  const last = best.findLast(({ closed }) => closed);
  if (!last) return best.at(-1) ?? defining(fences).at(-1) ?? own.at(-1) ?? null;
  const names = best.map(({ code }) => language.definitions(code));
  const isReplaced = (at: number) =>
    names[at]?.length === 0 || names.slice(at + 1).some((later) => later.some((name) => names[at]?.includes(name)));
  const kept = best.filter((fence, at) => fence === last || (fence.closed && !isReplaced(at)));
  return { ...last, code: kept.length === 1 ? last.code : kept.map(({ code }) => code.trim()).join("\n\n\n") };
}

const MARK = /^(?:@@|<{5,9} ?SEARCH$|--- .*\n\+\+\+ | {0,3}`{3,}(?:diff|patch)$)/m;

/** The edits that a text holds; none where their marks stand in a string of a program. */
export function editsOf(text: string, language: Language): TextEdit[] {
  const mark = MARK.exec(text);
  return !mark || language.linesInText(text).has(mark.index) ? [] : editsIn(text);
}

/** Whether a text gives edits, and beside them no whole program. */
export function holdsEdits(text: string, fences: readonly Fence[], language: Language): boolean {
  const isProgram = ({ code, isOwn }: Fence) =>
    isOwn && language.definesSomething(code) && editsOf(code, language).length === 0;
  return editsOf(text, language).length > 0 && !fences.some(isProgram);
}
