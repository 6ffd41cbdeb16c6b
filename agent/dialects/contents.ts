/** Finds the program, the object or the text that a step holds, however it is written. */
import type { Language } from "../../utils/languages/language.ts";
import { dedentCode } from "../../utils/languages/python/indent.ts";
import { type Content, callInJson, firstOf, isObject } from "./calls.ts";
import { type Fence, fenceAt } from "./fences.ts";
import { jsonIn, parseLenient, unescapeText } from "./lenient_json.ts";
import { CODE_TOOL, toolNamed } from "./tool_names.ts";

/** What a step may hold its content in. */
export interface Source extends Content {
  /** Fences that stand before the step, for a model that shows its program first and then says "run it". */
  earlier: readonly Fence[];
}

export interface Wanted {
  /** A program to run, with the arguments that stand beside it, or one to answer with. */
  as: "input" | "answer";
  tools: readonly string[];
  language: Language;
}

/** A program and the arguments beside it; `cut` where the text ended inside it. */
type Program = { code: string; others?: [string, unknown][] } | "cut" | null;

/** One way to write a program: a row of the table. */
interface Form {
  name: string;
  /** Replies that it reads, by the name of the dialect. */
  examples: Readonly<Record<string, string>>;
  read: (source: Source, wanted: Wanted) => Program;
}

