/** Finds code fences, also those that are indented, glued to text, left open or that hold back quotes in a string. */
import { lineEnd, stringEnd } from "../../utils/languages/python/scan.ts";
import { REPLY_LABELS } from "../reply.ts";

/** Steps that may still be spent on looking ahead, so that hostile text cannot make reading it quadratic. */
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

const LANGUAGE =
  /^(?:python[\d.]*|py[\d.]*|ipython|pycon|json|jsonc|json5|text|txt|plaintext|bash|sh|shell|console|markdown|md|diff|ts|typescript|javascript|js)$/i;

/** What follows an opening fence: white space, a word, and the line break or the end of the text where nothing else does. */
const TAG = /([^\S\n]*)([\w+#.-]*)(?:[^\S\n]*(\n|$)|)/y;
const PYTHON = /^(?:|i?py.*|code|tool_code|starlark|sage)$/i;

/**
 * The fence whose first back quote or tilde is at `at`; null where these characters open none. `lineStart` is where the
 * line, or what follows its label, starts.
 */
export function fenceAt(text: string, at: number, lineStart: number, budget: Budget): Fence | null {
  const char = text.charAt(at);
  const length = runEnd(text, at) - at;
  if (length < 3 || (char !== "`" && char !== "~")) return null;
  const before = at - lineStart < 200 ? text.slice(lineStart, at) : "x";
  const startsLine = /^[\s>]*(?:[-*+]\s+|\d{1,3}[.)]\s+)?$/.test(before);
  TAG.lastIndex = at + length;
  const [whole = "", space = "", word = "", lineBreak] = TAG.exec(text) ?? [];
  const isTagOnly = lineBreak !== undefined;
  if (!startsLine && (char === "~" || !(isTagOnly || isOnLine(text, "```", at + length)))) return null;
  const tag = isTagOnly || LANGUAGE.test(word) ? word : "";
  const from = at + length + (isTagOnly ? whole.length : tag === "" ? 0 : space.length + tag.length);
  const close = closing(text, from, char.repeat(length), PYTHON.test(tag) && char === "`", budget);
  const content = text.slice(from, close?.from ?? text.length);
  const width = /^\s*/.exec(before)?.[0].length ?? 0;
  return {
    end: close?.end ?? text.length,
    tag: tag.toLowerCase(),
    code: dedentLines(isTagOnly ? content : content.replace(/^ /, ""), width),
    closed: close !== null,
  };
}

/** Where the content of a fence ends, and where its closing marks do. */
interface Close {
  from: number;
  end: number;
}

const LABEL_LINE = new RegExp(`^(?:${Object.values(REPLY_LABELS).join("|")})`, "m");
const TAGGED_FENCE = /^[`~]{3,}[A-Za-z]/m;

/**
 * Where a fence closes: the first line that is only a closing fence, else the first that ends with one. In Python a run
 * of back quotes outside strings and comments can be nothing else, and one inside a string is content; but a string that
 * would swallow a closing fence, a label and another fence is rather one left open.
 */
function closing(text: string, from: number, fence: string, isPython: boolean, budget: Budget): Close | null {
  let plain: Close | null = null;
  let glued: Close | null = null;
  /** What is before it was read as Python. */
  let read = from;
  let lineStart = from;
  let seen = from;
  let at = text.indexOf(fence, from);
  for (; at !== -1 && at - from < budget.left; at = text.indexOf(fence, runEnd(text, at))) {
    const newline = text.slice(seen, at).lastIndexOf("\n");
    if (newline !== -1) lineStart = seen + newline + 1;
    seen = at;
    const close = closeAt(text, from, lineStart, at);
    while (isPython && read < at) read = tokenEnd(text, read);
    if (isPython && read === at) {
      budget.left -= at - from;
      const swallowed = plain ? text.slice(plain.end, close.from) : "";
      return plain && LABEL_LINE.test(swallowed) && TAGGED_FENCE.test(swallowed) ? plain : close;
    }
    if (close.from < at || at === from) plain ??= close;
    else if (glued === null && isAt(ENDS_LINE, text, runEnd(text, at))) glued = close;
    if (plain && !isPython) break;
  }
  budget.left -= Math.max(at === -1 ? text.length : at, read) - from;
  return plain ?? glued;
}

const ENDS_LINE = /[^\S\n]*(?:\n|$)/y;

/** Whether the sticky `pattern` matches at `at`; looks no further than it has to. */
function isAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** The offset after the string, the comment or the other character at `at`. */
function tokenEnd(text: string, at: number): number {
  const char = text.charAt(at);
  if (char === '"' || char === "'") return stringEnd(text, at).end;
  return char === "#" ? lineEnd(text, at) : at + 1;
}

/** The close at the run of marks at `at`; a run with a language behind it opens another fence, which stays to be read. */
function closeAt(text: string, from: number, lineStart: number, at: number): Close {
  const end = runEnd(text, at);
  if (/\S/.test(text.slice(lineStart, at))) return { from: at, end };
  const opensNext = LANGUAGE.test((text.slice(end, end + 20).split("\n", 1)[0] ?? "").trim());
  return { from: Math.max(from, lineStart - 1), end: opensNext ? at : end };
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
  let common = width;
  for (const [white] of code.matchAll(/^[ \t]*(?=\S)/gm)) common = Math.min(common, white.length);
  return common === 0 ? code : code.replace(new RegExp(`^[ \\t]{1,${common}}`, "gm"), "");
}
