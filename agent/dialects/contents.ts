/** Finds the program, the object or the text that a step holds, however it is written. */
import type { Language } from "../../utils/languages/language.ts";
import { dedentCode } from "../../utils/languages/python/indent.ts";
import { BESIDE, callInJson, firstOf, isObject } from "./calls.ts";
import { type Fence, fenceAt, isOf } from "./fences.ts";
import { jsonIn, type Lenient, parseLenient, unescapeText } from "./lenient_json.ts";
import { toolNamed } from "./tool_names.ts";

/** What a step may hold its content in. */
export interface Content {
  text: string;
  fences: readonly Fence[];
  /** Fences that stand before the step, for a model that shows its program first and then says "run it". */
  earlier: readonly Fence[];
  /** What came as the input of a call; undefined where there was none. */
  value?: unknown;
  /** How the value was written. */
  form?: string;
}

export const NOTHING: Content = { text: "", fences: [], earlier: [] };

interface Wanted {
  /** A program to run, with the arguments that stand beside it, or one to answer with. */
  as: "input" | "answer";
  language: Language;
}

/** A program and the arguments beside it; `cut` where the text ended inside it. */
type Program = { code: string; others?: [string, unknown][] } | "cut" | null;

/** What may be JSON in a content, and what was read of it. */
interface Json {
  json: string;
  read: Lenient | null;
}

/** The ways to write a program, by their names as dialects, in the order in which they are tried. */
const FORMS: readonly [string, (content: Content & Json, wanted: Wanted) => Program][] = [
  ["json", (content) => inValue(content.value === undefined ? whole(content) : content.value)],
  ["fence", inFence],
  ["broken json", inBrokenJson],
  ["bare code", inText],
  ["earlier fence", inEarlier],
];

/** A program, the arguments beside it and the name of its form; or what is wrong. */
type Named =
  | { name: string; code: string; others?: [string, unknown][] }
  | { name: "cutInput" | "noCode" | "badInput"; code?: undefined; others?: undefined };

/** The program of a step. */
export function programIn(content: Content, wanted: Wanted): Named {
  const start = content.text.replace(/^(?:(?:[ \t]*\n)+|[ \t]+(?=\S))/, "").trimEnd();
  const text = wanted.as === "input" ? start.replace(/^code\s*:\s*(?=\S)/i, "") : start;
  let isEmpty = /^[\s{}]*$/.test(text) && isBlank(content.value);
  const json = typeof content.value === "string" ? content.value : text;
  const read = parseLenient(json, 0);
  for (const [name, find] of FORMS) {
    const found = find({ ...content, text, json, read }, wanted);
    if (found === "cut") return { name: "cutInput" };
    const code = found ? tidy(found.code, wanted.language, name === "json" && wanted.as === "answer") : "";
    if (code.trim() !== "") return { ...found, name: name === "json" ? (content.form ?? name) : name, code };
    isEmpty ||= found !== null;
  }
  return { name: isEmpty ? "noCode" : "badInput" };
}

/** True for no value, an empty text and an empty object. */
export const isBlank = (value: unknown): boolean =>
  (value ?? "") === "" || (isObject(value) && Object.keys(value).length === 0);

/** The value of JSON that is whole; a string must stand alone. */
const whole = ({ json, read }: Json): unknown =>
  read?.cutInString || (typeof read?.value === "string" && json.slice(read.end).trim() !== "")
    ? undefined
    : read?.value;

const KEYS =
  "code python python_code source source_code script program query input arguments args parameters params action_input tool_input snippet content command cmd text value arg __arg1 function solution final_code fixed_code answer final_answer result output completion".split(
    " ",
  );

