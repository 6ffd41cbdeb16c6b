/** Any OpenAI-compatible server as a chat model: llama.cpp, Ollama, vLLM, LM Studio, hosted ones. */

import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import type { BaseMessage } from "@langchain/core/messages";
import type { ChatGenerationChunk, ChatResult } from "@langchain/core/outputs";
import { ChatOpenAICompletions } from "@langchain/openai";
import { explainHttpError, ModelCallError, type ModelFailure } from "./errors.ts";
import { withRetries, withTimeout } from "./http.ts";
import type { Model, ModelOptions } from "./model.ts";
import type { Server } from "./openai-server.ts";
import { MalformedReplyError, withRefusedParameters, withReplyCheck } from "./openai-wire.ts";

/**
 * A model behind `POST /chat/completions`. Nothing is sent before the first call. Timeouts and retries are those of
 * `http.ts` and no other: LangChain's and the client's own are off, because the first does not retry a 429 without
 * Retry-After and sleeps through an abort, and the second stops its clock when the headers arrive.
 *
 * The length limit goes out as `max_tokens`, which every server knows (`max_completion_tokens` for OpenAI's reasoning
 * models); a server that refuses it by name gets the other.
 */
export function createOpenAIModel(name: string, server: Server, options: ModelOptions): Model {
  const { temperature, seed, maxTokens, timeoutMs, maxRetries, retryDelayMs = 500, log, requestExtras } = options;
  const policy = { maxRetries, retryDelayMs, log };
  const send = withRetries(withReplyCheck(withTimeout(fetch, timeoutMs)), policy);
  const extras = { ...(seed === undefined ? {} : { seed }), ...requestExtras };
  const explain = (error: unknown) =>
    explainHttpError(error, { model: name, address: server.address, key: server.key, timeoutMs });
  const chat = new OpenAIChat(
    {
      model: name,
      apiKey: server.key ?? "none",
      temperature,
      ...(maxTokens === undefined ? {} : { maxTokens }),
      modelKwargs: extras,
      maxRetries: 0,
      timeout: NO_LIMIT_MS,
      configuration: {
        baseURL: server.address,
        defaultHeaders: server.headers,
        fetch: withRefusedParameters(send, log),
        logLevel: "off",
      },
    },
    explain,
  );
  return {
    name: `openai:${name}`,
    spec: `openai:${name}`,
    chat,
    parameters: {
      temperature,
      seed: seed ?? null,
      maxTokens: maxTokens ?? null,
      baseUrl: server.address,
      ...requestExtras,
    },
    deterministic: false,
    close: async () => {},
  };
}

/** The longest delay of a timer: the client's own limit would cover the waits between attempts. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/** Chat completions whose every failure is a ModelCallError. */
class OpenAIChat extends ChatOpenAICompletions {
  readonly #explain: (error: unknown) => ModelFailure;

  constructor(
    fields: ConstructorParameters<typeof ChatOpenAICompletions>[0] & object,
    explain: (error: unknown) => ModelFailure,
  ) {
    super(fields);
    this.#explain = explain;
  }

  override async _generate(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): Promise<ChatResult> {
    try {
      return await super._generate(messages, options, runManager);
    } catch (error) {
      throw this.#failed(error);
    }
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    let complete = false;
    for await (const chunk of this.#guard(super._streamResponseChunks(messages, options, runManager))) {
      complete ||= chunk.generationInfo?.finish_reason !== undefined;
      yield chunk;
    }
    if (!complete && !options.signal?.aborted) throw this.#failed(new MalformedReplyError("its reply had no end"));
  }

  override async *_streamChatModelEvents(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): ReturnType<ChatOpenAICompletions["_streamChatModelEvents"]> {
    yield* this.#guard(super._streamChatModelEvents(messages, options, runManager));
  }

  async *#guard<Part>(parts: AsyncGenerator<Part>): AsyncGenerator<Part> {
    try {
      yield* parts;
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /** Only what could not be explained keeps its cause: the others' causes may hold the key. */
  #failed(error: unknown): ModelCallError {
    const failure = this.#explain(error);
    return new ModelCallError(failure, failure.kind === "unknown" ? { cause: error } : {});
  }
}
