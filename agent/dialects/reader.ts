/** Reads what a model meant by one message, in whatever dialect it wrote. No other reader is needed. */

import { isDeepStrictEqual } from "node:util";
import { objectIn, programIn, textIn } from "./contents.ts";
import { withoutTurnTokens } from "./labels.ts";
import { cut, type Piece } from "./pieces.ts";
import { malformed, type Problem } from "./problems.ts";
import {
  type Action,
  CODE_TOOL,
  keepsFormat,
  type ModelMessage,
  type Reading,
  type Reply,
  type ReplyFormat,
} from "./reply.ts";
import { isStep, nativeSteps, programAlone, stepsIn, thoughtOf, type WrittenStep } from "./steps.ts";
import { ANSWER_TOOL, toolNamed } from "./tool_names.ts";

/**
 * Reads all actions of a message, in order, or the one answer or problem that it is. At least one.
 * Pure; never throws; linear in the length of the message.
 */
export function readReplies(message: ModelMessage, format: ReplyFormat): Reading[] {
  const all = readDialect(message, format);
  const [first, second] = all;
  const isStrict = first && !second && !first.call && keepsFormat(message.text, first.reply, format);
  return isStrict ? [{ ...first, dialect: "strict" }] : all;
}

/** The first action of a message, or what else it is. */
export const parseReply = (message: ModelMessage, format: ReplyFormat): Reply =>
  readReplies(message, format)[0]?.reply ?? malformed("empty", format);

const INVENTED = /^[\s*#_]*observation[\s*_]*:/im;

/** Whether a model wrote an observation itself. */
export const inventsObservation = (text: string): boolean => INVENTED.test(text);

/**
 * What a model meant that did not keep to the format.
 *
 * All actions count, in order, the same one once, up to a final answer, which is checked after them. What follows an
 * observation that the model invented is not read, because it rests on something that never happened. Thinking blocks
 * are thought, whatever labels they hold. Without any label a fence that defines a function is an answer (verification
 * will show whether it is one, and a failure comes back as an observation), and one that only runs something is an
 * action. With native calls all other text is the answer, too.
 */
function readDialect({ text, toolCalls = [], reasoning }: ModelMessage, format: ReplyFormat): Reading[] {
  const all = cut(withoutTurnTokens(text.replaceAll("\r\n", "\n").replace(/^\uFEFF/, "")), format);
  const step = all.findIndex(isStep);
  const invented = all.findIndex(({ label }, at) => label === "observation" && step !== -1 && at > step);
  const pieces = all.slice(0, invented === -1 ? undefined : invented);
  // A call without a name says nothing, and one of them is enough.
  const calls = toolCalls.filter(({ name }, at) => at === 0 || name !== "");
  const called = nativeSteps(calls, thoughtOf(pieces)).map((found, at) => ({
    ...meaningOf(found, format),
    call: calls[at],
  }));
  if (called.some(({ reply }) => reply.kind !== "malformed")) return called;
  const written = readSteps(pieces, format);
  const [first] = written;
  if (first && first.reply.kind !== "malformed") return written;
  if (called.length > 0) return called;
  const isMeant = first !== undefined && !first.isDescribed;
  if (isMeant) return [first];
  const isText = format.isNative && format.answer === "text";
  const alone = isText ? null : programAlone(pieces, format);
  const read = alone && meaningOf(alone, format);
  // A program without a call is the answer that was asked for.
  const isAsked = format.isNative || format.tools.length === 0;
  if (read?.dialect) return [isAsked && read.reply.kind === "answer" ? { ...read, dialect: "native" } : read];
  const isEmpty = pieces.every((piece) => piece.text.trim() === "");
  const isThinking = pieces.at(-1)?.label === "think";
  if (isText && !isEmpty && !isThinking)
    return [{ reply: { kind: "answer", text: spokenText(pieces), thought: "" }, dialect: "native" }];
  const empty = reasoning === "cut" ? "cutReasoning" : reasoning ? "onlyReasoning" : "empty";
  const why = isThinking ? "endlessThought" : isEmpty ? empty : "noAction";
  return [first ?? { reply: { ...malformed(why, format), thought: thoughtOf(pieces) } }];
}

/** What a step was read as; `isDescribed` where its action is only described, as in "Action: fix the loop". */
type StepReading = Reading & { isDescribed?: boolean };

/** Reads the steps of a text: all actions up to an answer, else the answer, else the first problem. */
function readSteps(pieces: readonly Piece[], format: ReplyFormat): StepReading[] {
  const actions: StepReading[] = [];
  let failed: StepReading | null = null;
  let said = "";
  for (const found of stepsIn(pieces, format)) {
    const read = meaningOf(found, format);
    const { reply } = read;
    const thought = reply.thought.startsWith(said) ? reply.thought.slice(said.length).trim() : reply.thought;
    const apart = { ...read, reply: { ...reply, thought } };
    if (reply.kind === "answer") return [...actions, apart];
    if (reply.kind === "act") {
      const isRepeated = actions.some((other) => other.reply.kind === "act" && isSameCall(other.reply, reply));
      if (!isRepeated) actions.push(apart);
      said = reply.thought;
      continue;
    }
    const isDescribed = reply.error === "unknown_tool" && !/^\S+$/.test(found.name ?? "");
    failed ??= { reply: { ...reply, thought: thoughtOf(pieces) }, isDescribed };
    // Of several actions the model has to know which one could not be read.
    if (actions.length > 0 && !isDescribed) actions.push(read);
  }
  return actions.length > 0 ? actions : failed ? [failed] : [];
}

const isSameCall = (a: Action, b: Action): boolean => a.tool === b.tool && isDeepStrictEqual(a.input, b.input);

const spokenText = (pieces: readonly Piece[]): string =>
  pieces
    .filter(({ label }) => label !== "think")
    .map(({ text }) => text)
    .join("")
    .trim();

/** What a step means: a call of a tool, an answer, or what is wrong with it. */
function meaningOf(step: WrittenStep, format: ReplyFormat): Reading {
  const { tools, answer, language } = format;
  const { name, thought, place } = step;
  const fail = (what: Problem, tool?: string): Reading => ({ reply: { ...malformed(what, format, tool), thought } });
  const asRead = (form: string, reply: Reading["reply"]): Reading => {
    return { reply, dialect: place === "native" ? place : place ? `${place} ${form}` : form };
  };
  if (name === undefined) return fail("noAction");
  const tool = toolNamed(name, tools);
  if (tool === null) return fail("unknownTool", name);
  const isAnswer = tool === ANSWER_TOOL && !tools.includes(tool);
  if (isAnswer && answer === "text") {
    const text = textIn(step);
    return text.trim() === "" ? fail("noText") : asRead("text", { kind: "answer", text, thought });
  }
  if (!isAnswer && tool !== CODE_TOOL) {
    const input = objectIn(tool, step, tools);
    if (typeof input === "string") return fail(input, tool);
    return asRead(step.form ?? "json", { kind: "act", tool, input, thought });
  }
  const program = programIn(step, language, isAnswer);
  if (typeof program === "string") return fail(isAnswer ? "noAnswer" : program, tool);
  const { form, code, others } = program;
  if (isAnswer) return asRead(form, { kind: "answer", text: code, thought });
  return asRead(form, { kind: "act", tool, input: { ...others, code }, thought });
}
