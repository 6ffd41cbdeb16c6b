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
  const before = text.slice(lineStart, at);
  const rest = text.slice(at + length, lineEnd(text, at));
  const startsLine = before.length < 200 && /^[\s>]*(?:[-*+]\s+|\d{1,3}[.)]\s+)?$/.test(before);
  const isTagOnly = /^\s*[\w+#.-]*\s*$/.test(rest);
  if (!startsLine && (char === "~" || !(isTagOnly || rest.includes("```")))) return null;
  const first = /^\s*([\w+#.-]*)/.exec(rest)?.[1] ?? "";
  const tag = isTagOnly || LANGUAGE.test(first) ? first : "";
  const inline = isTagOnly ? "" : rest.slice(rest.indexOf(tag) + tag.length);
  const from = inline === "" ? Math.min(text.length, lineEnd(text, at) + 1) : lineEnd(text, at) - inline.length;
  const close = closing(text, from, char, length, mayBePython(tag.toLowerCase()) && char === "`", budget);
  const width = /^\s*/.exec(before.slice(0, 200))?.[0].length ?? 0;
  const content = text.slice(from, close?.from ?? text.length);
  return {
    start: at,
    end: close?.end ?? text.length,
    tag: tag.toLowerCase(),
    code: dedentLines(inline === "" ? content : content.replace(/^ /, ""), width),
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
    const before = text.slice(Math.max(from, text.lastIndexOf("\n", at) + 1), at);
    if (before.trim() === "") {
      budget.left -= at - from;
      return closeAt(text, from, at, end);
    }
    if (glued === null && text.slice(end, lineEnd(text, end)).trim() === "") glued = { from: at, end };
    at = text.indexOf(fence, end);
  }
  budget.left -= (at === -1 ? limit : at) - from;
  return glued;
}

/** The close at the run `at`..`end`; a run with a language behind it opens another fence, which stays to be read. */
function closeAt(text: string, from: number, at: number, end: number): Close {
  const lineStart = Math.max(from, text.lastIndexOf("\n", at) + 1);
  const isOwnLine = text.slice(lineStart, at).trim() === "";
  const opensNext = isOwnLine && LANGUAGE.test(text.slice(end, Math.min(end + 20, lineEnd(text, end))).trim());
  return { from: isOwnLine ? Math.max(from, lineStart - 1) : at, end: opensNext ? at : end };
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
