/** The text protocol: reads what a model meant by one message, and renders the same meaning as text. */
import type { Language } from "../utils/languages/language.ts";
import { python } from "../utils/languages/python/index.ts";
import type { Segment } from "./protocol/cutter.ts";
import type { Fence } from "./protocol/fences.ts";
import { withoutTurnTokens } from "./protocol/labels.ts";
import { parseLenient } from "./protocol/lenient-json.ts";
import {
  type Failure,
  type Meaning,
  meaningOf,
  meaningOfCall,
  meaningWithoutLabels,
  type ParseOptions,
} from "./protocol/meaning.ts";
import { endlessThought } from "./protocol/problems.ts";
import { readSegments } from "./protocol/segments.ts";
import type { Reply } from "./reply.ts";

export type { ParseOptions } from "./protocol/meaning.ts";

/** Where a model must stop: an observation is ours to write. */
export const STOP_SEQUENCES: readonly string[] = ["\nObservation:"];

/** A reply with more pieces than this is noise; without a bound its reading would be quadratic. */
const MAX_SEGMENTS = 200;

/** One message of a model; `args` is an object or its JSON text. */
export interface ModelMessage {
  text: string;
  toolCalls?: { name: string; args: unknown }[];
}

/**
 * What the model meant. Pure; never throws; linear in the length of the message.
 *
 * Where a reply holds several things, the first that can be carried out counts: the first of several actions, an action
 * before a final answer, a final answer before an action. What follows an observation that the model invented is not
 * read, because it rests on something that never happened. Thinking blocks are thought, whatever labels they hold.
 * Without any label a fence that defines a function is an answer (verification will show whether it is one, and a failure
 * comes back as an observation), and one that only runs something is an action.
 */
export function parseReply(message: ModelMessage, options: ParseOptions): Reply {
  const text = withoutOuterFence(withoutTurnTokens(message.text.replaceAll("\r\n", "\n").replace(/^\uFEFF/, "")));
  const segments = untilInventedObservation(readSegments(text, options.tools, options.answer === "text"));
  const thought = thoughtOf(segments);
  const native = message.toolCalls?.[0];
  let failure: Failure | null = null;
  if (native) {
    const meaning = meaningOfCall(
      native.name,
      { value: argumentsOf(native.args), fences: [], text: "", earlier: [], language: options.language ?? python },
      options,
    );
    if (!("error" in meaning)) return toReply(meaning, thought);
    failure = meaning;
  }
  const earlier: Fence[] = [];
  for (const [at, { fences }] of segments.slice(0, MAX_SEGMENTS).entries()) {
    const meaning = meaningOf(segments, at, earlier, options);
    if (meaning !== null && !("error" in meaning)) return toReply(meaning, thoughtOf(segments.slice(0, at)));
    failure ??= meaning;
    for (const fence of fences) earlier.push(fence);
  }
  if (failure !== null && failure.isDescription !== true) return toReply(failure, thought);
  const meaning = meaningWithoutLabels(segments, options);
  if ("error" in meaning)
    return toReply(failure ?? (isStillThinking(segments) ? endlessThought(options) : meaning), thought);
  return toReply(meaning, textBefore(thought, "answer" in meaning ? meaning.answer : ""));
}

function toReply(meaning: Meaning, thought: string): Reply {
  if ("error" in meaning) return { kind: "malformed", error: meaning.error, problem: meaning.problem, thought };
  if ("answer" in meaning) return { kind: "answer", text: meaning.answer, thought };
  return { kind: "act", tool: meaning.tool, input: meaning.input, thought };
}

/** A model's server may hand the arguments over as text. */
const argumentsOf = (args: unknown): unknown =>
  typeof args === "string" ? (parseLenient(args, 0)?.value ?? args) : args;

/** A reply that is wrapped as a whole in a fence, without the line that opens it. */
function withoutOuterFence(text: string): string {
  const opening = /^\s*[`~]{3,}[ \t]*\w{0,20}[ \t]*\n\s*(?=[^\n]{1,200})/.exec(text.slice(0, 400));
  const after = opening ? text.slice(opening[0].length) : "";
  return opening && /^(?:Thought|Action|Final Answer)\s*:/i.test(after) ? after : text;
}

/** What comes before an observation that follows a step: it is the model's invention. */
function untilInventedObservation(segments: Segment[]): Segment[] {
  const step = segments.findIndex(
    ({ label }) => label === "action" || label === "input" || label === "call" || label === "answer",
  );
  const invented = segments.findIndex(({ label }, at) => label === "observation" && step !== -1 && at > step);
  return invented === -1 ? segments : segments.slice(0, invented);
}

const isStillThinking = (segments: readonly Segment[]): boolean => segments.at(-1)?.label === "think";

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
  const before = end === -1 ? thought : thought.slice(0, end);
  return before
    .trimEnd()
    .replace(/(?:[`~]{3,}[ \t]*\w{0,20}|<\w{1,20}>)$/, "")
    .trimEnd();
}

const renderThought = (thought: string): string => (thought === "" ? "" : `Thought: ${thought}\n`);

/** An action as a model should write it. `parseReply` reads the same action from it. */
export const renderAction = ({ tool, input, thought }: Omit<Extract<Reply, { kind: "act" }>, "kind">): string =>
  `${renderThought(thought)}Action: ${tool}\nAction Input: ${JSON.stringify(input)}`;

/** A final answer as a model should write it: code in a fence longer than any run of back quotes in it, text as it is. */
export function renderAnswer(
  { text, thought }: Omit<Extract<Reply, { kind: "answer" }>, "kind">,
  answer: "code" | "text",
  { fence: tag }: Language = python,
): string {
  if (answer === "text") return `${renderThought(thought)}Final Answer: ${text}`;
  const longest = (text.match(/`{3,}/g) ?? ["``"]).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${renderThought(thought)}Final Answer:\n${fence}${tag}\n${text}\n${fence}`;
}

/** What came back, as the model sees it. */
export const renderObservation = (text: string): string => `Observation: ${text}`;
