/** Decides what the pieces of a reply mean: an action, an answer, or what is wrong with them. */
import type { FormatError } from "../reply.ts";
import { callInJson, callInPython, firstOf, isObject } from "./calls.ts";
import {
  bareCode,
  bestFence,
  codeInBrokenJson,
  codeInCutJson,
  codeInJson,
  definesSomething,
  looksLikeCode,
  markedCode,
  tidy,
} from "./code.ts";
import { type Fence, mayBePython } from "./fences.ts";
import { parseLenient } from "./lenient-json.ts";
import { readInput, type Source } from "./payload.ts";
import * as problem from "./problems.ts";
import type { Segment } from "./segments.ts";
import { ANSWER_TOOL, CODE_TOOL, sameName, toolNamed } from "./tool-names.ts";

export interface ParseOptions {
  /** Names of the tools that the model may use. */
  tools: readonly string[];
  /** What a final answer is: a program, or any text. */
  answer: "code" | "text";
}

export interface Failure {
  error: FormatError;
  problem: string;
  /** True where an action was only described ("Action: fix the loop"), so that the rest of the reply may say more. */
  isDescription?: boolean;
}

export type Meaning = { tool: string; input: Record<string, unknown> } | { answer: string } | Failure;

/** What the segment at `at` means on its own and with the input that belongs to it; null where it is no step. */
export function meaningOf(segments: readonly Segment[], at: number, options: ParseOptions): Meaning | null {
  const segment = segments[at];
  const earlier = segments.slice(0, at).flatMap(({ fences }) => fences);
  if (segment?.label === "call" && segment.call)
    return meaningOfCall(segment.call.name, sourceOf(segment.call.input), options);
  if (segment?.label === "action") return meaningOfAction(segment, inputAfter(segments, at), earlier, options);
  if (segment?.label === "input" && !followsAction(segments, at)) return meaningOfInput(segment, earlier, options);
  if (segment?.label === "answer") return meaningOfAnswer({ ...sourceIn(segment), earlier }, options);
  return null;
}

const sourceOf = (value: unknown): Source => ({ value, fences: [], text: "", earlier: [] });

