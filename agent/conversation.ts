/**
 * The messages that the model gets, and how its replies are read. The state keeps the conversation as text, whatever
 * protocol the model speaks; a model that calls tools natively is sent real calls and their results.
 */

import type { BaseChatModel, BaseChatModelCallOptions } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, type BaseMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { loadTemplate } from "../utils/base/text/template.ts";
import { headAndTail } from "../utils/base/text/text.ts";
import { taskOf } from "../utils/task/task_data.ts";
import { inventsObservation, readReply } from "./dialects/reader.ts";
import {
  callsTools,
  type ModelMessage,
  type Observation,
  REPLY_LABELS,
  type Read,
  type Reply,
  type ReplyFormat,
  renderAction,
  renderAnswer,
  STOP_SEQUENCES,
} from "./dialects/reply.ts";
import type { ReplyDetails } from "./run/trajectory.ts";
import { parametersOf, type Registry, type Tool } from "./tools/tool.ts";

const text = (section: string) => loadTemplate(new URL("../prompts/told.md", import.meta.url), section);
const native = text("native");
const observed = text("observation");
const rejected = text("rejected");
const malformed = text("malformed");
const leftOut = text("left_out");

const labelled = (text: string): string => `${REPLY_LABELS.observation} ${text}`;

/** Tells the model what a tool returned. */
export const tellObserved = ({ status, output }: Observation): string => labelled(observed({ status, output }));

/** Tells the model why its answer is not accepted. */
export const tellRejected = ({ status, output }: Observation): string =>
  labelled(rejected({ outcome: status, explanation: output }));

/** Tells the model why its reply could not be read. */
export const tellMalformed = (problem: string): string => labelled(malformed({ problem }));

/** Tells the model which of several calls in one reply were not carried out. */
export const tellLeftOut = (tools: readonly string[]): string => leftOut({ tools: tools.join(", ") });

export interface ConversationParts extends Pick<ReplyFormat, "answer" | "language"> {
  model: BaseChatModel;
  tools: Registry;
  /** How the model calls tools: by its server's own means, or in its text. Default: as the model says. */
  toolCalls?: "native" | "text" | undefined;
}

/** A reply as it was read. */
interface ReadMessage extends Read, ReplyDetails {
  /** Names of further tools that the reply called. Only one call of a reply is carried out. */
  leftOut?: string[];
  /** The message for the state. */
  stored: BaseMessage;
}

/** A model with its tools. Made once a task, as it keeps what is the same for all turns. */
export class Conversation {
  readonly #parts: ConversationParts;
  readonly #format: ReplyFormat;
  readonly #isNative: boolean;
  #schemas: ReturnType<typeof schemaOf>[] | undefined;
  #model: Pick<BaseChatModel, "invoke"> | undefined;
  /** What was last sent for a message, and what that depended on: a long conversation is converted once. */
  readonly #converted = new WeakMap<BaseMessage, { place: Place; sent: BaseMessage }>();

  constructor(parts: ConversationParts) {
    const { model, tools, toolCalls, answer, language } = parts;
    this.#parts = parts;
    this.#format = { tools: [...tools.keys()], answer, language };
    this.#isNative = toolCalls === undefined ? callsTools(model) : toolCalls === "native";
  }

  /** Asks the model. @throws what the model throws, and an Error if it takes no tools and native calls are wanted */
  async ask(messages: readonly BaseMessage[], options: Partial<BaseChatModelCallOptions>): Promise<AIMessage> {
    const { tools, answer, language } = this.#format;
    this.#model ??= this.#isNative ? bound(this.#parts.model, this.#toolSchemas()) : this.#parts.model;
    const sent = this.#isNative ? this.#withNativeCalls(messages) : [...messages];
    // A model on this machine writes only what the strict reader can read; other models ignore `replyFormat`.
    const protocol = { stop: [...STOP_SEQUENCES], replyFormat: { tools, answer, fence: language.fence } };
    return this.#model.invoke(sent, { ...options, ...protocol });
  }

