/** Turns what follows an action into the tool's input. */

import type { Language } from "../../utils/languages/language.ts";
import { dedentCode } from "../../utils/languages/python/indent.ts";
import type { FormatError } from "../reply.ts";
import { callInJson, firstOf, isObject } from "./calls.ts";
import { codeInBrokenJson, codeInJson, markedCode, tidy } from "./code.ts";
import type { Fence } from "./fences.ts";
import { parseLenient } from "./lenient-json.ts";
import { CODE_TOOL, toolNamed } from "./tool-names.ts";

/** Where an input may be found. */
export interface Source {
  /** The value that was read as JSON or as a call's arguments; undefined where there was none. */
  value: unknown;
  fences: Fence[];
  /** The text itself. */
  text: string;
  /** Fences that stand before the action, for a model that shows its program first and then says "run it". */
  earlier: Fence[];
  /** What code in it is written in. */
  language: Language;
}

export type ReadInput = { input: Record<string, unknown> } | { error: FormatError; wasCut: boolean };

const WRAPPERS = ["input", "args", "arguments", "parameters", "params", "action_input", "tool_input", "kwargs"];

/** The input of `tool`; an error where there is none or it cannot be read. */
export function readInput(tool: string, source: Source, tools: readonly string[]): ReadInput {
  return tool === CODE_TOOL ? codeInput(source, tools) : objectInput(tool, source, tools);
}

/** Takes outer keys off: `{"input": {…}}`, `{"name": …, "arguments": …}`, an object as a JSON string. */
function unwrap(tool: string, value: unknown, tools: readonly string[]): unknown {
  const object: unknown =
    typeof value === "string" && /^\s*\{/.test(value) ? (parseLenient(value, 0)?.value ?? value) : value;
  if (!isObject(object)) return value;
  const call = callInJson(object, tools);
  if (call && toolNamed(call.name, tools) === tool && call.input !== object) return unwrap(tool, call.input, tools);
  const inner: unknown = Object.keys(object).length === 1 ? firstOf(object, WRAPPERS) : undefined;
  const unwrapped = inner === undefined ? object : unwrap(tool, inner, tools);
  return isObject(unwrapped) ? unwrapped : object;
}

function objectInput(tool: string, { value, fences, text }: Source, tools: readonly string[]): ReadInput {
  const start = text.search(/[^\s`*]/);
  const candidates = [value, ...fences.map(({ code }) => parseLenient(code, 0)?.value)];
  for (const candidate of candidates) {
    const input = unwrap(tool, candidate, tools);
    if (isObject(input)) return { input };
  }
  if (start === -1) return { input: {} };
  const read = parseLenient(text, start);
  const input = read && !read.cutInString ? unwrap(tool, read.value, tools) : null;
  return isObject(input) ? { input } : { error: "bad_input", wasCut: read?.cutInString === true };
}

function codeInput(source: Source, tools: readonly string[]): ReadInput {
  const { language } = source;
  const text = source.text.replace(/^(?:(?:[ \t]*\n)+|[ \t]+(?=\S))/, "").trimEnd();
  const read =
    codeOfValue(source.value, tools, language) ??
    codeInFences(source.fences, tools, language) ??
    codeInText(text, tools, language);
  if (read) return read;
  const shown = source.earlier.findLast(({ code, tag }) => mayBe(tag, language) && code.trim() !== "");
  const input = shown ? inputOf(shown.code, language) : null;
  if (input) return input;
  const given = codeInJson(unwrap(CODE_TOOL, source.value, tools));
  const isEmpty = given === null ? isBlank(source.value) && /^[\s{}]*$/.test(text) : given.trim() === "";
  return { error: isEmpty ? "no_code" : "bad_input", wasCut: false };
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (isObject(value) && Object.keys(value).length === 0);

const mayBe = (tag: string, language: Language): boolean => tag === "" || language.mayBe(tag);

const CUT: ReadInput = { error: "bad_input", wasCut: true };

/** The input that holds `code`; null for no code or a blank one. */
function inputOf(code: string | null, language: Language, others: [string, unknown][] = []): ReadInput | null {
  const program = code === null ? "" : tidy(code, language);
  return program.trim() === "" ? null : { input: { ...Object.fromEntries(others), code: program } };
}

function codeOfValue(value: unknown, tools: readonly string[], language: Language): ReadInput | null {
  const inner = unwrap(CODE_TOOL, value, tools);
  if (typeof inner === "string" && /^\s*\{/.test(inner)) return inputOf(codeInBrokenJson(inner) ?? inner, language);
  const code = codeInJson(inner);
  // A tool's other arguments (a harness, a timeout) stay; the key that held the program does not.
  const others = isObject(inner) ? Object.entries(inner).filter(([, other]) => codeInJson(other) !== code) : [];
  return inputOf(code, language, others);
}

function codeInFences(fences: Fence[], tools: readonly string[], language: Language): ReadInput | null {
  for (const { code } of fences) {
    const fromJson = /^\s*[{[]/.test(code) ? codeOfJson(code, tools, language) : null;
    if (fromJson) return fromJson;
  }
  const fence = fences.find(({ code, tag }) => mayBe(tag, language) && code.trim() !== "");
  if (!fence) return null;
  return fence.closed || language.isWhole(fence.code) ? inputOf(fence.code, language) : CUT;
}

/** Code in text that is neither JSON nor in a fence. */
function codeInText(text: string, tools: readonly string[], language: Language): ReadInput | null {
  const named = /^(?:code|python|javascript)\s*:\s*(?=\S)/i.exec(text);
  if (named) return codeInText(text.slice(named[0].length), tools, language);
  const read = /^\s*["'{[]/.test(text) ? codeOfJson(text, tools, language) : null;
  const marked = read ?? inputOf(markedCode(text, language), language);
  if (marked || !language.looksLikeCode(text)) return marked;
  return inputOf(dedentCode(language.bareCode(text) ?? text), language);
}

/** JSON that was not read as a whole: cut by the end of the text, or with quotes that are not escaped. */
function codeOfJson(text: string, tools: readonly string[], language: Language): ReadInput | null {
  const read = parseLenient(text, 0);
  const whole = read && !read.cutInString ? codeOfValue(read.value, tools, language) : null;
  if (whole) return whole;
  const broken = /["'}\]]\s*$/.test(text) ? inputOf(codeInBrokenJson(text), language) : null;
  const cut = read?.cutInString ? codeInJson(read.value) : null;
  if ((broken && !read) || cut === null || cut.trim() === "") return broken;
  return language.isWhole(tidy(cut, language)) ? inputOf(cut, language) : CUT;
}
