/** The dialects: where models put a step that is not in the format, as a table. Its readers are tried in order. */
import type { Language } from "../../utils/languages/language.ts";
import { python } from "../../utils/languages/python/index.ts";
import type { ModelMessage, Read } from "../react.ts";
import type { ReplyFormat } from "../reply.ts";
import { callInJson, callInPython, isObject } from "./calls.ts";
import { bestFence, holdsNothing, isBlank, objectIn, programIn, type Source, textIn } from "./contents.ts";
import type { Fence } from "./fences.ts";
import { withoutTurnTokens } from "./labels.ts";
import { jsonIn } from "./lenient_json.ts";
import * as problem from "./problems.ts";
import { cut, type Segment } from "./segments.ts";
import { ANSWER_TOOL, CODE_TOOL, squeezed, toolNamed } from "./tool_names.ts";

/** A reply that is cut into pieces. */
interface Draft {
  segments: readonly Segment[];
  toolCall: { name: string; args: unknown } | undefined;
  format: ReplyFormat;
  language: Language;
}

/** A step that was found, with the thought before it. */
interface Found extends Read {
  /** True where an action was only described ("Action: fix the loop"), so that the rest of the reply may say more. */
  isDescription?: boolean;
}

/** Where a step stands: a row of the table. */
interface Place {
  /** Replies that it reads, by the name of the dialect. How a labelled step is written has rows of its own: `CONTENTS`. */
  examples: Readonly<Record<string, ModelMessage>>;
  /** True where it is asked only if no other step was even attempted. */
  isLast?: boolean;
  find: (draft: Draft) => Iterable<Found>;
}

/** In the order in which they are tried. */
export const PLACES: readonly Place[] = [
  {
    examples: { native: { text: "", toolCalls: [{ name: "code_interpreter", args: { code: "print(1)" } }] } },
    find: nativeCalls,
  },
  {
    examples: { json: { text: '**Action:** code_interpreter\n**Action Input:** {"code": "print(1)"}' } },
    find: labelledSteps,
  },
  { examples: { "unlabelled json": { text: '{"code": "print(1)"}' } }, isLast: true, find: objects },
  {
    examples: { "unlabelled call": { text: 'I run it.\ncode_interpreter("print(1)")' } },
    isLast: true,
    find: callsOnLines,
  },
  {
    examples: {
      "unlabelled fence": { text: "It is this.\n```python\ndef f(x):\n    return x\n```" },
      "unlabelled bare code": { text: "def f(x):\n    return x" },
    },
    isLast: true,
    find: programs,
  },
];

/** A reply with more pieces than this is noise; without a bound its reading would be quadratic. */
const MAX_SEGMENTS = 200;

/**
 * What the model meant. Pure; never throws; linear in the length of the message.
 *
 * Where a reply holds several things, the first that can be carried out counts: the first of several actions, an action
 * before a final answer, a final answer before an action. What follows an observation that the model invented is not
 * read, because it rests on something that never happened. Thinking blocks are thought, whatever labels they hold.
 * Without any label a fence that defines a function is an answer (verification will show whether it is one, and a failure
 * comes back as an observation), and one that only runs something is an action.
 */
export function readDialect({ text, toolCalls = [] }: ModelMessage, format: ReplyFormat): Read {
  const plain = withoutOuterFence(withoutTurnTokens(text.replaceAll("\r\n", "\n").replace(/^\uFEFF/, "")));
  const segments = untilInventedObservation(cut(plain, format.tools, format.answer === "text"));
  const draft: Draft = { segments, toolCall: toolCalls[0], format, language: format.language ?? python };
  let failed: Found | null = null;
  for (const { find, isLast } of PLACES) {
    if (isLast && failed && !failed.isDescription) break;
    for (const found of find(draft)) {
      if (found.reply.kind !== "malformed") return found;
      failed ??= found;
    }
  }
  const thought = thoughtOf(segments);
  if (failed) return { reply: { ...failed.reply, thought } };
  const isEmpty = segments.every((segment) => segment.text.trim() === "");
  const why = segments.at(-1)?.label === "think" ? problem.endlessThought : isEmpty ? problem.empty : problem.noAction;
  return { reply: { ...why(format), thought } };
}

