/** Finds the Python in a piece of a reply: in fences, in tags, between back quotes or bare. */
import { isDefinition, returnsAtTopLevel, topLevelBlocks } from "../../utils/python/blocks.ts";
import { dedentCode } from "../../utils/python/indent.ts";
import { scan } from "../../utils/python/scan.ts";
import { firstOf, isObject } from "./calls.ts";
import { type Fence, fenceAt, mayBePython } from "./fences.ts";
import { parseLenient, unescapeText } from "./lenient-json.ts";

const CODE_KEYS = [
  ...["code", "python", "python_code", "source", "source_code", "script", "program", "query", "input", "snippet"],
  ...[
    "content",
    "command",
    "cmd",
    "text",
    "value",
    "arg",
    "__arg1",
    "function",
    "solution",
    "final_code",
    "fixed_code",
  ],
  ...["answer", "final_answer", "result", "output", "completion"],
];

/** The program in a JSON value: a string, a list of lines, or an object that holds one under any usual name. */
export function codeInJson(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (Array.isArray(value))
    return value.length > 0 && value.every((line) => typeof line === "string") ? value.join("\n") : null;
  if (!isObject(value)) return null;
  const values = Object.values(value);
  const only: unknown = values.length === 1 ? values[0] : undefined;
  const found: unknown = firstOf(value, CODE_KEYS) ?? only;
  return found === undefined || found === null ? null : codeInJson(found);
}

