/** The models that an agent in a box can reach: one of its own code, or the one that the host offers on its socket. */

import { BaseChatModel, type BaseChatModelCallOptions } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { z } from "zod";
import { postJson } from "../../utils/base/host/socket_http.ts";
import { ChatReply, type ChatRequest, HOST_ROUTES, type ModelAddress } from "../../utils/task/process_protocol.ts";
import { taskOf } from "../../utils/task/task_data.ts";
import { roleOf } from "../run/message.ts";
import { ModelCallError } from "../run/model_errors.ts";
import type { Model } from "./model.ts";
import { createModel } from "./table.ts";

const Refusal = z.object({ error: z.object({ message: z.string() }) });

/** The model that a job names: a part of the agent's own code, or the one behind the host's socket. */
export async function openModel(address: ModelAddress, socket: string): Promise<Pick<Model, "name" | "chat">> {
  if (address.kind === "host") return { name: address.name, chat: new HostChat(socket, address.name) };
  const { spec, seed, searchSteps } = address;
  return createModel(spec, { temperature: 0, timeoutMs: 0, maxRetries: 0, log: () => {}, seed, searchSteps });
}

interface HostCallOptions extends BaseChatModelCallOptions {
  replyFormat?: ChatRequest["replyFormat"];
}

class HostChat extends BaseChatModel<HostCallOptions> {
  readonly #socket: string;
  readonly #name: string;

  constructor(socket: string, name: string) {
    super({ maxRetries: 0 });
    this.#socket = socket;
    this.#name = name;
  }

  override _llmType(): string {
    return "host";
  }

  override async _generate(messages: BaseMessage[], options: this["ParsedCallOptions"]): Promise<ChatResult> {
    const { stop = [], replyFormat, signal } = options;
    const request: ChatRequest = { messages: messages.map(toWire), stop, replyFormat };
    const reply = await postJson(this.#socket, HOST_ROUTES.chat, request, signal).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      throw new ModelCallError({ kind: "address", message: `The host does not answer: ${error}.`, fatal: true });
    });
    if (reply.status !== 200) throw refused(this.#name, reply.status, reply.body);
    const message = fromWire(ChatReply.parse(reply.body));
    return { generations: [{ text: message.text, message }] };
  }
}

/** Agents in a box call tools in their text, so a message of a tool is as the user's. */
function toWire(message: BaseMessage): ChatRequest["messages"][number] {
  const role = roleOf(message);
  return { role: role === "tool" ? "user" : role, content: message.text, task: taskOf(message) };
}

function fromWire({ content, toolCalls, usage }: ChatReply): AIMessage {
  const { inputTokens, cachedInputTokens, outputTokens } = usage;
  const tool_calls = toolCalls.map((call, i) => ({ ...call, id: `call_${i}`, type: "tool_call" as const }));
  if (inputTokens === null || outputTokens === null) return new AIMessage({ content, tool_calls });
  const usage_metadata = {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(cachedInputTokens !== null && { input_token_details: { cache_read: cachedInputTokens } }),
  };
  return new AIMessage({ content, tool_calls, usage_metadata });
}

function refused(model: string, status: number, body: unknown): ModelCallError {
  const message = `${model}: ${Refusal.safeParse(body).data?.error.message ?? `status ${status}`}`;
  const isCapped = status === 429;
  return new ModelCallError({ kind: isCapped ? "rate_limit" : "server", message, fatal: isCapped });
}
