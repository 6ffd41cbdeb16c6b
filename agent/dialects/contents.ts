/** Finds the program, the object or the text that a step holds, however it is written. */

import { parseLenient, unescapeText, wholeJson } from "../../utils/base/data/lenient_json.ts";
import type { Language } from "../../utils/languages/language.ts";
import { dedentCode } from "../../utils/languages/python/indent.ts";
import { BESIDE, callInJson, isBlank, isObject } from "./calls.ts";
import { bestFence, fenceAt, holdsEdits } from "./fences.ts";
import type { Problem } from "./problems.ts";
import type { WrittenStep } from "./steps.ts";
import { toolNamed } from "./tool_names.ts";

interface FoundProgram {
  code: string;
  /** The arguments beside it. */
  others?: Record<string, unknown>;
  /** True where the text ended inside it. */
  isCut?: boolean;
}

/** A step that holds a program, to be run or as the answer. `json` is the text that may be JSON. */
interface ProgramSource extends WrittenStep {
  language: Language;
  isAnswer: boolean;
  json: string;
}

/** The ways to write a program, by their names as dialects, in the order in which they are tried. */
const FORMS: readonly [string, (source: ProgramSource) => FoundProgram | null][] = [
  ["json", ({ value, json }) => inValue(value ?? wholeJson(json))],
  ["edits", inEdits],
  ["fence", inFence],
  ["broken json", inBrokenJson],
  ["bare code", inText],
  ["earlier fence", inEarlier],
];

/** The program of a step and the name of its form; or what is wrong. */
export function programIn(
  step: WrittenStep,
  language: Language,
  isAnswer: boolean,
): (FoundProgram & { form: string }) | Problem {
  const start = step.text.replace(/^(?:(?:[ \t]*\n)+|[ \t]+(?=\S))/, "").trimEnd();
  const text = isAnswer ? start : start.replace(/^code\s*:\s*(?=\S)/i, "");
  const json = typeof step.value === "string" ? step.value : text;
  const source = { ...step, text, json, language, isAnswer };
  let isEmpty = /^[\s{}]*$/.test(text) && isBlank(step.value);
  for (const [form, find] of FORMS) {
    const found = find(source);
    if (found?.isCut) return "cutInput";
    const code = !found ? "" : form === "edits" ? found.code : tidy(found.code, language, form === "json" && isAnswer);
    if (code.trim() !== "") return { ...found, form: form === "json" ? (step.form ?? form) : form, code };
    isEmpty ||= found !== null;
  }
  return isEmpty ? "noCode" : "badInput";
}

const KEYS =
  `code python python_code source source_code script program query input arguments args parameters params action_input
  tool_input snippet content command cmd text value arg __arg1 function solution final_code fixed_code answer
  final_answer result output completion`.split(/\s+/);

/** The program in a JSON value: a string, a list of lines, or what an object holds under any usual name. */
function inValue(value: unknown, depth = 0): FoundProgram | null {
  if (Array.isArray(value)) return value.every((line) => typeof line === "string") ? { code: value.join("\n") } : null;
  if (typeof value === "string")
    return /^\s*\{\s*["']/.test(value) ? inValue(wholeJson(value), depth) : { code: value };
  if (!isObject(value) || depth > 50) return null;
  const keys = Object.keys(value);
  const key = KEYS.find((one) => keys.includes(one)) ?? (keys.length === 1 ? keys[0] : undefined);
  const found = key === undefined ? null : inValue(value[key], depth + 1);
  // A tool's other arguments (a harness, a timeout) stay.
  const others = Object.entries(value).filter(([other]) => other !== key && !BESIDE.includes(other));
  return found && { others: Object.fromEntries(others), ...found };
}

/** `code` as it was meant: no fence and no prose around it, real line breaks where they were escaped twice. */
function tidy(code: string, language: Language, mayBeProse: boolean): string {
  const at = code.search(/[`~]{3}/);
  const before = code.slice(0, Math.max(0, at));
  const isProse = before.trim() === "" || (mayBeProse && /^\s*[A-Z]/.test(before) && !language.looksLikeCode(before));
  const fence = at !== -1 && isProse ? fenceAt(code, at, 0, language, { left: 50_000 }) : null;
  const bare = fence?.code.trim() ? fence.code : code;
  const isEscaped = !bare.includes("\n") && bare.includes("\\n") && !language.isSound(bare);
  const unescaped = isEscaped ? unescapeText(bare) : bare;
  return language.isSound(unescaped) ? unescaped : bare;
}

/** Edits of the program in its place, as the model wrote them; they are made when the answer is judged. */
function inEdits({ text, fences, isAnswer, language }: ProgramSource): FoundProgram | null {
  return isAnswer && holdsEdits(text, fences, language) ? { code: text } : null;
}

/** An answer is the fence that defines something, an input the first: a later one shows what that would print. */
function inFence(source: ProgramSource): FoundProgram | null {
  const { fences, isAnswer, language } = source;
  const best = isAnswer ? bestFence(fences, language) : fences.find((fence) => fence.isOwn);
  if (isAnswer && best && language.definesSomething(best.code)) return best;
  for (const { code: json } of fences.filter(({ code }) => /^\s*[{[]/.test(code))) {
    const found = inValue(wholeJson(json)) ?? inBrokenJson({ ...source, json });
    if (found) return found;
  }
  return best ? { code: best.code, isCut: !isAnswer && !best.closed && !language.isWhole(best.code) } : null;
}

const CODE_KEY = /["']?(?:code|source|script|program|input|query)["']?\s*[:=]\s*("""|'''|["'`])?/i;

/**
 * JSON that is cut by the end of the text, or with quotes that are not escaped (`{"code": "print("hi")"}`) or missing.
 */
function inBrokenJson({ json, isAnswer, language }: ProgramSource): FoundProgram | null {
  if (!/^\s*["'{[]/.test(json)) return null;
  const read = parseLenient(json);
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
function inText({ text, isAnswer, language }: ProgramSource): FoundProgram | null {
  const bare = language.bareCode(text);
  if (bare !== null && language.definesSomething(bare)) return { code: bare };
  return !isAnswer && language.looksLikeCode(text) ? { code: dedentCode(bare ?? text) } : null;
}

function inEarlier({ earlier, isAnswer, language }: ProgramSource): FoundProgram | null {
  const best = isAnswer ? bestFence(earlier, language) : earlier.findLast((fence) => fence.isOwn);
  return best && (!isAnswer || language.definesSomething(best.code)) ? best : null;
}

/** The object for a tool that takes no program; or what is wrong. */
export function objectIn(
  tool: string,
  { value, fences, text }: WrittenStep,
  tools: readonly string[],
): Record<string, unknown> | Problem {
  const json = value ?? text.replace(/^[\s`*]+/, "");
  const read = typeof json === "string" ? parseLenient(json) : null;
  if (read?.cutInString) return "cutInput";
  for (const given of [value, ...fences.map(({ code }) => wholeJson(code)), read?.value]) {
    const call = callInJson(given, tools);
    const input = call && toolNamed(call.name, tools) === tool ? call.input : given;
    const object = typeof input === "string" ? wholeJson(input) : input;
    if (isObject(object)) return object;
  }
  return isBlank(json) ? {} : "badInput";
}

/** The answer as text; the whole text unless it came as a value. */
export const textIn = ({ value, text }: WrittenStep): string =>
  value === undefined ? text.trim() : (inValue(value)?.code ?? JSON.stringify(value));