/** The program in a JSON value: a string, a list of lines, or what an object holds under any usual name. */
function inValue(value: unknown, depth = 0): Exclude<Program, "cut"> {
  if (Array.isArray(value))
    return value.length > 0 && value.every((line) => typeof line === "string") ? { code: value.join("\n") } : null;
  if (typeof value === "string") return /^\s*\{\s*["']/.test(value) ? inValue(jsonIn(value), depth) : { code: value };
  if (!isObject(value) || depth > 50) return null;
  const entries = Object.entries(value);
  const key = KEYS.find((one) => Object.hasOwn(value, one)) ?? (entries.length === 1 ? entries[0]?.[0] : undefined);
  const found = key === undefined ? null : inValue(value[key], depth + 1);
  // A tool's other arguments (a harness, a timeout) stay.
  return found && { others: entries.filter(([other]) => other !== key && !BESIDE.includes(other)), ...found };
}

/** `code` as it was meant: a fence around it, and prose around that, taken off, doubly escaped line breaks made real. */
function tidy(code: string, language: Language, mayBeProse: boolean): string {
  const at = code.search(/[`~]{3}/);
  const before = code.slice(0, Math.max(0, at));
  const isProse = before.trim() === "" || (mayBeProse && /^\s*[A-Z]/.test(before) && !language.looksLikeCode(before));
  const fence = at !== -1 && isProse ? fenceAt(code, at, 0, language, { left: 50_000 }) : null;
  if (fence?.code.trim()) return fence.code;
  if (code.includes("\n") || !code.includes("\\n") || language.isSound(code)) return code;
  const unescaped = unescapeText(code);
  return language.isSound(unescaped) ? unescaped : code;
}

const mayBe = ({ tag, code }: Fence, language: Language): boolean => isOf(language, tag) && code.trim() !== "";

/** An answer is the fence that defines something; an input the first one, as a later one shows what it would print. */
function inFence({ fences }: Content, wanted: Wanted): Program {
  const { language, as } = wanted;
  const best = as === "answer" ? bestFence(fences, language) : null;
  if (best && language.definesSomething(best.code)) return best;
  for (const { code } of fences) {
    const content = { json: code, read: parseLenient(code, 0) };
    const found = /^\s*[{[]/.test(code) ? (inValue(whole(content)) ?? inBrokenJson(content, wanted)) : null;
    if (found) return found;
  }
  if (as === "answer") return best;
  const first = fences.find((fence) => mayBe(fence, language));
  return first && !first.closed && !language.isWhole(first.code) ? "cut" : (first ?? null);
}

/** The fence that holds an answer: of those that define something the last, as models show the buggy function first. */
export function bestFence(fences: readonly Fence[], language: Language): Fence | null {
  const defining = fences.filter(({ code }) => language.definesSomething(code));
  const [own, ofLanguage] = [fences, defining].map((some) => some.filter((fence) => mayBe(fence, language)));
  return ofLanguage?.findLast(({ closed }) => closed) ?? ofLanguage?.at(-1) ?? defining.at(-1) ?? own?.at(-1) ?? null;
}

const CODE_KEY = /["']?(?:code|source|script|program|input|query)["']?\s*[:=]\s*("""|'''|["'`])?/i;

/** JSON that is cut by the end of the text, or with quotes that are not escaped (`{"code": "print("hi")"}`) or missing. */
function inBrokenJson({ json: text, read }: Json, { as, language }: Wanted): Program {
  if (!/^\s*["'{[]/.test(text)) return null;
  const cut = read?.cutInString ? inValue(read.value) : null;
  if (cut?.code.trim()) return as === "answer" || language.isWhole(cut.code) ? cut : "cut";
  const key = /["'}\]]\s*$/.test(text.slice(-200)) ? CODE_KEY.exec(text) : null;
  if (!key) return null;
  const { 0: opening, 1: quote = "" } = key;
  const from = key.index + opening.length;
  const limit = text.lastIndexOf("}");
  const end = quote === "" ? limit : text.lastIndexOf(quote, (limit > from ? limit : text.length) - 1);
  if (end < from) return null;
  const code = text.slice(from, end);
  return { code: code.includes("\n") ? code.replaceAll('\\"', '"') : unescapeText(code) };
}

/** Code in text that is neither JSON nor in a fence. */
function inText({ text }: Content, { language, as }: Wanted): Program {
  const bare = language.bareCode(text);
  if (bare !== null && language.definesSomething(bare)) return { code: bare };
  return as === "input" && language.looksLikeCode(text) ? { code: dedentCode(bare ?? text) } : null;
}

function inEarlier({ earlier }: Content, { language, as }: Wanted): Program {
  if (as === "input") return earlier.findLast((fence) => mayBe(fence, language)) ?? null;
  return bestFence(
    earlier.filter(({ code }) => language.definesSomething(code)),
    language,
  );
}

/** The object for a tool that takes no program; or what is wrong. */
export function objectIn(
  tool: string,
  { value, fences, text }: Content,
  tools: readonly string[],
): Record<string, unknown> | "cutInput" | "badInput" {
  const start = text.search(/[^\s`*]/);
  const read = value === undefined && start !== -1 ? parseLenient(text, start) : null;
  if (read?.cutInString) return "cutInput";
  for (const given of [value, ...fences.map(({ code }) => jsonIn(code)), read?.value]) {
    const call = callInJson(given, tools);
    const input = call && toolNamed(call.name, tools) === tool ? call.input : given;
    const object = typeof input === "string" ? jsonIn(input) : input;
    if (isObject(object)) return object;
  }
  return isBlank(value) && start === -1 ? {} : "badInput";
}

/** The answer as text; the whole text unless it came as a value. */
export function textIn({ value, text }: Content): string {
  if (value === undefined) return text.trim();
  const keys = ["answer", "final_answer", "text", "output", "result", "input", "content"];
  const found: unknown = isObject(value) ? (firstOf(value, keys) ?? value) : value;
  return typeof found === "string" ? found : JSON.stringify(found);
}
