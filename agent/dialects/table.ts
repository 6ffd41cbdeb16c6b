/** The dialects: where models put a step that is not in the format, as a table. Its readers are tried in order. */
import type { Language } from "../../utils/languages/language.ts";
import { python } from "../../utils/languages/python/index.ts";
import type { ModelMessage, Read, ReplyFormat } from "../reply.ts";
import { callInJson, callInPython, isObject } from "./calls.ts";
import { bestFence } from "./contents.ts";
import { withoutTurnTokens } from "./labels.ts";
import { jsonIn, parseLenient } from "./lenient_json.ts";
import * as problem from "./problems.ts";
import { cut, type Segment } from "./segments.ts";
import { after, answerOf, type Found, labelledSteps, sourceOf, stepOf, thoughtOf } from "./steps.ts";
import { ANSWER_TOOL, CODE_TOOL, squeezed, toolNamed } from "./tool_names.ts";

/** A reply that is cut into pieces. */
interface Draft {
  segments: readonly Segment[];
  toolCall: NonNullable<ModelMessage["toolCalls"]>[number] | undefined;
  format: ReplyFormat;
  language: Language;
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
    find: ({ segments, format }) => labelledSteps(segments, format),
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
  const segments = untilInventedObservation(cut(plain, format));
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
  const json = typeof args === "string" ? parseLenient(args, 0) : null;
  if (json?.cutInString) return yield { reply: problem.cutInput(name) };
  yield after(segments, { ...stepOf(name, sourceOf(json ? json.value : args), format), dialect: "native" });
}

const isSpoken = ({ label }: Segment): boolean => label === "text" || label === "thought" || label === "action";

/** A call, an input or an answer as a JSON object, bare or in a fence. */
function* objects({ segments, format }: Draft): Generator<Found> {
  const spoken = segments.filter(isSpoken);
  const fenced = spoken.flatMap(({ fences }) =>
    fences.map(({ code }) => (/^\s*[{[]/.test(code) ? jsonIn(code) : null)),
  );
  for (const value of [...spoken.map(({ name, value }) => (name === undefined ? value : null)), ...fenced]) {
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
