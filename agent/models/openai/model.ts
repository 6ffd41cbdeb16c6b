/** Any OpenAI-compatible server as a chat model: llama.cpp, Ollama, vLLM, LM Studio, hosted ones. */

import { UserError } from "../../../utils/base/data/errors.ts";
import { explainHttpError, explainModelError } from "../../run/model_errors.ts";
import type { MadeModel, ModelOptions } from "../model.ts";
import { OpenAIChat, type Post } from "./chat.ts";
import { exchange, type Send } from "./exchange.ts";
import { withRetries, withTimeout } from "./http.ts";
import { requestCapFor, withRequestCap } from "./request_cap.ts";
import type { ModelServer } from "./server.ts";
import { asFetch, withRefusedParameters, withReplyCheck } from "./wire.ts";

/**
 * A model behind `POST /chat/completions`. Nothing is sent before the first call, but for `toolCalls: "auto"`. Timeouts
 * and retries are those of `http.ts` and no other: LangChain's and the client's own are off, because the first does not
 * retry a 429 without Retry-After and sleeps through an abort, and the second stops its clock when the headers arrive.
 *
 * The length limit goes out as `max_tokens`, which every server knows (`max_completion_tokens` for OpenAI's reasoning
 * models); a server that refuses it by name gets the other.
 */
export async function createOpenAIModel(name: string, server: ModelServer, options: ModelOptions): Promise<MadeModel> {
  const {
    temperature,
    seed,
    maxTokens,
    timeoutMs,
    maxRetries,
    retryDelayMs = 500,
    log,
    requestExtras,
    maxRequests,
    toolCalls = "text",
    requestsPerMinute,
    peers,
  } = options;
  const policy = { maxRetries, retryDelayMs, log };
  const once = withReplyCheck(withTimeout(exchange, timeoutMs));
  const capped =
    maxRequests === undefined
      ? once
      : withRequestCap(once, requestCapFor(server.address, { max: maxRequests, log, requestsPerMinute, peers }));
  const asked = withRefusedParameters(withRetries(capped, policy), log);
  const explain = (error: unknown) =>
    explainHttpError(error, { model: name, address: server.address, key: server.key, timeoutMs });
  const chat = new OpenAIChat(
    {
      model: name,
      apiKey: server.key ?? "none",
      temperature,
      ...(maxTokens === undefined ? {} : { maxTokens }),
      modelKwargs: { ...requestExtras },
      maxRetries: 0,
      timeout: NO_LIMIT_MS,
      configuration: {
        baseURL: server.address,
        defaultHeaders: server.headers,
        fetch: asFetch(asked),
        logLevel: "off",
      },
    },
    { explain, seed, post: completions(server, asked) },
  );
  chat.callsTools = toolCalls === "auto" ? await callsWhatIsOffered(chat) : toolCalls === "native";
  if (toolCalls === "auto") log(`model: openai:${name} calls tools ${chat.callsTools ? "natively" : "in its text"}`);
  return {
    name: `openai:${name}`,
    spec: `openai:${name}`,
    chat,
    parameters: {
      temperature,
      seed: seed ?? null,
      maxTokens: maxTokens ?? null,
      baseUrl: server.address,
      toolCalls: chat.callsTools ? "native" : "text",
      ...requestExtras,
    },
    deterministic: false,
    close: async () => {},
  };
}

function completions({ address, key = "none", headers }: ModelServer, send: Send): Post {
  const url = new URL(`${address}/chat/completions`);
  const sent = { accept: "application/json", "content-type": "application/json", authorization: `Bearer ${key}` };
  let all: Record<string, string> | undefined;
  return (body, signal) => {
    // With the first call: what cannot be a header fails that call, and a run that asks nobody goes on.
    all ??= Object.fromEntries(new Headers({ ...sent, ...headers }));
    return send({ url, method: "POST", headers: all, body, signal });
  };
}

const READY = {
  type: "function" as const,
  function: { name: "ready", description: "Says that you are ready.", parameters: { type: "object", properties: {} } },
};

/**
 * Offers the model a tool, once. False where the server refuses tools or leaves them unread.
 * @throws UserError where no model answers there at all
 */
async function callsWhatIsOffered(chat: OpenAIChat): Promise<boolean> {
  try {
    const { tool_calls = [] } = await chat.bindTools([READY]).invoke("Call the tool `ready`.");
    return tool_calls.some(({ name }) => name === READY.function.name);
  } catch (error) {
    const { kind, message } = explainModelError(error);
    if (kind === "unknown" || kind === "server" || /\btool/i.test(message)) return false;
    throw new UserError(message);
  }
}

/** The longest delay of a timer: the client's own limit would cover the waits between attempts. */
const NO_LIMIT_MS = 2 ** 31 - 1;
