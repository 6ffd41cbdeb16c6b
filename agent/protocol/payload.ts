/** Turns what follows an action into the tool's input. */

import { dedentCode } from "../../utils/python/indent.ts";
import type { FormatError } from "../reply.ts";
import { callInJson, firstOf, isObject } from "./calls.ts";
import {
  bareCode,
  codeInBrokenJson,
  codeInCutJson,
  codeInJson,
  isWhole,
  looksLikeCode,
  markedCode,
  tidy,
} from "./code.ts";
import { type Fence, mayBePython } from "./fences.ts";
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
  const fromValue = codeOfValue(source.value, tools);
  if (fromValue) return fromValue;
  for (const fence of source.fences) {
    const fromJson = /^\s*[{[]/.test(fence.code) ? codeOfJson(fence.code, tools) : null;
    if (fromJson) return fromJson;
  }
  const fence = source.fences.find(({ code, tag }) => mayBePython(tag) && code.trim() !== "");
  if (fence) return fence.closed || isWhole(fence.code) ? { input: { code: tidy(fence.code) } } : CUT;
  const text = source.text.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
  if (/^\s*["']?[{[]/.test(text)) {
    const read = codeOfJson(text, tools);
    if (read) return read;
  }
  const marked = markedCode(text);
  if (marked !== null && marked.trim() !== "") return { input: { code: marked } };
  if (looksLikeCode(text)) {
    const bare = bareCode(text);
    return {
      input: {
        code: dedentCode(
          bare !== null && !looksLikeCode(text.slice(0, text.indexOf(bare))) ? bare : text.replace(/^[ \t]+/, ""),
        ),
      },
    };
  }
  const shown = source.earlier.findLast(({ code, tag }) => mayBePython(tag) && code.trim() !== "");
  if (shown) return { input: { code: tidy(shown.code) } };
  const given = codeInJson(unwrap(CODE_TOOL, source.value, tools));
  const isEmpty = given === null ? isBlank(source.value) && /^[\s{}]*$/.test(text) : given.trim() === "";
  return { error: isEmpty ? "no_code" : "bad_input", wasCut: false };
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (isObject(value) && Object.keys(value).length === 0);

const CUT: ReadInput = { error: "bad_input", wasCut: true };

function codeOfValue(value: unknown, tools: readonly string[]): ReadInput | null {
  const inner = unwrap(CODE_TOOL, value, tools);
  const code = codeInJson(inner);
  if (code === null || code.trim() === "") return null;
  // A tool's other arguments (a harness, a timeout) stay; the key that held the program does not.
  const others = isObject(inner) ? Object.entries(inner).filter(([, other]) => codeInJson(other) !== code) : [];
  return { input: { ...Object.fromEntries(others), code: tidy(code) } };
}

/** JSON that was not read as a whole: cut by the end of the text, or with quotes that are not escaped. */
function codeOfJson(text: string, tools: readonly string[]): ReadInput | null {
  const read = parseLenient(text, 0);
  if (read && !read.cutInString) {
    const whole = codeOfValue(read.value, tools);
    if (whole) return whole;
  }
  const broken = /["'}\]]\s*$/.test(text) ? codeInBrokenJson(text) : null;
  if (broken !== null && broken.trim() !== "" && !read) return { input: { code: tidy(broken) } };
  const cut = codeInCutJson(text);
  if (cut !== null && cut.trim() !== "") return isWhole(tidy(cut)) ? { input: { code: tidy(cut) } } : CUT;
  return broken === null || broken.trim() === "" ? null : { input: { code: tidy(broken) } };
}
