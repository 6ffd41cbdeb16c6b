/**
 * How a conversation goes to the model, what it said, and what it is told. The conversation is kept as text, whatever
 * the model speaks; one that calls tools natively is sent its calls and their results as such.
 */

import type { BaseChatModel, BaseChatModelCallOptions } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, type BaseMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { z } from "zod";
import { loadTemplate } from "../utils/base/text/template.ts";
import { headAndTail } from "../utils/base/text/text.ts";
import { textOf } from "../utils/task/message_text.ts";
import { taskOf } from "../utils/task/task_data.ts";
import { isWatched } from "../utils/tracing/tracers.ts";
import { inventsObservation, readReply } from "./dialects/reader.ts";
import type { Observation } from "./dialects/reply.ts";
import {
  callsTools,
  type ModelMessage,
  REPLY_LABELS,
  type Read,
  type Reply,
  type ReplyFormat,
  renderAction,
  renderAnswer,
} from "./dialects/reply.ts";
import type { SaidBeside } from "./run/trajectory.ts";
import type { Registry } from "./tools/tool.ts";

const text = (section: string) => loadTemplate(new URL("../prompts/told.md", import.meta.url), section);
const native = text("native");
const observed = text("observation");
const rejected = text("rejected");
const malformed = text("malformed");
const leftOut = text("left_out");

const told = (text: string): string => `${REPLY_LABELS.observation} ${text}`;

/** The message that tells the model what a tool returned. */
export const tellObserved = ({ status, output }: Observation): string => told(observed({ status, output }));

/** The message that tells the model why its answer is not accepted. */
export const tellRejected = ({ status, output }: Observation): string =>
  told(rejected({ outcome: status, explanation: output }));

/** The message that tells the model why its reply could not be read. */
export const tellMalformed = (problem: string): string => told(malformed({ problem }));

/** The message that tells the model which of several calls in one reply nobody carried out. */
export const tellLeftOut = (tools: readonly string[]): string => leftOut({ tools: tools.join(", ") });

export interface Speech {
  model: BaseChatModel;
  tools: Registry;
  /** Whether tools are called natively. Default: as the model says. */
  toolCalls?: "native" | "text" | undefined;
}

/**
 * Asks the model.
 * @param config of the node that asks: where nobody watches, a model that can replies without LangChain's `invoke`
 * @throws what the model throws, and an Error where native calls are wanted of a model that takes no tools
 */
export function ask(
  { model, tools, toolCalls }: Speech,
  messages: readonly BaseMessage[],
  format: ReplyFormat,
  options: Partial<BaseChatModelCallOptions>,
  config: RunnableConfig,
): Promise<AIMessage> {
  const isNative = toolCalls === undefined ? callsTools(model) : toolCalls === "native";
  const speech = isNative ? nativeSpeech(model, tools) : undefined;
  const sent = speech ? withNativeCalls(messages, format, speech) : [...messages];
  if (repliesUnwatched(model) && !isWatched(config, model))
    return model.replyUnwatched(sent, { ...options, ...(speech && { tools: speech.schemas }) });
  return (speech?.bound ?? model).invoke(sent, options);
}

/** A model that can be asked without what LangChain does for those who watch a call. */
interface RepliesUnwatched {
  /** What `invoke` gives, and throws. */
  replyUnwatched(messages: BaseMessage[], options: Partial<BaseChatModelCallOptions>): Promise<AIMessage>;
}

const repliesUnwatched = (model: BaseChatModel): model is BaseChatModel & RepliesUnwatched =>
  "replyUnwatched" in model && typeof model.replyUnwatched === "function";

/**
 * What a conversation with native calls needs again with each turn. Of one registry of tools there is one kind of
 * replies.
 */
interface NativeSpeech {
  model: BaseChatModel;
  schemas: ReturnType<typeof schemaOf>[];
  bound: ReturnType<NonNullable<BaseChatModel["bindTools"]>>;
  /** By the message that asked for it: a call and its result, null where it is none. */
  calls: WeakMap<BaseMessage, { next: BaseMessage; at: number; call: [AIMessage, ToolMessage] | null }>;
  /** System messages as they are sent. */
  told: WeakMap<BaseMessage, SystemMessage>;
}
const speeches = new WeakMap<Registry, NativeSpeech>();

function nativeSpeech(model: BaseChatModel, tools: Registry): NativeSpeech {
  const known = speeches.get(tools);
  if (known?.model === model) return known;
  if (!model.bindTools) throw new Error("this model takes no tools: leave toolCalls away");
  const schemas = [...tools.values()].map(schemaOf);
  const bound = model.bindTools(schemas);
  const made: NativeSpeech = { model, schemas, bound, calls: new WeakMap(), told: new WeakMap() };
  speeches.set(tools, made);
  return made;
}

/**
 * The most tokens that a request to the model can come to: a token is at least a byte of text, and each message has
 * some around it.
 */
export function mostInputTokens({ tools }: Speech, messages: readonly BaseMessage[]): number {
  const said = messages.map((message) => Buffer.byteLength(textOf(message)) + AROUND_MESSAGE);
  return Buffer.byteLength(JSON.stringify([...tools.values()].map(schemaOf))) + said.reduce((sum, n) => sum + n, 0);
}

/** Of a chat template: roles, marks, the name of a tool that was called. */
const AROUND_MESSAGE = 64;

const schemaOf = ({ name, description, input = z.looseObject({}) }: NonNullable<ReturnType<Registry["get"]>>) => ({
  type: "function" as const,
  function: { name, description, parameters: z.toJSONSchema(input, { io: "input" }) },
});

