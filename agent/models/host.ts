/** The model that the host offers on its socket: the only way to one for an agent that runs in a box. */

import { BaseChatModel, type BaseChatModelCallOptions } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { z } from "zod";
import { postJson } from "../../utils/base/host/socket_http.ts";
import { HOST_ROUTES } from "../../utils/task/process_protocol.ts";
import { taskOf } from "../../utils/task/task_data.ts";
import { ModelCallError } from "../run/model_errors.ts";
import type { Model } from "./model.ts";

const Tokens = z.number().nullable();

const Completion = z.object({
  choices: z.tuple([
    z.object({
      message: z.object({
        content: z.string(),
        tool_calls: z.array(z.object({ name: z.string(), args: z.record(z.string(), z.unknown()) })),
      }),
    }),
  ]),
  usage: z.object({ prompt_tokens: Tokens, completion_tokens: Tokens, cached_tokens: Tokens }),
});

const Refusal = z.object({ error: z.object({ message: z.string() }) });

/** @param socket path of the host's socket, @param name what the host calls its model */
export const createHostModel = (socket: string, name: string): Pick<Model, "name" | "chat"> => ({
  name,
  chat: new HostChat(socket, name),
});

interface HostCallOptions extends BaseChatModelCallOptions {
  /** See `graph.ts`. */
  replyFormat?: { tools: readonly string[]; answer: "code" | "text"; fence?: string };
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
    const { stop = [], replyFormat } = options;
    const request = { messages: messages.map(toWire), stop, reply_format: replyFormat };
    const reply = await postJson(this.#socket, HOST_ROUTES.chat, request, options.signal).catch((error: unknown) => {
      if (options.signal?.aborted) throw error;
      throw new ModelCallError({ kind: "address", message: `The host does not answer: ${error}.`, fatal: true });
    });
    if (reply.status !== 200) throw refused(this.#name, reply.status, reply.body);
    const { choices, usage } = Completion.parse(reply.body);
    const [{ message }] = choices;
    const calls = message.tool_calls.map((call, i) => ({ ...call, id: `call_${i}`, type: "tool_call" as const }));
    const { prompt_tokens: input, completion_tokens: outputTokens, cached_tokens: cached } = usage;
    const counted =
      input === null || outputTokens === null
        ? {}
        : {
            usage_metadata: {
              input_tokens: input,
              output_tokens: outputTokens,
              total_tokens: input + outputTokens,
              ...(cached === null ? {} : { input_token_details: { cache_read: cached } }),
            },
          };
    return {
      generations: [
        { text: message.content, message: new AIMessage({ content: message.content, tool_calls: calls, ...counted }) },
      ],
    };
  }
}

const ROLES: Record<string, string> = { system: "system", human: "user", ai: "assistant" };
const toWire = (message: BaseMessage) => ({
  role: ROLES[message.type] ?? "user",
  content: message.text,
  task: taskOf(message),
});

function refused(model: string, status: number, body: unknown): ModelCallError {
  const said = Refusal.safeParse(body).data?.error.message ?? `status ${status}`;
  const message = `${model}: ${said}`;
  return new ModelCallError({ kind: status === 429 ? "rate_limit" : "server", message, fatal: status === 429 });
}
