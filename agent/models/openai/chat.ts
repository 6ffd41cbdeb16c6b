/** LangChain's chat completions for servers of all kinds; every failure is a ModelCallError. Loads OpenAI's library. */

import type { AIMessageChunk, BaseMessage } from "@langchain/core/messages";
import type { ChatGenerationChunk, ChatResult } from "@langchain/core/outputs";
import { type ChatOpenAICallOptions, ChatOpenAICompletions, type OpenAIClient } from "@langchain/openai";
import type { RequestCap } from "../../../utils/base/concurrency/request_cap.ts";
import { ModelCallError, type ModelFailure } from "../../run/model_errors.ts";
import { ReplyError } from "./fetch.ts";
import { asChunk, MOST_CALLS, readChunk } from "./reply.ts";
import { type Retries, refusalOf, retryAfterMs } from "./retries.ts";

type Whole = OpenAIClient.ChatCompletionCreateParamsNonStreaming;
type Streaming = OpenAIClient.ChatCompletionCreateParamsStreaming;
type Chunks = AsyncIterable<OpenAIClient.ChatCompletionChunk>;

/** `isWhole`: the reply does not come as a stream. */
type CallOptions = ChatOpenAICallOptions & { isWhole?: boolean };
type ParametersOf<M extends "invoke" | "_streamResponseChunks"> = Parameters<ChatOpenAICompletions<CallOptions>[M]>;
type Options = OpenAIClient.RequestOptions & Pick<CallOptions, "isWhole">;

interface OpenAIChatParts {
  explain: (error: unknown) => ModelFailure;
  /** For calls that name none. */
  seed: number | undefined;
  /** Limit of one attempt at a whole reply. */
  timeoutMs: number;
  retries: Retries;
  cap: RequestCap | undefined;
}

/** How long others wait where the server refuses and does not say for how long. */
const UNSAID_WAIT_MS = 1000;

/** `ChatOpenAI` itself sends models whose name it knows to another API, which most servers lack. */
export class OpenAIChat extends ChatOpenAICompletions<CallOptions> {
  readonly #parts: OpenAIChatParts;

  constructor(fields: ConstructorParameters<typeof ChatOpenAICompletions>[0], parts: OpenAIChatParts) {
    super(fields);
    this.#parts = parts;
    this.defaultOptions = { ...this.defaultOptions, ...(parts.seed !== undefined && { seed: parts.seed }) };
  }

  /** If a streamed reply breaks off, asks for it again as a whole, with retries. */
  override async invoke(...[input, options]: ParametersOf<"invoke">): Promise<AIMessageChunk> {
    try {
      return await super.invoke(input, options);
    } catch (error) {
      if (!(error instanceof BrokenStreamError) || options?.signal?.aborted) throw error;
      return super.invoke(input, { ...options, isWhole: true });
    }
  }

  /** Reads a reply as a stream of one part. LangChain's other reader throws at malformed tool calls. */
  override async _generate(messages: BaseMessage[], options: this["ParsedCallOptions"]): Promise<ChatResult> {
    let reply: ChatGenerationChunk | undefined;
    for await (const part of this._streamResponseChunks(messages, { ...options, isWhole: true }))
      reply = reply?.concat(part) ?? part;
    return { generations: reply ? [reply] : [] };
  }

  /** With what the server says at the end in the message, where LangChain has it only for those who do not stream. */
  override async *_streamResponseChunks(
    ...given: ParametersOf<"_streamResponseChunks">
  ): AsyncGenerator<ChatGenerationChunk> {
    for await (const chunk of super._streamResponseChunks(...given)) {
      const { finish_reason, model_name, system_fingerprint } = chunk.generationInfo ?? {};
      const end = { finish_reason, model_name, system_fingerprint };
      if (finish_reason !== undefined) Object.assign(chunk.message.response_metadata, end);
      yield chunk;
    }
  }

  override completionWithRetry(request: Streaming, options?: Options): Promise<Chunks>;
  override completionWithRetry(request: Whole, options?: Options): Promise<never>;
  override async completionWithRetry(request: Streaming | Whole, options: Options = {}): Promise<Chunks> {
    const { signal } = options;
    try {
      return await this.#parts.retries.run(request, signal, (sent) => this.#attempt(sent, options));
    } catch (error) {
      throw this.#failed(error, signal);
    }
  }

  async #attempt(
    { stream_options, ...request }: OpenAIClient.ChatCompletionCreateParams,
    { isWhole, ...options }: Options,
  ): Promise<Chunks> {
    const { cap, timeoutMs } = this.#parts;
    const { signal } = options;
    const leave = await cap?.enter(signal);
    const limits = [...(signal ? [signal] : []), ...(isWhole ? [AbortSignal.timeout(timeoutMs)] : [])];
    // The client never takes its listener off a signal.
    const limited = { ...options, signal: AbortSignal.any(limits) };
    try {
      if (!isWhole) {
        const streaming = { ...request, stream: true, ...(stream_options && { stream_options }) } as const;
        return this.#streamed(await super.completionWithRetry(streaming, limited), signal, leave);
      }
      const part = asChunk(await super.completionWithRetry({ ...request, stream: false }, limited));
      leave?.();
      return partsOf(part);
    } catch (error) {
      leave?.(refusalOf(error)?.status === 429 ? (retryAfterMs(error) ?? UNSAID_WAIT_MS) : undefined);
      throw limits.find(({ aborted }) => aborted)?.reason ?? error;
    }
  }

  async *#streamed(chunks: Chunks, signal: Options["signal"], leave?: () => void): Chunks {
    let [isComplete, calls] = [false, 0];
    try {
      for await (const given of chunks) {
        const chunk = readChunk(given);
        const [choice] = chunk.choices;
        calls += choice?.delta.tool_calls?.filter(({ id }) => id).length ?? 0;
        if (calls > MOST_CALLS) throw new ReplyError("MalformedReplyError", `it called more than ${MOST_CALLS} tools`);
        if (choice && isComplete) choice.finish_reason = null;
        isComplete ||= choice?.finish_reason != null;
        yield chunk;
      }
      signal?.throwIfAborted();
      if (!isComplete) throw new ReplyError("MalformedReplyError", "its reply had no end");
    } catch (error) {
      throw this.#failed(error, signal, BrokenStreamError);
    } finally {
      leave?.();
    }
  }

  #failed(error: unknown, signal: Options["signal"], type = ModelCallError): ModelCallError {
    const stopped = new DOMException("the call was stopped", "AbortError");
    return new type(this.#parts.explain(signal?.aborted ? stopped : error));
  }
}

async function* partsOf(whole: OpenAIClient.ChatCompletionChunk): Chunks {
  yield whole;
}

/** A streamed reply that did not come to its end. */
class BrokenStreamError extends ModelCallError {}
