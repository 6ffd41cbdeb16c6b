/** Decides what the pieces of a reply mean: an action, an answer, or what is wrong with them. */
import type { Language } from "../../utils/languages/language.ts";
import { python } from "../../utils/languages/python/index.ts";
import type { FormatError } from "../reply.ts";
import { splitAction, startsWithFence } from "./action-line.ts";
import { codeOf, textOf } from "./answer.ts";
import { callInJson, callInPython, isObject } from "./calls.ts";
import { bestFence, codeInJson, tidy } from "./code.ts";
import type { Segment } from "./cutter.ts";
import type { Fence } from "./fences.ts";
import { parseLenient } from "./lenient-json.ts";
import { readInput, type Source } from "./payload.ts";
import * as problem from "./problems.ts";
import { ANSWER_TOOL, CODE_TOOL, knownNames, toolNamed } from "./tool-names.ts";

export interface ParseOptions {
  /** Names of the tools that the model may use. */
  tools: readonly string[];
  /** What a final answer is: a program, or any text. */
  answer: "code" | "text";
  /** What code is written in. Default: Python. */
  language?: Language;
}

const languageOf = ({ language = python }: ParseOptions): Language => language;

export interface Failure {
  error: FormatError;
  problem: string;
  /** True where an action was only described ("Action: fix the loop"), so that the rest of the reply may say more. */
  isDescription?: boolean;
}

export type Meaning = { tool: string; input: Record<string, unknown> } | { answer: string } | Failure;

/**
 * What the segment at `at` means on its own and with the input that belongs to it; null where it is no step.
 * @param earlier the fences of all segments before it
 */
export function meaningOf(
  segments: readonly Segment[],
  at: number,
  earlier: Fence[],
  options: ParseOptions,
): Meaning | null {
  const segment = segments[at];
  if (segment?.label === "call" && segment.call)
    return meaningOfCall(segment.call.name, sourceOf(segment.call.input, options), options);
  if (segment?.label === "action") return meaningOfAction(segment, inputAfter(segments, at), earlier, options);
  if (segment?.label === "input" && !followsAction(segments, at)) return meaningOfInput(segment, earlier, options);
  if (segment?.label === "answer") return meaningOfAnswer({ ...sourceIn(segment, options), earlier }, options);
  return null;
}

const sourceOf = (value: unknown, options: ParseOptions): Source => ({
  value,
  fences: [],
  text: "",
  earlier: [],
  language: languageOf(options),
});

const sourceIn = ({ json, call, fences, text }: Segment, options: ParseOptions): Source => ({
  value: json ? json.value : call?.input,
  fences,
  text,
  earlier: [],
  language: languageOf(options),
});

/** The input segment of the action at `at`; thoughts may stand between them. */
function inputAfter(segments: readonly Segment[], at: number): Segment | null {
  const next = segments.slice(at + 1).find(({ label }) => label !== "think" && label !== "thought");
  return next?.label === "input" ? next : null;
}

function followsAction(segments: readonly Segment[], at: number): boolean {
  const before = segments.slice(0, at).findLast(({ label }) => label !== "think" && label !== "thought");
  return before?.label === "action";
}

/** What a call by name means, be it a tool's or the final answer's. */
export function meaningOfCall(written: string, source: Source, options: ParseOptions): Meaning {
  const tool = toolNamed(written, options.tools);
  if (tool === null) return problem.unknownTool(written, options.tools);
  if (tool === ANSWER_TOOL && !options.tools.includes(tool)) return meaningOfAnswer(source, options);
  const read = readInput(tool, source, options.tools);
  return "input" in read ? { tool, input: read.input } : problem.badInput(tool, read);
}