/** A call by the server's own means. */
function* nativeCalls({ toolCall, segments, format }: Draft): Generator<Found> {
  if (!toolCall) return;
  const { name, args } = toolCall;
  const value = typeof args === "string" ? (jsonIn(args) ?? args) : args;
  yield after(segments, { ...stepOf(name, sourceOf(value), format), dialect: "native" });
}

/** Steps with a label, and calls that need none, in the order in which they stand. */
function* labelledSteps({ segments, format }: Draft): Generator<Found> {
  const earlier: Fence[] = [];
  for (const [at, segment] of segments.slice(0, MAX_SEGMENTS).entries()) {
    const { label, call } = segment;
    const before = segments.slice(0, at);
    const source = { ...sourceIn(segment), earlier };
    const next = segments.slice(at + 1).find(isUnspoken);
    if (label === "call" && call) yield after(before, stepOf(call.name, sourceOf(call.input, call.form), format));
    if (label === "action") yield after(before, actionOf(segment, next, earlier, format));
    if (label === "input" && before.findLast(isUnspoken)?.label !== "action")
      yield after(before, inputOf(segment, source, format));
    if (label === "answer") yield after(before, answerOf(source, format));
    earlier.push(...segment.fences);
  }
}

const isUnspoken = ({ label }: Segment): boolean => label !== "think" && label !== "thought";

/** The same with what the model said in the segments before it. */
const after = (segments: readonly Segment[], found: Found): Found =>
  found.reply.kind === "malformed" ? found : { ...found, reply: { ...found.reply, thought: thoughtOf(segments) } };

const sourceOf = (value: unknown, form: Source["form"] = "json"): Source => ({
  value,
  form,
  fences: [],
  text: "",
  earlier: [],
});

const sourceIn = ({ json, call, fences, text }: Segment): Source => ({
  value: json ? json.value : call?.input,
  form: json ? "json" : (call?.form ?? "json"),
  fences,
  text,
  earlier: [],
});