/** Actions that were carried out become native calls, and what came back their results. The rest stays as it is. */
function withNativeCalls(messages: readonly BaseMessage[], format: ReplyFormat, { calls, told }: NativeSpeech) {
  const sent: BaseMessage[] = [];
  for (let at = 0; at < messages.length; at += 1) {
    const [message, next] = [messages[at], messages[at + 1]];
    if (!message) continue;
    const call = next && callOf([message, next], at, format, calls);
    if (call) at += 1;
    if (call) sent.push(...call);
    else sent.push(message.type === "system" ? withNativeFormat(message, told) : message);
  }
  return sent;
}

/** The call that a message asked for and its result; null where it is none. */
function callOf(
  [message, next]: [BaseMessage, BaseMessage],
  at: number,
  format: ReplyFormat,
  calls: NativeSpeech["calls"],
): [AIMessage, ToolMessage] | null {
  if (message.type !== "ai" || next.type !== "human") return null;
  const known = calls.get(message);
  if (known?.next === next && known.at === at) return known.call;
  const call = taskOf(next) ? null : readCall(message, next, at, format);
  calls.set(message, { next, at, call });
  return call;
}

function readCall(
  message: BaseMessage,
  next: BaseMessage,
  at: number,
  format: ReplyFormat,
): [AIMessage, ToolMessage] | null {
  const { reply } = readReply({ text: textOf(message) }, format);
  if (reply.kind !== "act") return null;
  // Some servers accept only ids of nine letters and digits.
  const id = `call${String(at).padStart(5, "0")}`;
  const call = { type: "tool_call" as const, id, name: reply.tool, args: reply.input };
  return [
    new AIMessage({ content: reply.thought, tool_calls: [call] }),
    new ToolMessage({ content: textOf(next), tool_call_id: id }),
  ];
}

function withNativeFormat(message: BaseMessage, told: NativeSpeech["told"]): SystemMessage {
  const known = told.get(message);
  if (known) return known;
  const format = native({ action: REPLY_LABELS.action, input: REPLY_LABELS.input });
  const made = new SystemMessage(`${textOf(message)}\n\n${format}`);
  told.set(message, made);
  return made;
}

/**
 * What the model meant, and its message as it stays in the conversation. Of several native calls one is carried out:
 * `leftOut` names the others.
 */
export function heard(
  message: AIMessage,
  format: ReplyFormat,
): Read & SaidBeside & { kept: BaseMessage; leftOut?: string[] } {
  const said = saidBy(message);
  const read = readReply(said, format);
  const stays = { ...read, ...saidBeside(message), kept: kept(message, said, read.reply, format) };
  if (read.reply.kind === "malformed") return stays;
  const leftOut = otherCalls(said, read.reply);
  return leftOut.length === 0 ? stays : { ...stays, leftOut };
}

/** Names of the calls but for the one that was read. */
function otherCalls({ toolCalls = [] }: ModelMessage, reply: Reply): string[] {
  const names = toolCalls.map(({ name }) => name);
  const taken = reply.kind === "act" ? names.indexOf(reply.tool) : 0;
  return names.toSpliced(Math.max(0, taken), 1);
}

/** What a model said. The raw arguments are preferred: LangChain's own parsing completes those that were cut off. */
function saidBy(message: AIMessage): ModelMessage {
  const { tool_calls = [], invalid_tool_calls = [] } = message;
  const parts = AIMessageChunk.isInstance(message) ? (message.tool_call_chunks ?? []) : [];
  const calls = parts.length > 0 ? parts : [...tool_calls, ...invalid_tool_calls];
  const { reasoning, finishReason } = saidBeside(message);
  return {
    text: textOf(message),
    toolCalls: calls.map(({ name = "", args = "" }) => ({ name, args })),
    reasoning: reasoning === undefined ? undefined : finishReason === "length" ? "cut" : "whole",
  };
}

/** LangChain keeps reasoning beside the content or, for who streams events, as blocks of it. */
function saidBeside({ additional_kwargs: beside, content, response_metadata: end }: AIMessage): SaidBeside {
  const blocks = Array.isArray(content) ? content.filter(({ type }) => type === "reasoning") : [];
  const texts = [beside.reasoning_content, ...blocks.map(({ reasoning }) => reasoning)];
  const reasoning = texts
    .filter((text) => typeof text === "string")
    .join("")
    .trim();
  return {
    ...(typeof end.finish_reason === "string" && { finishReason: end.finish_reason.slice(0, FINISH_REASON_CHARS) }),
    ...(reasoning !== "" && { reasoning: headAndTail(reasoning, REASONING_CHARS) }),
  };
}

/** Servers write what they like; a run keeps these for each turn. */
const FINISH_REASON_CHARS = 40;
const REASONING_CHARS = 20_000;

/**
 * The message as it stays in the conversation: the model's own text, so that servers and caches see what they sent.
 * Three kinds are written anew: native calls (they would demand tool messages), replies with an invented observation
 * (the model must not read again what never happened) and empty replies (servers refuse them).
 */
function kept(
  message: AIMessage,
  { text, toolCalls: [call] = [] }: ModelMessage,
  reply: Reply,
  { answer, language }: ReplyFormat,
): BaseMessage {
  // Who streams messages knows it by its id, and shows it once.
  const { id } = message;
  if (reply.kind === "act" && (call || inventsObservation(text)))
    return new AIMessage({ content: renderAction(reply), id });
  if (reply.kind === "answer" && call) return new AIMessage({ content: renderAnswer(reply, answer, language), id });
  const written = call
    ? `${text}\n${call.name} ${typeof call.args === "string" ? call.args : JSON.stringify(call.args)}`
    : text;
  return call || written.trim() === "" ? new AIMessage({ content: written.trim() || "(an empty reply)", id }) : message;
}
