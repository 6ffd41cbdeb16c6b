/**
 * Writes the messages that the model gets, and reads its replies. A model that calls tools natively has a conversation
 * of calls and results, any other one a conversation of text. The state holds the messages.
 */

import { randomUUID } from "node:crypto";
import type { BaseChatModel, BaseChatModelCallOptions } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { loadTemplate } from "../utils/base/text/template.ts";
import { inputOf } from "./dialects/calls.ts";
import { inventsObservation, readReplies } from "./dialects/reader.ts";
import {
  inFence,
  type ModelMessage,
  type Observation,
  REPLY_LABELS,
  type Reading,
  type Reply,
  type ReplyFormat,
  renderAction,
  renderAnswer,
  STOP_SEQUENCES,
} from "./dialects/reply.ts";
import type { ChatModel } from "./run/context.ts";
import { detailsOf, messageOf, textWithCalls } from "./run/message.ts";
import type { ReplyDetails } from "./run/trajectory.ts";
import type { PendingReply } from "./state.ts";
import { type Registry, SUBMIT, schemaOf } from "./tools/tool.ts";

const template = (section: string) => loadTemplate(new URL("../prompts/messages.md", import.meta.url), section);
const observed = template("observation");
const rejected = template("rejected");
const malformed = template("malformed");
const whole = template("whole");

/** What a tool returned, as text. The status `ok` is left out where there is output. */
export const observedText = ({ status, output }: Observation): string =>
  status === "ok" && output !== "" ? output : observed({ status, output });

/**
 * What the model is sent first: messages, and replies with their results, as native calls if the model makes those. The
 * *opening action* is a last reply that has no result yet: it is carried out before the model is asked.
 */
export type Opening = readonly (BaseMessage | { reply: Reply } | { result: string })[];

export interface ConversationParts extends Pick<ReplyFormat, "answer" | "language"> {
  model: ChatModel;
  tools: Registry;
  /** How the model calls tools: by its server's own means, or in its text. Default: as the model says. */
  toolCalls?: "native" | "text" | undefined;
}

/** Whether a model is sent the schemas of its tools. Without any tool there is nothing to call. */
export const isNative = ({ model, tools, toolCalls }: Pick<ConversationParts, "model" | "tools" | "toolCalls">) =>
  tools.size > 0 && (toolCalls === undefined ? model.callsTools === true : toolCalls === "native");

/** One of the replies in a message, with the id of its native call. */
type CallReading = Reading & Pick<PendingReply, "callId">;

/** A model with its tools: writes what it is sent, and reads its replies. */
export class Conversation {
  readonly #parts: ConversationParts;
  readonly #format: ReplyFormat;
  readonly #schemas: ReturnType<typeof schemaOf>[];
  #model: Pick<BaseChatModel, "invoke"> | undefined;

  constructor(parts: ConversationParts) {
    const { tools, answer, language } = parts;
    this.#parts = parts;
    this.#format = { tools: [...tools.keys()], answer, language, isNative: isNative(parts) };
    const offered = [...tools.values(), ...(answer === "text" && tools.size > 0 ? [SUBMIT] : [])];
    this.#schemas = this.#format.isNative ? offered.map(schemaOf) : [];
  }

  /** The conversation as a run begins, behind that of earlier runs of its thread, and the opening action. */
  begin(opening: Opening, earlier: readonly BaseMessage[]) {
    const system = opening.find((item) => SystemMessage.isInstance(item));
    // The same id: the instructions of this run replace those of the last one.
    const messages = earlier.map((one) =>
      system && SystemMessage.isInstance(one) ? new SystemMessage({ content: system.content, id: one.id }) : one,
    );
    for (const item of opening) {
      if (earlier.length > 0 && item === system) continue;
      const message = this.#opened(item, messages.length, callOf(messages.at(-1)));
      // Ids keep `streamMode: "messages"` from showing these as new. A checkpoint holds the arguments (`lc_kwargs`).
      message.lc_kwargs.id = message.id ??= randomUUID();
      messages.push(message);
    }
    const last = opening.at(-1);
    const call = { callId: callOf(messages.at(-1)), usage: null, seconds: 0 };
    return { messages, pending: last && "reply" in last ? [{ reply: last.reply, ...call }] : [] };
  }