/** In the order in which they are tried. */
export const CONTENTS: readonly Form[] = [
  {
    name: "json",
    examples: {
      json: "Action: python\nAction Input: {'code': 'print(1)'}",
      element: "<tool_call><function=code_interpreter><parameter=code>print(1)</parameter></function></tool_call>",
      call: 'Action: code_interpreter(code="print(1)")',
    },
    read: ({ value }, wanted) => inValue(value, wanted),
  },
  {
    name: "fence",
    examples: { fence: "Action: code_interpreter\nAction Input:\n```python\nprint(1)\n```" },
    read: inFence,
  },
  {
    name: "broken json",
    examples: { "broken json": 'Action: code_interpreter\nAction Input: {"code": "print("hi")"}' },
    read: ({ text }, wanted) => (/^\s*["'{[]/.test(text) ? inJsonText(text, wanted) : null),
  },
  { name: "bare code", examples: { "bare code": "Final Answer: def f(x):\n    return x" }, read: inText },
  {
    name: "earlier fence",
    examples: { "earlier fence": "Thought: run this\n```python\nprint(1)\n```\nAction: code_interpreter" },
    read: inEarlier,
  },
];

/** The program of a step and the name of its content; null where there is none. */
export function programIn(source: Source, wanted: Wanted): { name: string; found: Exclude<Program, null> } | null {
  const start = source.text.replace(/^(?:(?:[ \t]*\n)+|[ \t]+(?=\S))/, "").trimEnd();
  const text = wanted.as === "input" ? start.replace(/^(?:code|python|javascript)\s*:\s*(?=\S)/i, "") : start;
  for (const { name, read } of CONTENTS) {
    const found = read({ ...source, text }, wanted);
    if (found === "cut") return { name, found };
    const code = found && tidy(found.code, wanted.language);
    if (found && code?.trim()) return { name: name === "json" ? source.form : name, found: { ...found, code } };
  }
  return null;
}

const CODE_KEYS =
  "code python python_code source source_code script program query input snippet content command cmd text value arg __arg1 function solution final_code fixed_code answer final_answer result output completion".split(
    " ",
  );

/** The program in a JSON value: a string, a list of lines, or an object that holds one under any usual name. */
function codeInJson(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (Array.isArray(value))
    return value.length > 0 && value.every((line) => typeof line === "string") ? value.join("\n") : null;
  if (!isObject(value)) return null;
  const values = Object.values(value);
  return codeInJson(firstOf(value, CODE_KEYS) ?? (values.length === 1 ? values[0] : null));
}

/** `code` as it was meant: a fence or a language name around it taken off, doubly escaped line breaks made real. */
function tidy(code: string, language: Language): string {
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

function inValue(value: unknown, wanted: Wanted): Program {
  const isInput = wanted.as === "input";
  const inner = isInput ? unwrap(CODE_TOOL, value, wanted.tools) : value;
  const code = codeInJson(inner);
  if (code === null) return null;
  if (isInput && typeof inner === "string" && /^\s*\{/.test(inner)) return { code: codeInBrokenJson(inner) ?? inner };
  // An answer may be prose with a fence in it.
  const isProse = !isInput && !wanted.language.looksLikeCode(code.trimStart().split("\n", 1)[0] ?? "");
  if (isProse && /[`~]{3}/.test(code)) return { code: code.slice(code.search(/[`~]{3}/)) };
  // A tool's other arguments (a harness, a timeout) stay; the key that held the program does not.
  const others = isObject(inner) ? Object.entries(inner).filter(([, other]) => codeInJson(other) !== code) : [];
  return { code, others };
}

const mayBe = (tag: string, language: Language): boolean => tag === "" || language.mayBe(tag);

/** An answer is the fence that defines something; an input the first one, as a later one shows what it would print. */
function inFence({ fences }: Source, wanted: Wanted): Program {
  const { language, as } = wanted;
  const best = as === "answer" ? bestFence(fences, language) : null;
  if (best && language.definesSomething(best.code)) return best;
  for (const { code } of fences) {
    const found = /^\s*[{[]/.test(code) ? inJsonText(code, wanted) : null;
    if (found) return found;
  }
  if (as === "answer") return best;
  const first = fences.find(({ code, tag }) => mayBe(tag, language) && code.trim() !== "");
  return first && !first.closed && !language.isWhole(first.code) ? "cut" : (first ?? null);
}

/**
 * The fence that holds an answer: one that defines something before one that does not, its own language before others,
 * closed before unclosed, and of equals the last, because models show the buggy function before the repaired one.
 */
export function bestFence(fences: readonly Fence[], language: Language): Fence | null {
  let best: Fence | null = null;
  let most = 0;
  for (const fence of fences) {
    const own = mayBe(fence.tag, language);
    const score = (language.definesSomething(fence.code) ? (own ? 8 : 4) : own ? 2 : -9) + (fence.closed ? 1 : 0);
    if (fence.code.trim() !== "" && score >= most) [best, most] = [fence, score];
  }
  return best;
}

/** JSON that was not read as a whole: cut by the end of the text, or with quotes that are not escaped. */
function inJsonText(text: string, wanted: Wanted): Program {
  const read = parseLenient(text, 0);
  const found = read && inValue(read.value, wanted);
  if (read && found && found !== "cut" && found.code.trim() !== "" && !read.cutInString) return found;
  const broken = /["'}\]]\s*$/.test(text) ? codeInBrokenJson(text) : null;
  const cut = read?.cutInString ? codeInJson(read.value) : null;
  if ((broken && !read) || !cut?.trim()) return broken === null ? null : { code: broken };
  return wanted.as === "answer" || wanted.language.isWhole(tidy(cut, wanted.language)) ? { code: cut } : "cut";
}

/** The program in a string whose quotes were not escaped (`{"code": "print("hi")"}`) or that has no quotes at all. */
function codeInBrokenJson(text: string): string | null {
  const key = /["']?(?:code|python|javascript|source|script|program|input|query)["']?\s*[:=]\s*/i.exec(text);
  if (!key) return null;
  const from = key.index + key[0].length;
  const quote = /^(?:"""|'''|["'`])/.exec(text.slice(from, from + 3))?.[0] ?? "";
  const tail = text.slice(-2000);
  const other = /,\s*["'](?:harness|timeout(?:_?ms)?)["']\s*:[^}]*}?\s*$/i.exec(tail);
  const limit = other ? text.length - tail.length + other.index : text.lastIndexOf("}");
  const stop = limit <= from ? text.length : limit;
  const end = quote === "" ? stop : text.lastIndexOf(quote, stop - 1);
  if (end <= from + quote.length - 1) return null;
  const content = text.slice(from + quote.length, end);
  return content.includes("\n") ? content.replaceAll('\\"', '"') : unescapeText(content);
}

/** Code in text that is neither JSON nor in a fence: bare, in `<code>` tags or between single back quotes. */
function inText({ text }: Source, { language, as }: Wanted): Program {
  const bare = language.bareCode(text);
  if (bare !== null && language.definesSomething(bare)) return { code: bare };
  const tagged = /<code>(?:[ \t]*\n)?([\s\S]*?)\s*(?:<\/code>(?![\s\S]*<\/code>)|$)/i.exec(text)?.[1];
  const quoted = /^[^`]*`([^`]+)`[^`]*$/.exec(text)?.[1] ?? "";
  const marked = tagged ?? (language.looksLikeCode(quoted) ? quoted : null);
  if (marked !== null) return { code: marked };
  if (as === "answer" || !language.looksLikeCode(text)) return null;
  return { code: dedentCode(bare ?? text) };
}

function inEarlier({ earlier, text }: Source, { language, as }: Wanted): Program {
  if (as === "input") return earlier.findLast(({ code, tag }) => mayBe(tag, language) && code.trim() !== "") ?? null;
  const bare = language.bareCode(text);
  const shown = bestFence(
    earlier.filter(({ code }) => language.definesSomething(code)),
    language,
  );
  return shown ?? (bare === null ? null : { code: bare });
}

const WRAPPERS = "input args arguments parameters params action_input tool_input kwargs".split(" ");

/** Takes outer keys off: `{"input": {…}}`, `{"name": …, "arguments": …}`, an object as a JSON string. */
function unwrap(tool: string, value: unknown, tools: readonly string[]): unknown {
  const object: unknown = typeof value === "string" && /^\s*\{/.test(value) ? (jsonIn(value) ?? value) : value;
  if (!isObject(object)) return value;
  const call = callInJson(object, tools);
  if (call && toolNamed(call.name, tools) === tool && call.input !== object) return unwrap(tool, call.input, tools);
  const inner: unknown = Object.keys(object).length === 1 ? firstOf(object, WRAPPERS) : undefined;
  const unwrapped = inner === undefined ? object : unwrap(tool, inner, tools);
  return isObject(unwrapped) ? unwrapped : object;
}

/** The object for a tool that takes no program; `cut` where the text ended inside it. */
export function objectIn(
  tool: string,
  source: Source,
  tools: readonly string[],
): Record<string, unknown> | "cut" | null {
  const { value, fences, text } = source;
  for (const candidate of [value, ...fences.map(({ code }) => jsonIn(code))]) {
    const input = unwrap(tool, candidate, tools);
    if (isObject(input)) return input;
  }
  const start = text.search(/[^\s`*]/);
  const read = start === -1 ? null : parseLenient(text, start);
  if (start === -1 || read?.cutInString) return read ? "cut" : {};
  const input = read && unwrap(tool, read.value, tools);
  return isObject(input) ? input : null;
}

/** The answer as text; the whole text unless it came as a value. */
export function textIn({ value, text }: Source): string {
  if (value === undefined) return text.trim();
  const keys = ["answer", "final_answer", "text", "output", "result", "input", "content"];
  const found: unknown = isObject(value) ? (firstOf(value, keys) ?? value) : value;
  return typeof found === "string" ? found : JSON.stringify(found);
}

/** True for no value, an empty text and an empty object. */
export const isBlank = (value: unknown): boolean =>
  (value ?? "") === "" || (isObject(value) && Object.keys(value).length === 0);

/** True where there is no program, or an empty one, and nothing that was meant to be one. */
export function holdsNothing({ value, text }: Source, tools: readonly string[]): boolean {
  const given = codeInJson(unwrap(CODE_TOOL, value, tools));
  return given === null ? isBlank(value) && /^[\s{}]*$/.test(text) : given.trim() === "";
}