const sourceIn = ({ json, call, fences, text }: Segment): Source => ({
  value: json ? json.value : call?.input,
  fences,
  text,
  earlier: [],
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
  const own: Source = { value: undefined, fences, text: rest, earlier };
  const given = input ? { ...sourceIn(input), earlier } : own;
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
    fences.some(({ tag }) => mayBePython(tag)) || /^\s*(?:print\(|import |from |def |class |assert )/.test(rest);
  const definesMore = fences.some(({ code }) => definesSomething(code));
  if (options.tools.includes(CODE_TOOL) && (value !== undefined || isProgram) && !definesMore) {
    return meaningOfCall(CODE_TOOL, { ...own, value }, options);
  }
  const written = rest.trim().split("\n", 1)[0] ?? "";
  return { ...problem.unknownTool(written, options.tools), isDescription: written === "" || /\s/.test(written) };
}

const startsWithFence = ({ text }: Segment): boolean => /^\s*[`~]{3}/.test(text.slice(0, 200));

/** The value of a fence that holds JSON; undefined where it holds something else. */
const jsonIn = (fence: Fence | undefined): unknown =>
  fence && /^\s*[{[]/.test(fence.code) ? parseLenient(fence.code, 0)?.value : undefined;

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (isObject(value) && Object.keys(value).length === 0);

const hasContent = ({ value, fences, text }: Source): boolean =>
  value !== undefined || fences.length > 0 || text.trim() !== "";

/** Parts an action's text into the tool's name and what follows; `name` is empty where none can be meant. */
function splitAction(action: Segment, tools: readonly string[]): { name: string; rest: string; fences: Fence[] } {
  const { text, fences } = action;
  const [first] = fences;
  if (first && startsWithFence(action) && !first.code.trim().includes("\n") && toolNamed(first.code, tools) !== null) {
    return { name: first.code, rest: "", fences: fences.slice(1) };
  }
  const start = Math.max(0, text.search(/\S/));
  const lineEnd = (text.indexOf("\n", start) + 1 || text.length + 1) - 1;
  const line = text.slice(start, lineEnd);
  const cut = /[([{]|:\s|[`~]{3}|\s-\s/.exec(line)?.index ?? line.length;
  const short = line.slice(0, cut);
  if (toolNamed(short, tools) !== null) return { name: short, rest: withoutBrackets(text.slice(start + cut)), fences };
  if (toolNamed(line, tools) !== null && !/^[`~]{3}/.test(line))
    return { name: line, rest: text.slice(lineEnd), fences };
  return { name: "", rest: text.slice(start), fences };
}

/** `(print(1))` without the outer brackets; other text without the colon or dash that led to it. */
function withoutBrackets(text: string): string {
  const closing = { "(": ")", "[": "]" }[text.charAt(0)];
  if (closing === undefined) return text.replace(/^[:\s-]*?(?=\n|[^:\s-])/, "");
  const end = text.lastIndexOf(closing);
  return text.slice(1, end > 0 ? end : undefined);
}

/** An input with no action before it; with a tool that takes programs around there is little else it can be for. */
function meaningOfInput(segment: Segment, earlier: Fence[], options: ParseOptions): Meaning {
  const call = segment.json ? callInJson(segment.json.value, options.tools) : null;
  if (call && toolNamed(call.name, options.tools) !== null)
    return meaningOfCall(call.name, sourceOf(call.input), options);
  const tool = options.tools.includes(CODE_TOOL)
    ? CODE_TOOL
    : options.tools.length === 1
      ? options.tools[0]
      : undefined;
  return tool === undefined
    ? problem.noAction(options)
    : meaningOfCall(tool, { ...sourceIn(segment), earlier }, options);
}

/** A final answer. */
function meaningOfAnswer(source: Source, options: ParseOptions): Meaning {
  const answer = options.answer === "text" ? textOf(source) : codeOf(source);
  return answer === null || answer.trim() === "" ? problem.noCode(options) : { answer };
}

function textOf({ value, text }: Source): string {
  if (value === undefined) return text.trim();
  if (typeof value === "string") return value;
  const found: unknown = isObject(value)
    ? firstOf(value, ["answer", "final_answer", "text", "output", "result", "input", "content"])
    : value;
  return typeof found === "string" ? found : JSON.stringify(found ?? value);
}

function codeOf({ value, fences, text, earlier }: Source): string | null {
  const given = codeInJson(value);
  if (given !== null && given.trim() !== "") return programIn(given);
  const fence = bestFence(fences);
  const fenced = fences
    .map(({ code }) => (/^\s*\{/.test(code) ? codeInJson(parseLenient(code, 0)?.value) : null))
    .findLast((code) => code !== null);
  if (fenced) return tidy(fenced);
  if (fence) return tidy(fence.code);
  const own = text.replace(/^[ \t]+(?=\S)/, "");
  const inJson = /^\s*\{/.test(own) ? (codeInCutJson(own) ?? codeInBrokenJson(own)) : null;
  if (inJson !== null && inJson.trim() !== "") return tidy(inJson);
  const bare = bareCode(own);
  if (bare !== null && definesSomething(bare)) return bare;
  const marked = markedCode(own);
  if (marked !== null && marked.trim() !== "") return tidy(marked);
  const shown = bestFence(earlier.filter(({ code }) => definesSomething(code)));
  return shown ? tidy(shown.code) : bare;
}

/** A string that was given as the answer may itself be prose with a fence in it. */
function programIn(given: string): string {
  if (!/[`~]{3}/.test(given) || looksLikeCode(given.trimStart().split("\n", 1)[0] ?? "")) return tidy(given);
  const start = given.search(/[`~]{3}/);
  return tidy(given.slice(start));
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
  if (called) return meaningOfCall(called.name, sourceOf(called.input), options);
  const fence = bestFence(fences);
  if (fence && options.answer === "code" && definesSomething(fence.code)) return { answer: tidy(fence.code) };
  if (fence && options.tools.includes(CODE_TOOL))
    return meaningOfCall(CODE_TOOL, { ...sourceOf(undefined), fences: [fence] }, options);
  const bare = options.answer === "code" ? bareCode(text) : null;
  if (bare !== null && definesSomething(bare)) return { answer: bare };
  return segments.every((segment) => segment.text.trim() === "") ? problem.empty(options) : problem.noAction(options);
}

function meaningOfJson(value: object, options: ParseOptions): Meaning | null {
  const call = callInJson(value, options.tools);
  if (call)
    return toolNamed(call.name, options.tools) === null
      ? null
      : meaningOfCall(call.name, sourceOf(call.input), options);
  if (!isObject(value) || codeInJson(value) === null || typeof value.code !== "string") return null;
  return meaningOfCall(options.tools.includes(CODE_TOOL) ? CODE_TOOL : ANSWER_TOOL, sourceOf(value), options);
}

/** A line that starts with a tool's name and its arguments. */
function callOnALine(text: string, tools: readonly string[]): { name: string; input: unknown } | null {
  for (const found of text.matchAll(/^[ \t`*]*([A-Za-z][\w\\]{0,60})(?=[ \t]*[({])/gm)) {
    const call = tools.some((tool) => sameName(tool, found[1] ?? "")) ? callInPython(text, found.index) : null;
    if (call) return call;
  }
  return null;
}