  /** Upper bound of a request's tokens: a token has at least one byte, and each message some bytes around its text. */
  mostInputTokens(messages: readonly BaseMessage[]): number {
    const bytes = messages.map(({ text }) => Buffer.byteLength(text) + AROUND_MESSAGE);
    return Buffer.byteLength(JSON.stringify(this.#toolSchemas())) + bytes.reduce((sum, n) => sum + n, 0);
  }

  #toolSchemas() {
    this.#schemas ??= [...this.#parts.tools.values()].map(schemaOf);
    return this.#schemas;
  }

  /** Reads what the model meant. */
  read(message: AIMessage): ReadMessage {
    const details = detailsOf(message);
    const said = messageOf(message, details);
    const read = readReply(said, this.#format);
    const leftOut = read.reply.kind === "malformed" ? [] : otherCalls(said, read.reply);
    const stored = this.#stored(message, said, read.reply);
    return { ...read, ...details, stored, ...(leftOut.length > 0 && { leftOut }) };
  }

  /** Actions that were carried out become native calls, and their observations the results. The rest stays as it is. */
  #withNativeCalls(messages: readonly BaseMessage[]): BaseMessage[] {
    const all: BaseMessage[] = [];
    for (const [at, message] of messages.entries()) {
      const place = { at, before: all[at - 1], next: messages[at + 1] };
      const known = this.#converted.get(message);
      const sent = known && isSame(known.place, place) ? known.sent : this.#nativeMessage(message, place);
      this.#converted.set(message, { place, sent });
      all.push(sent);
    }
    return all;
  }

  #nativeMessage(message: BaseMessage, { at, before, next }: Place): BaseMessage {
    if (message.type === "system") return withNativeFormat(message);
    const [call] = AIMessage.isInstance(before) ? (before.tool_calls ?? []) : [];
    if (call?.id === callId(at - 1)) return new ToolMessage({ content: message.text, tool_call_id: call.id });
    if (message.type !== "ai" || next?.type !== "human" || taskOf(next)) return message;
    const { reply } = readReply({ text: message.text }, this.#format);
    if (reply.kind !== "act") return message;
    const tool_calls = [{ type: "tool_call" as const, id: callId(at), name: reply.tool, args: reply.input }];
    return new AIMessage({ content: reply.thought, tool_calls });
  }

  /**
   * The message as the state keeps it: the model's own text, so that servers and caches are sent what they wrote. Three
   * kinds are written anew: native calls (they would demand tool messages), replies with an invented observation (the
   * model must not read what never happened) and empty replies (servers refuse them).
   */
  #stored(message: AIMessage, { text, toolCalls: [call] = [] }: ModelMessage, reply: Reply): BaseMessage {
    const { answer, language } = this.#format;
    // The id stays: a program that streams messages knows the message by it.
    const written = (content: string) => new AIMessage({ content, id: message.id });
    if (reply.kind === "act" && (call || inventsObservation(text))) return written(renderAction(reply));
    if (reply.kind === "answer" && call) return written(renderAnswer(reply, answer, language.fence));
    const args = typeof call?.args === "string" ? call.args : JSON.stringify(call?.args);
    const said = (call ? `${text}\n${call.name} ${args}` : text).trim();
    return call || said === "" ? written(said || "(an empty reply)") : message;
  }
}

/** Where a message stands: behind what was sent last, and before the message that may be its result. */
interface Place {
  at: number;
  before: BaseMessage | undefined;
  next: BaseMessage | undefined;
}

const isSame = (a: Place, b: Place): boolean => a.at === b.at && a.before === b.before && a.next === b.next;

/** Some servers accept only ids of nine letters and digits. */
const callId = (at: number): string => `call${String(at).padStart(5, "0")}`;

function withNativeFormat({ text }: BaseMessage): SystemMessage {
  const format = native({ action: REPLY_LABELS.action, input: REPLY_LABELS.input });
  return new SystemMessage(`${text}\n\n${format}`);
}

function bound(model: BaseChatModel, tools: ReturnType<typeof schemaOf>[]): Pick<BaseChatModel, "invoke"> {
  if (!model.bindTools) throw new Error("this model takes no tools: leave toolCalls away");
  return model.bindTools(tools);
}

/** Bytes that a chat template adds to a message: roles, marks, the name of a called tool. */
const AROUND_MESSAGE = 64;

const schemaOf = (tool: Tool) => ({
  type: "function" as const,
  function: { name: tool.name, description: tool.description, parameters: parametersOf(tool) },
});

/** The names of all calls but the one that was read. */
function otherCalls({ toolCalls = [] }: ModelMessage, reply: Reply): string[] {
  const names = toolCalls.map(({ name }) => name);
  const taken = reply.kind === "act" ? names.indexOf(reply.tool) : 0;
  return names.toSpliced(Math.max(0, taken), 1);
}

/** What a reader needs of a message. Raw arguments come first: LangChain completes those that were cut off. */
function messageOf(message: AIMessage, { reasoning, finishReason }: ReplyDetails): ModelMessage {
  const { tool_calls = [], invalid_tool_calls = [] } = message;
  const chunks = AIMessageChunk.isInstance(message) ? (message.tool_call_chunks ?? []) : [];
  const calls = chunks.length > 0 ? chunks : [...tool_calls, ...invalid_tool_calls];
  return {
    text: message.text,
    toolCalls: calls.map(({ name = "", args = "" }) => ({ name, args })),
    reasoning: reasoning === undefined ? undefined : finishReason === "length" ? "cut" : "whole",
  };
}

/** LangChain keeps reasoning beside the content or, where events are streamed, in blocks of the content. */
function detailsOf({ additional_kwargs: beside, content, response_metadata: end }: AIMessage): ReplyDetails {
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

/** Servers write what they like, and a run keeps these for every turn. */
const FINISH_REASON_CHARS = 40;
const REASONING_CHARS = 20_000;
