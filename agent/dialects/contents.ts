/** Finds the program, the object or the text that a step holds, however it is written. */
import type { Language } from "../../utils/languages/language.ts";
import { dedentCode } from "../../utils/languages/python/indent.ts";
import { BESIDE, callInJson, isObject } from "./calls.ts";
import { type Fence, fenceAt } from "./fences.ts";
import { type Lenient, parseLenient, unescapeText } from "./lenient_json.ts";
import type { Problem } from "./problems.ts";
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

interface Program {
  code: string;
  /** The arguments beside it. */
  others?: [string, unknown][];
  /** True where the text ended inside it. */
  isCut?: boolean;
}

/** What is to be read: a program to answer with, or one to run; `json` may be JSON, of which `read` was read. */
interface Source extends Content {
  language: Language;
  isAnswer: boolean;
  json: string;
  read: Lenient | null;
}

/** The ways to write a program, by their names as dialects, in the order in which they are tried. */
const FORMS: readonly [string, (source: Source) => Program | null][] = [
  ["json", ({ value, json, read }) => inValue(value === undefined ? whole(json, read) : value)],
  ["fence", inFence],
  ["broken json", inBrokenJson],
  ["bare code", inText],
  ["earlier fence", inEarlier],
];

/** The program of a step and the name of its form; or what is wrong. */
export function programIn(
  content: Content,
  language: Language,
  isAnswer: boolean,
): (Program & { form: string }) | Problem {
  const start = content.text.replace(/^(?:(?:[ \t]*\n)+|[ \t]+(?=\S))/, "").trimEnd();
  const text = isAnswer ? start : start.replace(/^code\s*:\s*(?=\S)/i, "");
  const json = typeof content.value === "string" ? content.value : text;
  const source = { ...content, text, json, read: parseLenient(json), language, isAnswer };
  let isEmpty = /^[\s{}]*$/.test(text) && isBlank(content.value);
  for (const [form, find] of FORMS) {
    const found = find(source);
    if (found?.isCut) return "cutInput";
    const code = found ? tidy(found.code, language, form === "json" && isAnswer) : "";
    if (code.trim() !== "") return { ...found, form: form === "json" ? (content.form ?? form) : form, code };
    isEmpty ||= found !== null;
  }
  return isEmpty ? "noCode" : "badInput";
}

/** True for no value, an empty text and an empty object. */
export const isBlank = (value: unknown): boolean =>
  (value ?? "") === "" || (isObject(value) && Object.keys(value).length === 0);

/** The value of JSON that is whole; a string must stand alone. */
function whole(json: string, read = parseLenient(json)): unknown {
  const isPart = typeof read?.value === "string" && json.slice(read.end).trim() !== "";
  return read?.cutInString || isPart ? undefined : read?.value;
}

const KEYS =
  "code python python_code source source_code script program query input arguments args parameters params action_input tool_input snippet content command cmd text value arg __arg1 function solution final_code fixed_code answer final_answer result output completion".split(
    " ",
  );