/** What a call by name means, be it a tool's or the final answer's. */
function stepOf(written: string, source: Source, format: ReplyFormat): Found {
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

function answerOf(source: Source, format: ReplyFormat): Found {
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

function actionOf(action: Segment, next: Segment | undefined, earlier: readonly Fence[], format: ReplyFormat): Found {
  const { tools, language = python } = format;
  const { name, rest, fences } = splitAction(action, tools);
  const [first] = action.fences;
  const fenced = first && startsWithFence(action) && /^\s*[{[]/.test(first.code) ? jsonIn(first.code) : undefined;
  const own = { ...sourceOf(action.json?.value ?? fenced), fences, text: rest, earlier };
  const given = next?.label === "input" ? { ...sourceIn(next), earlier } : null;
  const call = callInJson(own.value, tools) ?? action.call;
  if (call) {
    const source = { ...(given ?? own), form: action.call?.form ?? "json" };
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
function inputOf(segment: Segment, source: Source, format: ReplyFormat): Found {
  const { tools } = format;
  const call = segment.json && callInJson(segment.json.value, tools);
  if (call && toolNamed(call.name, tools) !== null) return stepOf(call.name, sourceOf(call.input), format);
  const tool = tools.includes(CODE_TOOL) ? CODE_TOOL : tools.length === 1 ? tools[0] : undefined;
  return tool === undefined ? { reply: problem.noAction(format) } : stepOf(tool, source, format);
}

const isSpoken = ({ label }: Segment): boolean => label === "text" || label === "thought" || label === "action";

/** A call, an input or an answer as a JSON object, bare or in a fence. */
function* objects({ segments, format }: Draft): Generator<Found> {
  const spoken = segments.filter(isSpoken);
  const fenced = spoken.flatMap(({ fences }) =>
    fences.map(({ code }) => (/^\s*[{[]/.test(code) ? jsonIn(code) : null)),
  );
  for (const value of [...spoken.map(({ json }) => json?.value), ...fenced]) {
    const call = callInJson(value, format.tools);
    if (call && toolNamed(call.name, format.tools) !== null) {
      yield unlabelled(segments, stepOf(call.name, sourceOf(call.input), format));
    } else if (!call && isObject(value) && typeof value.code === "string") {
      const tool = format.tools.includes(CODE_TOOL) ? CODE_TOOL : ANSWER_TOOL;
      yield unlabelled(segments, stepOf(tool, sourceOf(value), format));
    }
  }
}

/** A line that starts with a tool's name and its arguments. */
function* callsOnLines({ segments, format }: Draft): Generator<Found> {
  const text = spokenText(segments);
  const names = new Set(format.tools.map(squeezed));
  for (const found of text.matchAll(/^[ \t`*]*([A-Za-z][\w\\]{0,60})(?=[ \t]*[({])/gm)) {
    const call = names.has(squeezed(found[1] ?? "")) ? callInPython(text, found.index) : null;
    if (call) return yield unlabelled(segments, stepOf(call.name, sourceOf(call.input, "call"), format));
  }
}

/** A program alone: an answer where it defines something, else an action. */
function* programs({ segments, format, language }: Draft): Generator<Found> {
  const fence = bestFence(
    segments.filter(isSpoken).flatMap(({ fences }) => fences),
    language,
  );
  const isAnswer = fence && format.answer === "code" && language.definesSomething(fence.code);
  const source = { ...sourceOf(undefined), fences: fence ? [fence] : [] };
  if (isAnswer) yield unlabelled(segments, answerOf(source, format));
  else if (fence && format.tools.includes(CODE_TOOL)) yield unlabelled(segments, stepOf(CODE_TOOL, source, format));
  const text = spokenText(segments);
  const bare = format.answer === "code" ? language.bareCode(text) : null;
  if (bare !== null && language.definesSomething(bare))
    yield unlabelled(segments, { reply: { kind: "answer", text: bare, thought: "" }, dialect: "bare code" });
}

const spokenText = (segments: readonly Segment[]): string =>
  segments
    .filter(isSpoken)
    .map(({ text }) => text)
    .join("\n");

/** A step without a label: what was said before the code or its fence is the thought. */
function unlabelled(segments: readonly Segment[], { reply, dialect }: Found): Found {
  const thought = textBefore(thoughtOf(segments), reply.kind === "answer" ? reply.text : "");
  return { reply: { ...reply, thought }, dialect: `unlabelled ${dialect}` };
}

/** A reply that is wrapped as a whole in a fence, without the line that opens it. */
function withoutOuterFence(text: string): string {
  const opening = /^\s*[`~]{3,}[ \t]*\w{0,20}[ \t]*\n\s*(?=(?:Thought|Action|Final Answer)\s*:)/i.exec(
    text.slice(0, 400),
  );
  return text.slice(opening?.[0].length ?? 0);
}

/** What comes before an observation that follows a step: it is the model's invention. */
function untilInventedObservation(segments: Segment[]): Segment[] {
  const step = segments.findIndex(({ label }) => ["action", "input", "call", "answer"].includes(label));
  const invented = segments.findIndex(({ label }, at) => label === "observation" && step !== -1 && at > step);
  return invented === -1 ? segments : segments.slice(0, invented);
}

/** What a model said besides its step. */
const thoughtOf = (segments: readonly Segment[]): string =>
  segments
    .filter(({ label }) => label === "thought" || label === "text" || label === "think")
    .map(({ text }) => text.trim())
    .filter((text) => text !== "")
    .join("\n");

/** `thought` up to the `code` that is part of it, or to its first fence, without the mark that opens there. */
function textBefore(thought: string, code: string): string {
  const at = code === "" ? -1 : thought.indexOf(code);
  const end = at === -1 ? thought.search(/^[ \t]*[`~]{3}/m) : at;
  return thought
    .slice(0, end === -1 ? undefined : end)
    .trimEnd()
    .replace(/(?:[`~]{3,}[ \t]*\w{0,20}|<\w{1,20}>)$/, "")
    .trimEnd();
}
