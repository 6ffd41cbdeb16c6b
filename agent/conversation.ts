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
import { Written } from "./written.ts";

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
  const speech = speechOf(model, tools, isNative);
  const conversation = { messages, format, isNative };
  const parts = () => sentAs(conversation, speech.parts);
  if (repliesUnwatched(model) && !isWatched(config, model)) {
    const written = writtenAs(conversation, speech.written, (sent) => model.write(sent));
    return model.replyUnwatched({ written, messages: parts }, { ...options, ...speech.native?.options });
  }
  return (speech.native?.bound ?? model).invoke(parts(), options);
}

/** A model that can be asked without what LangChain does for those who watch a call. */
interface RepliesUnwatched {
  /** Messages as they are sent, in JSON. */
  write(messages: readonly BaseMessage[]): string;
  /** What `invoke` gives, and throws. @param written the same as bytes, each once more written by `write` */
  replyUnwatched(
    conversation: { written: Uint8Array; messages: () => BaseMessage[] },
    options: Partial<BaseChatModelCallOptions>,
  ): Promise<AIMessage>;
}

const repliesUnwatched = (model: BaseChatModel): model is BaseChatModel & RepliesUnwatched =>
  "replyUnwatched" in model && typeof model.replyUnwatched === "function";

/** What a conversation needs again with each turn, as it is sent whole. */
interface Spoken {
  model: BaseChatModel;
  native?: {
    options: { tools: ReturnType<typeof schemaOf>[] };
    bound: ReturnType<NonNullable<BaseChatModel["bindTools"]>>;
  };
  /** What is sent for a message, as long as it stands at the same place before the same one. */
  parts: WeakMap<BaseMessage, { sent: readonly BaseMessage[]; next: BaseMessage | undefined; at: number }>;
  /** By the last message that was sent; a model that writes itself needs nothing else. */
  written: WeakMap<BaseMessage, Written>;
}
/** Of one registry of tools there is one kind of replies. */
const spoken = { text: new WeakMap<Registry, Spoken>(), native: new WeakMap<Registry, Spoken>() };

function speechOf(model: BaseChatModel, tools: Registry, isNative: boolean): Spoken {
  const all = isNative ? spoken.native : spoken.text;
  const known = all.get(tools);
  if (known?.model === model) return known;
  const made: Spoken = { model, parts: new WeakMap(), written: new WeakMap() };
  if (isNative) {
    if (!model.bindTools) throw new Error("this model takes no tools: leave toolCalls away");
    const schemas = [...tools.values()].map(schemaOf);
    made.native = { options: { tools: schemas }, bound: model.bindTools(schemas) };
  }
  all.set(tools, made);
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

/** What is said so far, and how it is to be sent. */
interface Conversation {
  messages: readonly BaseMessage[];
  format: ReplyFormat;
  isNative: boolean;
}

/**
 * What is sent for the message at a place. Where calls are native, actions that were carried out become calls, and what
 * came back their results; the rest stays as it is.
 */
function partAt(conversation: Conversation, at: number): readonly BaseMessage[] {
  const { messages, format, isNative } = conversation;
  const message = messages[at];
  if (!message) throw new Error(`a conversation of ${messages.length} messages has none at ${at}`);
  const next = nextAt(conversation, at);
  const call = next && readCall(message, next, at, format);
  return call ?? [isNative && message.type === "system" ? withNativeFormat(message) : message];
}

/** What may be the result of the message at a place. */
const nextAt = ({ messages, isNative }: Conversation, at: number): BaseMessage | undefined =>
  isNative && messages[at]?.type === "ai" ? messages[at + 1] : undefined;

/** A conversation as it is sent. */
function sentAs(conversation: Conversation, known: Spoken["parts"]): BaseMessage[] {
  const { messages } = conversation;
  const all: BaseMessage[] = [];
  let at = 0;
  while (at < messages.length) {
    const message = messages[at];
    const next = nextAt(conversation, at);
    let part = message && known.get(message);
    if (!part || part.next !== next || (next && part.at !== at)) {
      part = { sent: partAt(conversation, at), next, at };
      if (message) known.set(message, part);
    }
    all.push(...part.sent);
    at += part.sent.length;
  }
  return all;
}

/** The same in bytes. @param known is changed: this conversation goes on from what was written of it */
function writtenAs(
  conversation: Conversation,
  known: Spoken["written"],
  write: (messages: readonly BaseMessage[]) => string,
): Uint8Array {
  const { messages } = conversation;
  const earlier = messages.findLast((message) => known.has(message));
  const before = (earlier && known.get(earlier)) ?? new Written();
  // Of two conversations that begin with the same messages one goes on from it, and the other begins anew.
  if (earlier) known.delete(earlier);
  const written = before.with({
    messages,
    nextAt: (at) => nextAt(conversation, at),
    partAt: (at) => partAt(conversation, at),
    write,
  });
  const last = messages.at(-1);
  if (last) known.set(last, written);
  return written.bytes;
}

/** The call that a message asked for and its result; null where it is none. */
function readCall(
  message: BaseMessage,
  next: BaseMessage,
  at: number,
  format: ReplyFormat,
): [AIMessage, ToolMessage] | null {
  if (next.type !== "human" || taskOf(next)) return null;
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

function withNativeFormat(message: BaseMessage): SystemMessage {
  const format = native({ action: REPLY_LABELS.action, input: REPLY_LABELS.input });
  return new SystemMessage(`${textOf(message)}\n\n${format}`);
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
