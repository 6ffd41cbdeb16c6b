/** Any OpenAI-compatible server as a chat model: llama.cpp, Ollama, vLLM, LM Studio, hosted ones. */

import { requestCapFor } from "../../../utils/base/concurrency/request_cap.ts";
import { explainModelError } from "../../run/model_errors.ts";
import type { MadeModel, ModelOptions } from "../model.ts";
import { contextOnServer, serverFrom } from "../server.ts";
import { OpenAIChat } from "./chat.ts";
import { checkedFetch, guardedFetch } from "./fetch.ts";
import { Retries } from "./retries.ts";

/**
 * A model behind `POST /chat/completions`. Nothing is sent before the first call.
 *
 * The length limit goes out as `max_tokens`, which every server knows (`max_completion_tokens` for OpenAI's reasoning
 * models); a server that refuses it by name gets the other.
 */
export async function createOpenAIModel(name: string, options: ModelOptions): Promise<MadeModel> {
  const { temperature, seed, maxTokens, timeoutMs, maxRetries, retryDelayMs = 500, log, maxRequests: max } = options;
  const { toolCalls = "native", requestsPerMinute, peers } = options;
  const server = serverFrom(options.env ?? process.env);
  const { address, key, headers } = server;
  const explain = (error: unknown) => explainModelError(error, undefined, { model: name, address, key, timeoutMs });
  const chat = new OpenAIChat(
    {
      model: name,
      apiKey: key ?? "none",
      temperature,
      ...(maxTokens !== undefined && { maxTokens }),
      maxRetries: 0,
      // The longest delay of a timer. The client's own limit ends when the headers arrive.
      timeout: 2 ** 31 - 1,
      configuration: {
        baseURL: address,
        defaultHeaders: headers,
        fetch: checkedFetch(guardedFetch(timeoutMs)),
        logLevel: "off",
      },
    },
    {
      explain,
      seed,
      timeoutMs,
      retries: new Retries({ maxRetries, retryDelayMs, log, explain }),
      cap: max === undefined ? undefined : requestCapFor(address, { max, log, requestsPerMinute, peers }),
    },
  );
  // Asked once, when a conversation grows long.
  let context: Promise<number | null> | undefined;
  const contextTokens = () => (context ??= contextOnServer(server, name, timeoutMs));
  return {
    name: `openai:${name}`,
    spec: `openai:${name}`,
    chat: Object.assign(chat, { callsTools: toolCalls === "native", contextTokens }),
    parameters: { temperature, seed: seed ?? null, maxTokens: maxTokens ?? null, baseUrl: address, toolCalls },
    deterministic: false,
    close: async () => {},
  };
}