function meaningOfAction(action: Segment, input: Segment | null, earlier: Fence[], options: ParseOptions): Meaning {
  const { name, rest, fences } = splitAction(action, options.tools);
  const own: Source = { value: undefined, fences, text: rest, earlier, language: languageOf(options) };
  const given = input ? { ...sourceIn(input, options), earlier } : own;
  const value = action.json?.value ?? (startsWithFence(action) ? jsonIn(action.fences[0]) : undefined);
  const json = callInJson(value, options.tools);
  if (json)
    return meaningOfCall(json.name, { ...given, value: isBlank(json.input) ? given.value : json.input }, options);
  if (action.call) {
    const argument = isBlank(action.call.input) && input ? given.value : action.call.input;
    return meaningOfCall(action.call.name, { ...given, value: argument }, options);
  }
  if (name !== "") return meaningOfCall(name, input && hasContent(given) ? given : { ...own, value }, options);
  const isProgram =
    fences.some(({ tag }) => tag === "" || languageOf(options).mayBe(tag)) ||
    /^\s*(?:print\(|import |from |def |class |assert |console\.|function |const |let )/.test(rest);
  const definesMore = fences.some(({ code }) => languageOf(options).definesSomething(code));
  if (options.tools.includes(CODE_TOOL) && (value !== undefined || isProgram) && !definesMore) {
    return meaningOfCall(CODE_TOOL, { ...own, value }, options);
  }
  const written = rest.trim().split("\n", 1)[0] ?? "";
  return { ...problem.unknownTool(written, options.tools), isDescription: written === "" || /\s/.test(written) };
}

/** The value of a fence that holds JSON; undefined where it holds something else. */
const jsonIn = (fence: Fence | undefined): unknown =>
  fence && /^\s*[{[]/.test(fence.code) ? parseLenient(fence.code, 0)?.value : undefined;

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (isObject(value) && Object.keys(value).length === 0);

const hasContent = ({ value, fences, text }: Source): boolean =>
  value !== undefined || fences.length > 0 || text.trim() !== "";

/** An input with no action before it; with a tool that takes programs around there is little else it can be for. */
function meaningOfInput(segment: Segment, earlier: Fence[], options: ParseOptions): Meaning {
  const call = segment.json ? callInJson(segment.json.value, options.tools) : null;
  if (call && toolNamed(call.name, options.tools) !== null)
    return meaningOfCall(call.name, sourceOf(call.input, options), options);
  const tool = options.tools.includes(CODE_TOOL)
    ? CODE_TOOL
    : options.tools.length === 1
      ? options.tools[0]
      : undefined;
  return tool === undefined
    ? problem.noAction(options)
    : meaningOfCall(tool, { ...sourceIn(segment, options), earlier }, options);
}

/** A final answer. */
function meaningOfAnswer(source: Source, options: ParseOptions): Meaning {
  const answer = options.answer === "text" ? textOf(source) : codeOf(source);
  return answer === null || answer.trim() === "" ? problem.noCode(options) : { answer };
}

/** What a reply without any usable label means; see `parseReply`. */
export function meaningWithoutLabels(segments: readonly Segment[], options: ParseOptions): Meaning {
  const spoken = segments.filter(({ label }) => label === "text" || label === "thought" || label === "action");
  const fences = spoken.flatMap((segment) => segment.fences);
  const values = [...spoken.map(({ json }) => json?.value), ...fences.map(jsonIn)];
  for (const value of values) {
    const meaning = isObject(value) || Array.isArray(value) ? meaningOfJson(value, options) : null;
    if (meaning) return meaning;
  }
  const text = spoken.map((segment) => segment.text).join("\n");
  const called = callOnALine(text, options.tools);
  if (called) return meaningOfCall(called.name, sourceOf(called.input, options), options);
  const fence = bestFence(fences, languageOf(options));
  if (fence && options.answer === "code" && languageOf(options).definesSomething(fence.code))
    return { answer: tidy(fence.code, languageOf(options)) };
  if (fence && options.tools.includes(CODE_TOOL))
    return meaningOfCall(CODE_TOOL, { ...sourceOf(undefined, options), fences: [fence] }, options);
  const bare = options.answer === "code" ? languageOf(options).bareCode(text) : null;
  if (bare !== null && languageOf(options).definesSomething(bare)) return { answer: bare };
  return segments.every((segment) => segment.text.trim() === "") ? problem.empty(options) : problem.noAction(options);
}

function meaningOfJson(value: object, options: ParseOptions): Meaning | null {
  const call = callInJson(value, options.tools);
  if (call)
    return toolNamed(call.name, options.tools) === null
      ? null
      : meaningOfCall(call.name, sourceOf(call.input, options), options);
  if (!isObject(value) || codeInJson(value) === null || typeof value.code !== "string") return null;
  return meaningOfCall(options.tools.includes(CODE_TOOL) ? CODE_TOOL : ANSWER_TOOL, sourceOf(value, options), options);
}

/** A line that starts with a tool's name and its arguments. */
function callOnALine(text: string, tools: readonly string[]): { name: string; input: unknown } | null {
  const isTool = knownNames(tools);
  for (const found of text.matchAll(/^[ \t`*]*([A-Za-z][\w\\]{0,60})(?=[ \t]*[({])/gm)) {
    const call = isTool(found[1] ?? "") ? callInPython(text, found.index) : null;
    if (call) return call;
  }
  return null;
}
