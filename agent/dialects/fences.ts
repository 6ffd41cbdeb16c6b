/** Finds code fences, also those that are indented, glued to text, left open or that hold back quotes in a string. */
import { lineEnd, stringEnd } from "../../utils/languages/python/scan.ts";

/** Steps that may still be spent on looking ahead, so that hostile text cannot make reading it quadratic. */
export interface Budget {
  left: number;
}

export interface Fence {
  /** Offset of the opening fence, and the offset after the closing one. */
  start: number;
  end: number;
  /** Language in lower case; empty where none is given. */
  tag: string;
  code: string;
  /** False where the text ended before the closing fence. */
  closed: boolean;
}

const LANGUAGE =
  /^(?:python[\d.]*|py[\d.]*|ipython|pycon|json|jsonc|json5|text|txt|plaintext|bash|sh|shell|console|markdown|md|diff|ts|typescript|javascript|js)$/i;

/** What follows an opening fence: white space, a word, and the line break or the end of the text where nothing else does. */
const TAG = /([^\S\n]*)([\w+#.-]*)(?:[^\S\n]*(\n|$)|)/y;

/** True for a fence that may hold Python. */
export const mayBePython = (tag: string): boolean => /^(?:|i?py.*|code|tool_code|starlark|sage)$/.test(tag);

/**
 * The fence whose first back quote or tilde is at `at`; null where these characters open none. `lineStart` is where the
 * line, or what follows its label, starts.
 */
export function fenceAt(text: string, at: number, lineStart: number, budget: Budget): Fence | null {
  const char = text.charAt(at);
  let length = 0;
  while (text.charAt(at + length) === char) length++;
  if (length < 3 || (char !== "`" && char !== "~")) return null;
  const before = at - lineStart < 200 ? text.slice(lineStart, at) : "x";
  const startsLine = /^[\s>]*(?:[-*+]\s+|\d{1,3}[.)]\s+)?$/.test(before);
  TAG.lastIndex = at + length;
  const [whole = "", space = "", word = "", lineBreak] = TAG.exec(text) ?? [];
  const isTagOnly = lineBreak !== undefined;
  if (!startsLine && (char === "~" || !(isTagOnly || isOnLine(text, "```", at + length)))) return null;
  const tag = isTagOnly || LANGUAGE.test(word) ? word : "";
  const from = at + length + (isTagOnly ? whole.length : tag === "" ? 0 : space.length + tag.length);
  const close = closing(text, from, char, length, mayBePython(tag.toLowerCase()) && char === "`", budget);
  const width = /^\s*/.exec(text.slice(lineStart, Math.min(at, lineStart + 200)))?.[0].length ?? 0;
  const content = text.slice(from, close?.from ?? text.length);
  return {
    start: at,
    end: close?.end ?? text.length,
    tag: tag.toLowerCase(),
    code: dedentLines(isTagOnly ? content : content.replace(/^ /, ""), width),
    closed: close !== null,
  };
}

interface Close {
  /** Where the content ends. */
  from: number;
  end: number;
}

const LABEL_LINE = /^(?:Thought|Action|Action Input|Observation|Final Answer):/m;
const TAGGED_FENCE = /^[`~]{3,}[A-Za-z]/m;

/**
 * Where a fence closes. In Python a run of back quotes outside strings and comments can be nothing else, and one inside a
 * string is content; but a string that would swallow a closing fence, a label and another fence is rather one left open.
 */
function closing(
  text: string,
  from: number,
  char: string,
  length: number,
  isPython: boolean,
  budget: Budget,
): Close | null {
  const lexical = isPython ? lexicalClose(text, from, length, budget) : null;
  const plain = plainClose(text, from, lexical?.end ?? text.length, char.repeat(length), budget);
  if (lexical === null || plain === null) return plain ?? lexical;
  const swallowed = text.slice(plain.end, lexical.from);
  return LABEL_LINE.test(swallowed) && TAGGED_FENCE.test(swallowed) ? plain : lexical;
}

function lexicalClose(text: string, from: number, length: number, budget: Budget): Close | null {
  let at = from;
  while (at < text.length && at - from < budget.left) {
    const char = text.charAt(at);
    const next = char === '"' || char === "'" ? stringEnd(text, at).end : char === "#" ? lineEnd(text, at) : at + 1;
    if (char === "`") {
      const end = runEnd(text, at);
      if (end - at >= length) {
        budget.left -= at - from;
        return closeAt(text, from, at, end);
      }
      at = end;
    } else at = next;
  }
  budget.left -= at - from;
  return null;
}

/** The first line that is only a closing fence, else the first that ends with one; nothing beyond `limit`. */
function plainClose(text: string, from: number, limit: number, fence: string, budget: Budget): Close | null {
  let glued: Close | null = null;
  let at = text.indexOf(fence, from);
  for (; at !== -1 && at < limit && at - from < budget.left; ) {
    const end = runEnd(text, at);
    if (blankLineStart(text, from, at) !== null) {
      budget.left -= at - from;
      return closeAt(text, from, at, end);
    }
    if (glued === null && isBlankToLineEnd(text, end)) glued = { from: at, end };
    at = text.indexOf(fence, end);
  }
  budget.left -= (at === -1 ? limit : at) - from;
  return glued;
}

/** The close at the run `at`..`end`; a run with a language behind it opens another fence, which stays to be read. */
function closeAt(text: string, from: number, at: number, end: number): Close {
  const lineStart = blankLineStart(text, from, at);
  if (lineStart === null) return { from: at, end };
  const opensNext = LANGUAGE.test((text.slice(end, end + 20).split("\n", 1)[0] ?? "").trim());
  return { from: Math.max(from, lineStart - 1), end: opensNext ? at : end };
}

/** Where the line of `at` starts, at `from` at the earliest; null where it holds more than white space before `at`. */
function blankLineStart(text: string, from: number, at: number): number | null {
  let start = at;
  while (start > from && text.charAt(start - 1) !== "\n") {
    if (!/\s/.test(text.charAt(start - 1))) return null;
    start--;
  }
  return start;
}

const BLANK_TO_LINE_END = /[^\S\n]*(?:\n|$)/y;

function isBlankToLineEnd(text: string, at: number): boolean {
  BLANK_TO_LINE_END.lastIndex = at;
  return BLANK_TO_LINE_END.test(text);
}

/** Whether the line of `at` holds `word` after `at`. Looks no further than that. */
function isOnLine(text: string, word: string, at: number): boolean {
  const found = text.indexOf(word, at);
  return found !== -1 && !text.slice(at, found).includes("\n");
}

function runEnd(text: string, at: number): number {
  let end = at;
  while (text.charAt(end) === text.charAt(at)) end++;
  return end;
}

/** Takes the fence's own indentation off every line, as far as all lines have it. */
function dedentLines(code: string, width: number): string {
  if (width === 0) return code;
  const lines = code.split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  const common = indents.reduce((least, indent) => Math.min(least, indent), width);
  return lines
    .map((line) => (line.trim() === "" ? line.slice(Math.min(common, line.length)) : line.slice(common)))
    .join("\n");
}
