/** Finds the code in a piece of a reply: in fences, in tags, between back quotes or bare. */
import type { Language } from "../../utils/languages/language.ts";
import { firstOf, isObject } from "./calls.ts";
import { type Fence, fenceAt } from "./fences.ts";
import { parseLenient, unescapeText } from "./lenient_json.ts";

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
export function tidy(code: string, language: Language): string {
  const start = code.search(/\S/);
  if (/^[`~]{3}/.test(code.slice(start, start + 3))) {
    const fence = fenceAt(code, start, code.lastIndexOf("\n", start) + 1, { left: 4 * code.length });
    if (fence && fence.code.trim() !== "") return fence.code;
  }
  const named = /^([A-Za-z]+\d?)[ \t]*\n(?=\s*\S)/.exec(code);
  if (named && language.mayBe(named[1]?.toLowerCase() ?? "")) return code.slice(named[0].length);
  if (code.includes("\n") || !code.includes("\\n") || language.isSound(code)) return code;
  const unescaped = unescapeText(code);
  return language.isSound(unescaped) ? unescaped : code;
}

/**
 * The fence that holds an answer: one that defines something before one that does not, its own language before others,
 * closed before unclosed, and of equals the last, because models show the buggy function before the repaired one.
 */
export function bestFence(fences: Fence[], language: Language): Fence | null {
  const score = ({ code, tag, closed }: Fence): number => {
    if (code.trim() === "") return -1;
    const mayBe = tag === "" || language.mayBe(tag);
    return (language.definesSomething(code) ? (mayBe ? 8 : 4) : mayBe ? 2 : -9) + (closed ? 1 : 0);
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
export function markedCode(text: string, language: Language): string | null {
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
  return from !== -1 && to > from && !inner.includes("`") && language.looksLikeCode(inner) ? inner : null;
}

/** The program in a string whose quotes were not escaped (`{"code": "print("hi")"}`) or that has no quotes at all. */
export function codeInBrokenJson(text: string): string | null {
  const key = /["']?(?:code|python|javascript|source|script|program|input|query)["']?\s*[:=]\s*/i.exec(text);
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
