/** What a step means: a call of a tool, an answer, or what is wrong with it. */
import { python } from "../../utils/languages/python/index.ts";
import type { Read, ReplyFormat } from "../reply.ts";
import { callInJson } from "./calls.ts";
import { holdsNothing, isBlank, objectIn, programIn, type Source, textIn } from "./contents.ts";
import type { Fence } from "./fences.ts";
import { jsonIn } from "./lenient_json.ts";
import * as problem from "./problems.ts";
import type { Segment } from "./segments.ts";
import { ANSWER_TOOL, CODE_TOOL, toolNamed } from "./tool_names.ts";

/** A step that was found, with the thought before it. */
export interface Found extends Read {
  /** True where an action was only described ("Action: fix the loop"), so that the rest of the reply may say more. */
  isDescription?: boolean;
}

/** A content that came as a value. */
export const sourceOf = (value: unknown, form: Source["form"] = "json"): Source => ({
  value,
  form,
  fences: [],
  text: "",
  earlier: [],
});

/** What a call by name means, be it a tool's or the final answer's. */
export function stepOf(written: string, source: Source, format: ReplyFormat): Found {
  const { tools, language = python } = format;
  const tool = toolNamed(written, tools);
  if (tool === null) return { reply: problem.unknownTool(written, tools) };
  if (tool === ANSWER_TOOL && !tools.includes(tool)) return answerOf(source, format);
  if (tool !== CODE_TOOL) {
    const input = objectIn(tool, source, tools);
    if (input === null || input === "cut") return { reply: (input ? problem.cutInput : problem.badInput)(tool) };
    return { reply: { kind: "act", tool, input, thought: "" }, dialect: source.form };
  }
  const program = programIn(source, { as: "input", tools, language });
  if (program === null) return { reply: (holdsNothing(source, tools) ? problem.noCode : problem.badInput)(tool) };
  const { name, found } = program;
  if (found === "cut") return { reply: problem.cutInput(tool) };
  const input = { ...Object.fromEntries(found.others ?? []), code: found.code };
  return { reply: { kind: "act", tool, input, thought: "" }, dialect: name };
}

export function answerOf(source: Source, format: ReplyFormat): Found {
  const { tools, answer, language = python } = format;
  if (answer === "text") {
    const text = textIn(source);
    return text.trim() === ""
      ? { reply: problem.noAnswer(format) }
      : { reply: { kind: "answer", text, thought: "" }, dialect: "text" };
  }
  const program = programIn(source, { as: "answer", tools, language });
  if (program === null || program.found === "cut") return { reply: problem.noAnswer(format) };
  return { reply: { kind: "answer", text: program.found.code, thought: "" }, dialect: program.name };
}

/** What a model said besides its step. */
export const thoughtOf = (segments: readonly Segment[]): string =>
  segments
    .filter(({ label }) => label === "thought" || label === "text" || label === "think")
    .map(({ text }) => text.trim())
    .filter((text) => text !== "")
    .join("\n");

/** A reply with more pieces than this is noise; without a bound its reading would be quadratic. */
const MAX_SEGMENTS = 200;

/** The steps in the order in which they stand. */
export function* labelledSteps(segments: readonly Segment[], format: ReplyFormat): Generator<Found> {
  const earlier: Fence[] = [];
  for (const [at, segment] of segments.slice(0, MAX_SEGMENTS).entries()) {
    const { label, name = "", value, form } = segment;
    const before = segments.slice(0, at);
    const next = segments.slice(at + 1).find(isUnspoken);
    if (label === "call") yield after(before, stepOf(name, sourceOf(value, form), format));
    if (label === "action") yield after(before, actionOf(segment, next, earlier, format));
    if (label === "input" && before.findLast(isUnspoken)?.label !== "action")
      yield after(before, inputOf({ ...segment, earlier }, format));
    if (label === "answer") yield after(before, answerOf({ ...segment, earlier }, format));
    earlier.push(...segment.fences);
  }
}

const isUnspoken = ({ label }: Segment): boolean => label !== "think" && label !== "thought";