  #opened(item: Opening[number], at: number, callBefore: string | undefined): BaseMessage {
    if ("reply" in item) return this.#written([{ ...item, callId: this.#isCall(item) ? callId(at, 0) : undefined }]);
    return "result" in item ? this.result({ callId: callBefore }, item.result) : item;
  }

  /** Asks the model. @throws what the model throws, and an Error if it takes no tools and native calls are wanted */
  async ask(messages: readonly BaseMessage[], options: Partial<BaseChatModelCallOptions>): Promise<AIMessage> {
    const { tools, answer, language, isNative } = this.#format;
    this.#model ??= isNative ? bound(this.#parts.model, this.#schemas) : this.#parts.model;
    // A model on this machine generates only replies of this form; other models ignore `replyFormat`.
    const protocol = { stop: [...STOP_SEQUENCES], replyFormat: { tools, answer, fence: language.fence } };
    return this.#model.invoke([...messages], { ...options, ...(!isNative && protocol) });
  }

  /** Upper bound of a request's tokens: a token has at least one byte, and each message some bytes around its text. */
  mostInputTokens(messages: readonly BaseMessage[]): number {
    const texts = [JSON.stringify(this.#schemas), ...messages.map(textWithCalls)];
    return texts.reduce((sum, text) => sum + Buffer.byteLength(text) + AROUND_MESSAGE, 0);
  }

  /** Reads the replies of a message, one at least, and writes it for the state. @param at its position */
  read(message: AIMessage, at: number): { stored: AIMessage; replies: CallReading[]; details: ReplyDetails } {
    const details = detailsOf(message);
    const said = messageOf(message, details);
    const idOf = (one: Reading, nth: number) => (this.#isCall(one) ? callId(at, nth) : undefined);
    const replies = readReplies(said, this.#format).map((one, nth) => ({ ...one, callId: idOf(one, nth) }));
    // Native calls are carried out before an answer: their results come directly behind the message that made them.
    replies.sort((a, b) => Number(a.callId === undefined) - Number(b.callId === undefined));
    return { stored: this.#stored(message, said, replies), replies, details };
  }

  /** The message that tells the model the result of a reply. @param before the message before it */
  result(
    { callId }: Pick<PendingReply, "callId">,
    text: string,
    data?: Observation["data"],
    before?: BaseMessage,
  ): BaseMessage {
    const additional_kwargs = data === undefined ? {} : { observation: data };
    if (callId) return new ToolMessage({ content: text, tool_call_id: callId, additional_kwargs });
    const content = this.#format.isNative ? text : `${REPLY_LABELS.observation} ${text}`;
    if (before?.type !== "human") return new HumanMessage({ content, additional_kwargs });
    // Many chat templates refuse two messages of the user in a row. The same id replaces the first one.
    return new HumanMessage({ content: `${before.text}\n\n${content}`, id: before.id, additional_kwargs });
  }

  /** Results for native calls that the last run of a thread left behind: servers refuse a call without a result. */
  notCarriedOut(left: readonly PendingReply[]): BaseMessage[] {
    const calls = left.filter(({ callId }) => callId);
    return calls.map((call) => this.result(call, "not carried out: the run ended before"));
  }

  /** Tells the model why its answer is not accepted, and what to send. */
  rejection({ status, output }: Observation): string {
    const { isNative, answer: kind, language } = this.#format;
    const advice = kind === "text" ? "Find out why and try again." : whole({ fence: language.fence });
    const answer = isNative ? "Your answer" : "the final answer";
    return rejected({ answer, outcome: status, explanation: output, advice });
  }

  /** Says why a reply could not be read. */
  problem(problem: string): string {
    return this.#format.isNative ? problem : malformed({ problem });
  }

  /** Whether a reply is kept as a native call. An answer is kept as text, also where it was made by a call. */
  #isCall({ reply, call }: Reading): boolean {
    if (!this.#format.isNative || reply.kind === "answer") return false;
    return (
      reply.kind === "act" || (call !== undefined && /^[\w-]{1,64}$/.test(call.name) && inputOf(call.args) !== null)
    );
  }

  /**
   * The message as the state keeps it: the model's own text word for word, so that a server's prompt cache fits. Three
   * kinds are written anew: native calls (with ids of ours), replies with an invented observation (the model must not
   * read what never happened) and empty replies (servers refuse them).
   */
  #stored(message: AIMessage, said: ModelMessage, replies: readonly CallReading[]): AIMessage {
    const isCalled = Boolean(said.toolCalls?.length) || replies.some(({ callId }) => callId);
    const isInvented = replies[0]?.reply.kind === "act" && inventsObservation(said.text);
    if (!isCalled && !isInvented && said.text.trim() !== "") return message;
    // The id stays: a program that streams messages knows the message by it.
    return this.#written(replies, message);
  }

  #written(replies: readonly CallReading[], { id, usage_metadata }: Partial<AIMessage> = {}): AIMessage {
    const tool_calls = replies.flatMap(({ reply, callId: id, call: { name = "", args } = {} }) => {
      if (id === undefined) return [];
      const called =
        reply.kind === "act" ? { name: reply.tool, args: reply.input } : { name, args: inputOf(args) ?? {} };
      return [{ type: "tool_call" as const, id, ...called }];
    });
    const words = replies.map((one) => (one.callId ? one.reply.thought : this.#inWords(one)));
    const content = words.filter((text) => text !== "").join("\n\n");
    const written = content || (tool_calls.length > 0 ? "" : "(an empty reply)");
    return new AIMessage({ content: written, tool_calls, id, usage_metadata });
  }

  /** A reply without native calls as text, as the model writes it. */
  #inWords({ reply, call }: CallReading): string {
    const { answer, language, isNative } = this.#format;
    if (reply.kind === "act") return renderAction(reply);
    if (reply.kind === "answer" && !isNative) return renderAnswer(reply, answer, language.fence);
    if (reply.kind === "answer")
      return [reply.thought, answer === "code" ? inFence(reply.text, language.fence) : reply.text].join("\n").trim();
    if (!call) return reply.thought;
    const args = typeof call.args === "string" ? call.args : JSON.stringify(call.args);
    return `${reply.thought}\n${call.name} ${args}`.trim();
  }
}

const callOf = (message: BaseMessage | undefined): string | undefined =>
  AIMessage.isInstance(message) ? message.tool_calls?.[0]?.id : undefined;

/** Some servers accept only ids of nine letters and digits, and some give all their calls the same id. */
const callId = (at: number, nth: number): string => `c${String(at).padStart(6, "0")}${String(nth).padStart(2, "0")}`;

function bound(model: BaseChatModel, tools: ReturnType<typeof schemaOf>[]): Pick<BaseChatModel, "invoke"> {
  if (!model.bindTools) throw new Error("this model takes no tools: omit toolCalls");
  return model.bindTools(tools);
}

/** Bytes that a chat template adds to a message: roles, marks, the name of a called tool. */
const AROUND_MESSAGE = 64;