/** The program in a JSON value: a string, a list of lines, or what an object holds under any usual name. */
function inValue(value: unknown, depth = 0): Program | null {
  if (Array.isArray(value)) return value.every((line) => typeof line === "string") ? { code: value.join("\n") } : null;
  if (typeof value === "string") return /^\s*\{\s*["']/.test(value) ? inValue(whole(value), depth) : { code: value };
  if (!isObject(value) || depth > 50) return null;
  const keys = Object.keys(value);
  const key = KEYS.find((one) => keys.includes(one)) ?? (keys.length === 1 ? keys[0] : undefined);
  const found = key === undefined ? null : inValue(value[key], depth + 1);
  // A tool's other arguments (a harness, a timeout) stay.
  const others = Object.entries(value).filter(([other]) => other !== key && !BESIDE.includes(other));
  return found && { others, ...found };
}

/** `code` as it was meant: a fence around it, and prose around that, taken off, doubly escaped line breaks made real. */
function tidy(code: string, language: Language, mayBeProse: boolean): string {
  const at = code.search(/[`~]{3}/);
  const before = code.slice(0, Math.max(0, at));
  const isProse = before.trim() === "" || (mayBeProse && /^\s*[A-Z]/.test(before) && !language.looksLikeCode(before));
  const fence = at !== -1 && isProse ? fenceAt(code, at, 0, language, { left: 50_000 }) : null;
  if (fence?.code.trim()) return fence.code;
  const isEscaped = !code.includes("\n") && code.includes("\\n") && !language.isSound(code);
  const unescaped = isEscaped ? unescapeText(code) : code;
  return language.isSound(unescaped) ? unescaped : code;
}

/** The fence that holds an answer: of those that define something the last, as models show the buggy function first. */
export function bestFence(fences: readonly Fence[], language: Language): Fence | null {
  const defining = fences.filter(({ code }) => language.definesSomething(code));
  const own = defining.filter(isOwn);
  return own.findLast(({ closed }) => closed) ?? own.at(-1) ?? defining.at(-1) ?? fences.findLast(isOwn) ?? null;
}

const isOwn = (fence: Fence): boolean => fence.isOwn && fence.code.trim() !== "";

/** An answer is the fence that defines something; an input the first one, as a later one shows what it would print. */
function inFence(source: Source): Program | null {
  const { fences, isAnswer, language } = source;
  const best = isAnswer ? bestFence(fences, language) : fences.find(isOwn);
  if (isAnswer && best && language.definesSomething(best.code)) return best;
  for (const { code: json } of fences.filter(({ code }) => /^\s*[{[]/.test(code))) {
    const found = inValue(whole(json)) ?? inBrokenJson({ ...source, json, read: parseLenient(json) });
    if (found) return found;
  }
  return best ? { code: best.code, isCut: !isAnswer && !best.closed && !language.isWhole(best.code) } : null;
}

const CODE_KEY = /["']?(?:code|source|script|program|input|query)["']?\s*[:=]\s*("""|'''|["'`])?/i;

/** JSON that is cut by the end of the text, or with quotes that are not escaped (`{"code": "print("hi")"}`) or missing. */
function inBrokenJson({ json, read, isAnswer, language }: Source): Program | null {
  if (!/^\s*["'{[]/.test(json)) return null;
  const cut = read?.cutInString ? inValue(read.value) : null;
  if (cut?.code.trim()) return { ...cut, isCut: !isAnswer && !language.isWhole(cut.code) };
  const key = /["'}\]]\s*$/.test(json.slice(-200)) ? CODE_KEY.exec(json) : null;
  if (!key) return null;
  const { 0: opening, 1: quote = "" } = key;
  const from = key.index + opening.length;
  const limit = json.lastIndexOf("}");
  const end = quote === "" ? limit : json.lastIndexOf(quote, (limit > from ? limit : json.length) - 1);
  const code = json.slice(from, end);
  return end < from ? null : { code: code.includes("\n") ? code.replaceAll('\\"', '"') : unescapeText(code) };
}

/** Code in text that is neither JSON nor in a fence. */
function inText({ text, isAnswer, language }: Source): Program | null {
  const bare = language.bareCode(text);
  if (bare !== null && language.definesSomething(bare)) return { code: bare };
  return !isAnswer && language.looksLikeCode(text) ? { code: dedentCode(bare ?? text) } : null;
}

function inEarlier({ earlier, isAnswer, language }: Source): Program | null {
  const best = isAnswer ? bestFence(earlier, language) : earlier.findLast(isOwn);
  return best && (!isAnswer || language.definesSomething(best.code)) ? best : null;
}

/** The object for a tool that takes no program; or what is wrong. */
export function objectIn(
  tool: string,
  { value, fences, text }: Content,
  tools: readonly string[],
): Record<string, unknown> | Problem {
  const start = text.search(/[^\s`*]/);
  const read = value === undefined && start !== -1 ? parseLenient(text, start) : null;
  if (read?.cutInString) return "cutInput";
  for (const given of [value, ...fences.map(({ code }) => whole(code)), read?.value]) {
    const call = callInJson(given, tools);
    const input = call && toolNamed(call.name, tools) === tool ? call.input : given;
    const object = typeof input === "string" ? whole(input) : input;
    if (isObject(object)) return object;
  }
  return isBlank(value) && start === -1 ? {} : "badInput";
}

/** The answer as text; the whole text unless it came as a value. */
export const textIn = ({ value, text }: Content): string =>
  value === undefined ? text.trim() : (inValue(value)?.code ?? JSON.stringify(value));