/** The same with what the model said in the segments before it. */
export const after = (segments: readonly Segment[], found: Found): Found =>
  found.reply.kind === "malformed" ? found : { ...found, reply: { ...found.reply, thought: thoughtOf(segments) } };

function actionOf(action: Segment, next: Segment | undefined, earlier: readonly Fence[], format: ReplyFormat): Found {
  const { tools, language = python } = format;
  const { name, rest, fences } = splitAction(action, tools);
  const [first] = action.fences;
  const fenced = first && startsWithFence(action) && /^\s*[{[]/.test(first.code) ? jsonIn(first.code) : undefined;
  const own = {
    ...sourceOf(action.name === undefined ? (action.value ?? fenced) : undefined),
    fences,
    text: rest,
    earlier,
  };
  const given = next?.label === "input" ? { ...next, earlier } : null;
  const called = action.name === undefined ? null : { name: action.name, input: action.value };
  const call = called ?? callInJson(own.value, tools);
  if (call) {
    const source = { ...(given ?? own), form: action.form };
    return stepOf(call.name, { ...source, value: isBlank(call.input) ? given?.value : call.input }, format);
  }
  const hasContent = given && (given.value !== undefined || given.fences.length > 0 || given.text.trim() !== "");
  if (name !== "") return stepOf(name, hasContent ? given : own, format);
  const isProgram =
    own.value !== undefined ||
    fences.some(({ tag }) => tag === "" || language.mayBe(tag)) ||
    /^\s*(?:print\(|import |from |def |class |assert |console\.|function |const |let )/.test(rest);
  const definesMore = fences.some(({ code }) => language.definesSomething(code));
  if (tools.includes(CODE_TOOL) && isProgram && !definesMore) return stepOf(CODE_TOOL, own, format);
  const written = rest.trim().split("\n", 1)[0] ?? "";
  return { reply: problem.unknownTool(written, tools), isDescription: written === "" || /\s/.test(written) };
}

/** True where nothing stands between the label and a fence. */
const startsWithFence = ({ text }: Segment): boolean => /^\s*[`~]{3}/.test(text.slice(0, 200));

/** Parts an action's text into the tool's name and what follows; `name` is empty where none can be meant. */
function splitAction(action: Segment, tools: readonly string[]): { name: string; rest: string; fences: Fence[] } {
  const { text, fences } = action;
  const [first] = fences;
  if (first && startsWithFence(action) && !first.code.trim().includes("\n") && toolNamed(first.code, tools) !== null)
    return { name: first.code, rest: "", fences: fences.slice(1) };
  const rest = text.trimStart();
  const [line = ""] = rest.split("\n", 1);
  const end = /[([{]|:\s|[`~]{3}|\s-\s/.exec(line)?.index ?? line.length;
  if (toolNamed(line.slice(0, end), tools) !== null)
    return { name: line.slice(0, end), rest: withoutBrackets(rest.slice(end)), fences };
  if (toolNamed(line, tools) !== null && !/^[`~]{3}/.test(line))
    return { name: line, rest: rest.slice(line.length), fences };
  return { name: "", rest, fences };
}

/** `(print(1))` without the outer brackets; other text without the colon or dash that led to it. */
function withoutBrackets(text: string): string {
  const closing = { "(": ")", "[": "]" }[text.charAt(0)];
  if (closing === undefined) return text.replace(/^[:\s-]*?(?=\n|[^:\s-])/, "");
  const end = text.lastIndexOf(closing);
  return text.slice(1, end > 0 ? end : undefined);
}

/** An input with no action before it; with a tool that takes programs around there is little else it can be for. */
function inputOf(source: Source, format: ReplyFormat): Found {
  const { tools } = format;
  const call = source.name === undefined ? callInJson(source.value, tools) : null;
  if (call && toolNamed(call.name, tools) !== null) return stepOf(call.name, sourceOf(call.input), format);
  const tool = tools.includes(CODE_TOOL) ? CODE_TOOL : tools.length === 1 ? tools[0] : undefined;
  return tool === undefined ? { reply: problem.noAction(format) } : stepOf(tool, source, format);
}
