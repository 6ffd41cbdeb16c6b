/** What a model is sent of a conversation that outgrows its context. */

import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { taskOf } from "../../utils/task/task_data.ts";

/** Tokens that a model takes where neither the user nor its server says. */
const DEFAULT_CONTEXT = 32_768;

/** A token of code has more bytes with most models; one of numbers may have fewer, as the server's counts show. */
const BYTES_PER_TOKEN = 3;
/** Share of the context that messages may take. The rest is for the reply and the schemas of tools. */
const MOST = 0.75;
/** Share that they take at most after old observations were shortened. */
const LEFT = 0.4;

/**
 * The messages, in which the oldest observations are shortened where all would not fit. Many are shortened at once, and
 * then none for many turns: each request begins with the one before it, which servers have in their caches.
 * Pure; decides on a message by those before it alone.
 */
export function withinContext(messages: readonly BaseMessage[], contextTokens: number): BaseMessage[] {
  const sent: BaseMessage[] = [];
  let context = contextTokens * BYTES_PER_TOKEN;
  let bytes = 0;
  let oldest = 0;
  for (const message of messages) {
    const counted = AIMessage.isInstance(message) ? message.usage_metadata?.input_tokens : 0;
    if (counted) context = contextTokens * Math.min(BYTES_PER_TOKEN, Math.max(1, bytes / counted));
    bytes += bytesOf(message);
    if (bytes > context * MOST)
      for (; oldest < sent.length && bytes > context * LEFT; oldest += 1) {
        const [old, before] = [sent[oldest], sent[oldest - 1]];
        if (!old || !isObservation(old, before)) continue;
        const short = shortened(old);
        bytes += bytesOf(short) - bytesOf(old);
        sent[oldest] = short;
      }
    sent.push(message);
  }
  return sent;
}

/** A chat model with what only those of ours say of themselves. */
export type ChatModel = BaseChatModel & {
  /** Whether it calls tools by its server's own means. Default: in its text. */
  callsTools?: boolean;
  /** Size of its context in tokens; null where its server does not say. */
  contextTokens?(): Promise<number | null>;
  /** Names of tools that its replies call, so that they have to be there whatever the task is. */
  callsByName?: readonly string[];
};

/** The messages as they fit into the context of a model, which is asked for it only if they are many. */
export async function fitting(
  messages: readonly BaseMessage[],
  { model, contextTokens }: { model: Pick<ChatModel, "contextTokens">; contextTokens?: number | null | undefined },
): Promise<BaseMessage[]> {
  const bytes = messages.reduce((sum, message) => sum + bytesOf(message), 0);
  if (bytes < SMALLEST_CONTEXT * BYTES_PER_TOKEN * MOST && !contextTokens) return [...messages];
  return withinContext(messages, contextTokens ?? (await model.contextTokens?.()) ?? DEFAULT_CONTEXT);
}

/** Any model takes as many tokens. */
const SMALLEST_CONTEXT = 4096;

/** Of its content and calls, counted once: messages do not change. */
function bytesOf(message: BaseMessage): number {
  const bytes = sizes.get(message) ?? Buffer.byteLength(JSON.stringify([message.content, callsOf(message)]));
  sizes.set(message, bytes);
  return bytes;
}

const sizes = new WeakMap<BaseMessage, number>();
const callsOf = (message: BaseMessage) => AIMessage.isInstance(message) && message.tool_calls;

const isObservation = (message: BaseMessage, before: BaseMessage | undefined): boolean =>
  message.type === "tool" || (message.type === "human" && AIMessage.isInstance(before) && !taskOf(message));

/** Keeps an observation's data and first line, which tells whether it went well. The model can ask for the rest. */
function shortened(message: BaseMessage): BaseMessage {
  const [first = "", ...rest] = message.text.split("\n");
  if (rest.length < 2) return message;
  const { id, additional_kwargs } = message;
  const fields = { content: `${first}\n(${rest.length} lines, no longer shown)`, id, additional_kwargs };
  if (!ToolMessage.isInstance(message)) return new HumanMessage(fields);
  return new ToolMessage({ ...fields, tool_call_id: message.tool_call_id });
}