/** `code` as it was meant: a fence or a language name around it taken off, doubly escaped line breaks made real. */
export function tidy(code: string): string {
  const start = code.search(/\S/);
  if (/^[`~]{3}/.test(code.slice(start, start + 3))) {
    const fence = fenceAt(code, start, code.lastIndexOf("\n", start) + 1, { left: 4 * code.length });
    if (fence && fence.code.trim() !== "") return fence.code;
  }
  const named = /^(?:python3?|py)[ \t]*\n(?=\s*\S)/i.exec(code);
  if (named) return code.slice(named[0].length);
  if (code.includes("\n") || !code.includes("\\n") || scan(code).sound) return code;
  const unescaped = unescapeText(code);
  return scan(unescaped).sound ? unescaped : code;
}

/** True where `code` is more than an attempt to run something: a function, a class or a function's body. */
export const definesSomething = (code: string): boolean =>
  topLevelBlocks(dedentCode(code)).blocks.some(isDefinition) || returnsAtTopLevel(code);

/** False where the text of a program stops in the middle of a statement. */
export function isWhole(code: string): boolean {
  const { complete, lines } = scan(code);
  return complete && lines.at(-1)?.opensBlock !== true;
}

/**
 * The fence that holds an answer: one that defines something before one that does not, Python before other languages,
 * closed before unclosed, and of equals the last, because models show the buggy function before the repaired one.
 */
export function bestFence(fences: Fence[]): Fence | null {
  const score = ({ code, tag, closed }: Fence): number => {
    if (code.trim() === "") return -1;
    const isPython = mayBePython(tag);
    return (definesSomething(code) ? (isPython ? 8 : 4) : isPython ? 2 : -9) + (closed ? 1 : 0);
  };
  let best: Fence | null = null;
  let bestScore = 0;
  for (const fence of fences) {
    const value = score(fence);
    if (value >= Math.max(bestScore, 0)) [best, bestScore] = [fence, value];
  }
  return best;
}

/** Code in `<code>` tags or between single back quotes; null where there is none. */
export function markedCode(text: string): string | null {
  const tag = text.search(/<code>/i);
  if (tag !== -1) {
    const end = [...text.matchAll(/<\/code>/gi)].at(-1)?.index ?? -1;
    return text
      .slice(tag + 6, end > tag ? end : undefined)
      .replace(/^[ \t]*\n/, "")
      .trimEnd();
  }
  const from = text.indexOf("`");
  const to = text.lastIndexOf("`");
  const inner = text.slice(from + 1, to);
  return from !== -1 && to > from && !inner.includes("`") && looksLikeCode(inner) ? inner : null;
}

const STATEMENT =
  /^\s*(?:(?:async\s+)?def\s+\w|class\s+\w+\s*[(:]|import\s+\w|from\s+[\w.]+\s+import\b|(?:for|while|if|elif|with)\b.*:\s*(?:#.*|\S.*)?$|(?:else|try|finally)\s*:|except\b.*:|return\b|print\(|assert\s|raise\b|@\w|pass$|yield\b)|^\s*[\w.[\]'", ]{1,80}\s*(?:[-+*/%|&^]|\/\/|\*\*)?=(?!=)|^\s*[\w.]{1,80}\(.*\)\s*(?:#.*)?$/;
const START =
  /^[ \t]*(?:(?:async[ \t]+)?def[ \t]+\w+[ \t]*\(|class[ \t]+\w+[ \t]*[(:]|import[ \t]+\w|from[ \t]+[\w.]+[ \t]+import\b|@\w|#|return\b)/;

/** True where some line of `text` can only be Python. */
export const looksLikeCode = (text: string): boolean =>
  text.split("\n").some((line) => STATEMENT.test(line.slice(0, 300)));

const KEYWORD = /^\s*(?:del|global|nonlocal|not|lambda|await|async|pass|break|continue|raise|return|yield|assert)\b/;
const PROSE = /^\s*(?:[-*] )?[A-Za-z][\w'’-]*,?(?: +[\w'’"(),.`:;!-]+){2,}\s*$/;

/** A tag or a fence on a line is never Python. */
const MARK = /^\s*(?:<\/?\w{1,30}>|[`~]{3})/;

/**
 * The code in text without any marks, from the first line that can only start a program up to prose. Null where no line
 * starts one.
 */
export function bareCode(text: string): string | null {
  const lines = text.split("\n");
  const certain = lines.findIndex((line) => START.test(line.slice(0, 300)));
  const start = lines.findIndex((line) => line.trim() !== "");
  // A `return` that comes first belongs to a body whose start is less certain; so does a statement that opens the text.
  const isBody = certain !== -1 && /^\s*return\b/.test(lines[certain] ?? "");
  const first = isBody ? lines.findIndex((line) => STATEMENT.test(line.slice(0, 300))) : certain;
  if (start !== -1 && STATEMENT.test((lines[start] ?? "").slice(0, 300)))
    return beforeProse(lines.slice(start).join("\n"));
  return first === -1 ? null : beforeProse(lines.slice(first).join("\n"));
}

/** `code` up to the first statement that is rather a sentence. */
function beforeProse(code: string): string {
  const { lines } = scan(code);
  const depth = lines[0]?.indent.length ?? 0;
  const prose = lines.find(({ start, end, indent }) => {
    const line = code.slice(start, Math.min(end, start + 300)).trimEnd();
    if (MARK.test(line)) return true;
    return indent.length <= depth && PROSE.test(line) && !STATEMENT.test(line) && !KEYWORD.test(line);
  });
  return code.slice(0, prose?.start).trimEnd();
}

/** The program in a string whose quotes were not escaped (`{"code": "print("hi")"}`) or that has no quotes at all. */
export function codeInBrokenJson(text: string): string | null {
  const key = /["']?(?:code|python|source|script|program|input|query)["']?\s*[:=]\s*/i.exec(text);
  if (!key) return null;
  const from = key.index + key[0].length;
  const quote = /^(?:"""|'''|["'`])/.exec(text.slice(from, from + 3))?.[0] ?? "";
  const other = /,\s*["'](?:harness|timeout(?:_?ms)?)["']\s*:[^}]*}?\s*$/i.exec(text.slice(-2000));
  const limit = other ? text.length - text.slice(-2000).length + other.index : text.lastIndexOf("}");
  const stop = limit <= from ? text.length : limit;
  const end = quote === "" ? stop : text.lastIndexOf(quote, stop - 1);
  if (end <= from + quote.length - 1) return null;
  const content = text.slice(from + quote.length, end);
  return content.includes("\n") ? content.replaceAll('\\"', '"') : unescapeText(content);
}

/** The code of a string that the text's end cut off; null where `text` is not JSON that was cut. */
export function codeInCutJson(text: string): string | null {
  const read = parseLenient(text, 0);
  return read?.cutInString ? codeInJson(read.value) : null;
}
