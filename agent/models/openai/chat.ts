/** LangChain's chat completions with every failure told as a ModelCallError. Loads the OpenAI library. */

import { randomUUID } from "node:crypto";
import type { CallbackManagerForLLMRun, Callbacks } from "@langchain/core/callbacks/manager";
import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  type BaseMessageChunk,
  isBaseMessage,
} from "@langchain/core/messages";
import type { ChatGeneration, ChatGenerationChunk, ChatResult, LLMResult } from "@langchain/core/outputs";
import {
  type ChatOpenAICallOptions,
  ChatOpenAICompletions,
  convertMessagesToCompletionsMessageParams,
  OpenAIClient,
} from "@langchain/openai";
import { z } from "zod";
import { jsonValue, readJson } from "../../../utils/base/data/record.ts";
import { inOnePiece } from "../../../utils/base/text/text.ts";
import { textOf } from "../../../utils/task/message_text.ts";
import { isWatched } from "../../../utils/tracing/tracers.ts";
import { ModelCallError, type ModelFailure } from "../../run/model_errors.ts";
import { type Progress, ProgressHandler } from "../../run/progress.ts";
import type { Answer, Body } from "./exchange.ts";
import { type Chunk, chunkReader, takesIn, writtenIn } from "./stream.ts";
import { MalformedReplyError } from "./wire.ts";

interface CallOptions extends ChatOpenAICallOptions {
  /** Told of the call while it runs; makes the reply be streamed. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** Sends the body of a request for a chat completion. */
export type Post = (body: Body, signal: AbortSignal | undefined) => Promise<Answer>;

/** Messages as they are sent, and as LangChain's own way wants them. */
interface Conversation {
  written: Uint8Array;
  messages: () => BaseMessage[];
}

interface OpenAIChatParts {
  explain: (error: unknown) => ModelFailure;
  /** How a reply is asked for, but for one that somebody streams by LangChain: that comes over its client. */
  post: Post;
  /** Of calls that name none; as a keyword of the model it would win over theirs. */
  seed?: number | undefined;
}

/**
 * `ChatOpenAICompletions` and not `ChatOpenAI`, as the latter sends models whose name it knows to another API that
 * most servers lack.
 */
export class OpenAIChat extends ChatOpenAICompletions<CallOptions> {
  readonly #explain: (error: unknown) => ModelFailure;
  readonly #post: Post;
  readonly #seed: number | undefined;
  /** The same, whose replies are never streamed. */
  readonly #whole: () => OpenAIChat;
  /** Whether it calls tools natively; the conversation asks. */
  callsTools = false;
  readonly tellsProgress = true;

  constructor(fields: ConstructorParameters<typeof ChatOpenAICompletions>[0] & object, parts: OpenAIChatParts) {
    super(fields);
    this.#explain = parts.explain;
    this.#post = parts.post;
    this.#seed = parts.seed;
    this.#whole = () => new OpenAIChat({ ...fields, disableStreaming: true }, parts);
  }

  /**
   * A reply that was streamed only because somebody watches, and broke off, is asked for again as a whole: that is
   * retried.
   */
  override async invoke(
    ...[input, options]: Parameters<ChatOpenAICompletions<CallOptions>["invoke"]>
  ): Promise<AIMessageChunk> {
    try {
      return await super.invoke(input, options);
    } catch (error) {
      if (!(error instanceof BrokenStreamError) || options?.signal?.aborted) throw error;
      return this.#whole().invoke(input, options);
    }
  }

  /** What `invoke` gives, for a caller that knows that nobody watches. */
  async replyUnwatched(conversation: Conversation, options: this["ParsedCallOptions"]): Promise<AIMessage> {
    try {
      return await this.#replied(conversation, options);
    } catch (error) {
      if (!(error instanceof BrokenStreamError) || options.signal?.aborted) throw error;
      return this.#whole().#replied(conversation, options);
    }
  }

  async #replied(conversation: Conversation, options: this["ParsedCallOptions"]): Promise<AIMessage> {
    const [generation] = await this.#generated(conversation, options);
    if (AIMessage.isInstance(generation?.message)) return generation.message;
    throw new Error("the model server's reply held no message of an assistant");
  }

  /** Where nobody watches, without what LangChain does for those who do: it takes more CPU than the call itself. */
  override async _generateUncached(
    ...[messages, options, config, started]: Parameters<ChatOpenAICompletions<CallOptions>["_generateUncached"]>
  ): Promise<LLMResult> {
    const [conversation, ...others] = messages;
    const { onProgress: tell } = options;
    if (!conversation?.every(isBaseMessage) || others.length > 0 || started || isWatched(config, this)) {
      const callbacks = tell ? withHandler(config.callbacks, new ProgressHandler(tell)) : config.callbacks;
      return super._generateUncached(messages, options, { ...config, ...(callbacks && { callbacks }) }, started);
    }
    return { generations: [await this.#generated(this.#conversation(conversation), options)] };
  }

  async #generated(conversation: Conversation, options: this["ParsedCallOptions"]): Promise<ChatGeneration[]> {
    const { onProgress: tell } = options;
    tell?.({ type: "asked" });
    const replying =
      tell && this.disableStreaming !== true
        ? this.#streamed(conversation, options, tell)
        : this.#completed(conversation, options);
    const { generations } = await replying.finally(() => tell?.({ type: "replied" }));
    for (const { message, generationInfo } of generations) {
      message.id ??= inOnePiece(`run-${randomUUID()}`);
      message.response_metadata = { ...generationInfo, ...message.response_metadata };
    }
    return generations;
  }

  override invocationParams(
    ...[options, extra]: Parameters<ChatOpenAICompletions<CallOptions>["invocationParams"]>
  ): ReturnType<ChatOpenAICompletions<CallOptions>["invocationParams"]> {
    const params = super.invocationParams(options, extra);
    return { ...params, seed: params.seed ?? this.#seed };
  }

  override async _generate(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): Promise<ChatResult> {
    return this.#completed(this.#conversation(messages), options, runManager);
  }

  #conversation(messages: BaseMessage[]): Conversation {
    return { written: Buffer.from(this.write(messages)), messages: () => messages };
  }

  async #completed(
    { written, messages }: Conversation,
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): Promise<ChatResult> {
    const { signal } = options;
    try {
      const params = this.invocationParams(options);
      if (!params.stream) return resultOf(await this.#complete(params, written, signal), this.#messageOf);
      using call = ownSignal(signal);
      return await super._generate(messages(), { ...options, ...call.options }, runManager);
    } catch (error) {
      throw this.#failed(signal?.aborted ? new DOMException("the call was stopped", "AbortError") : error);
    }
  }

  /** A completion without the client of LangChain, which takes more CPU for each call than the exchange itself. */
  async #complete(
    params: ReturnType<ChatOpenAICompletions<CallOptions>["invocationParams"]>,
    written: Uint8Array,
    signal: AbortSignal | undefined,
  ): Promise<OpenAIClient.ChatCompletion> {
    const body = await this.#ask({ ...params, stream: false }, written, signal);
    return JSON.parse(typeof body === "string" ? body : "");
  }

  /** The body of what came back. @throws the client's own error for a refusal */
  async #ask(params: object, written: Uint8Array, signal: AbortSignal | undefined) {
    const head = `${JSON.stringify(params).slice(0, -1)},"messages":[`;
    const { status, headers, body } = await this.#post([Buffer.from(head), written, TAIL], signal);
    if (status >= 200 && status < 300) return body;
    const text = typeof body === "string" ? body : "";
    const refusal = readJson(text, z.looseObject({}));
    throw OpenAIClient.APIError.generate(status, refusal ?? undefined, refusal ? undefined : text, headers);
  }

  /** A reply that is told while it comes, as LangChain would put it together. */
  async #streamed(
    { written }: Conversation,
    options: this["ParsedCallOptions"],
    tell: (progress: Progress) => void,
  ): Promise<ChatResult> {
    const { signal } = options;
    const parts: BaseMessageChunk[] = [];
    let [pending, usage, role, isComplete]: [Chunk?, Chunk["usage"]?, OpenAIClient.ChatCompletionRole?, boolean?] = [];
    const take = (chunk: Chunk | undefined) => {
      const [choice] = chunk?.choices ?? [];
      if (!chunk || !choice?.delta) return;
      const part = this._convertCompletionsDeltaToBaseMessageChunk(choice.delta, chunk, role);
      role = choice.delta.role ?? role;
      if (choice.finish_reason != null) Object.assign(part.response_metadata, { finish_reason: choice.finish_reason });
      parts.push(part);
    };
    try {
      const params = { ...this.invocationParams(options, { streaming: true }), stream: true };
      const body = await this.#ask(params, written, signal);
      const hear = (chunk: Chunk) => {
        if (chunk.usage) usage = chunk.usage;
        isComplete ||= chunk.choices?.[0]?.finish_reason != null;
        const text = writtenIn(chunk);
        if (text !== "") tell({ type: "wrote", text });
        if (pending && takesIn(pending, chunk)) return;
        take(pending);
        pending = chunk;
      };
      if (typeof body !== "string") await body.read(chunkReader(hear));
      take(pending);
      signal?.throwIfAborted();
    } catch (error) {
      const isLate = pending !== undefined;
      const why = signal?.aborted ? new DOMException("the call was stopped", "AbortError") : error;
      throw this.#failed(why, isLate ? BrokenStreamError : ModelCallError);
    }
    if (!isComplete) throw this.#failed(new MalformedReplyError("its reply had no end"), BrokenStreamError);
    if (usage) parts.push(counted(usage));
    const message = parts.reduce((whole, part) => whole.concat(part));
    return { generations: [{ text: textOf(message), message }] };
  }

  /** Messages as a request has them. */
  write(messages: readonly BaseMessage[]): string {
    const params = convertMessagesToCompletionsMessageParams({ messages: [...messages], model: this.model });
    return params.map((param) => JSON.stringify(param)).join(",");
  }

  readonly #messageOf = (message: OpenAIClient.ChatCompletionMessage, completion: OpenAIClient.ChatCompletion) =>
    this._convertCompletionsMessageToBaseMessage(message, completion);

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    using call = ownSignal(options.signal);
    const chunks = super._streamResponseChunks(messages, { ...options, ...call.options }, runManager);
    let complete = false;
    for await (const chunk of this.#guard(chunks, BrokenStreamError)) {
      const { finish_reason } = chunk.generationInfo ?? {};
      complete ||= finish_reason !== undefined;
      // Where somebody watches, LangChain puts it into no message.
      if (finish_reason !== undefined) Object.assign(chunk.message.response_metadata, { finish_reason });
      yield chunk;
    }
    if (!complete && !options.signal?.aborted)
      throw this.#failed(new MalformedReplyError("its reply had no end"), BrokenStreamError);
  }

  override async *_streamChatModelEvents(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): ReturnType<ChatOpenAICompletions<CallOptions>["_streamChatModelEvents"]> {
    using call = ownSignal(options.signal);
    yield* this.#guard(super._streamChatModelEvents(messages, { ...options, ...call.options }, runManager));
  }

  /** Where no call can be read, LangChain takes them for those of an old package and says on stderr to upgrade it. */
  protected override _convertCompletionsMessageToBaseMessage(
    ...[message, response]: Parameters<ChatOpenAICompletions<CallOptions>["_convertCompletionsMessageToBaseMessage"]>
  ): BaseMessage {
    const { tool_calls: calls, ...rest } = message;
    // Some servers say null where there are none.
    const functions = (calls ?? []).flatMap((call) =>
      call.type === "function" ? { id: call.id, ...call.function } : [],
    );
    if (functions.length === 0 || functions.some((call) => (jsonValue(call.arguments) ?? null) !== null))
      return super._convertCompletionsMessageToBaseMessage(message, response);
    const made = super._convertCompletionsMessageToBaseMessage(rest, response);
    if (AIMessage.isInstance(made))
      made.invalid_tool_calls = functions.map(({ arguments: args, ...call }) => ({
        ...call,
        args,
        type: "invalid_tool_call",
      }));
    return made;
  }

  /** @param late what a failure after the first part is */
  async *#guard<Part>(parts: AsyncGenerator<Part>, late = ModelCallError): AsyncGenerator<Part> {
    let type = ModelCallError;
    try {
      for await (const part of parts) {
        yield part;
        type = late;
      }
    } catch (error) {
      throw this.#failed(error, type);
    }
  }

  /** Only what could not be explained keeps its cause: the others' causes may hold the key. */
  #failed(error: unknown, type = ModelCallError): ModelCallError {
    const failure = this.#explain(error);
    return new type(failure, failure.kind === "unknown" ? { cause: error } : {});
  }
}

/** After the messages of a request. */
const TAIL = Buffer.from("]}");

/** What LangChain makes of a completion. A message of no known role is taken for the assistant's. */
function resultOf(
  completion: OpenAIClient.ChatCompletion,
  messageOf: (message: OpenAIClient.ChatCompletionMessage, completion: OpenAIClient.ChatCompletion) => BaseMessage,
): ChatResult {
  const counted = usageMetadataOf(completion.usage);
  const generations = completion.choices.map(({ message: given, finish_reason }) => {
    const read = messageOf(given ?? { role: "assistant", content: null, refusal: null }, completion);
    const message = AIMessage.isInstance(read) ? read : new AIMessage({ content: read.content });
    if (counted) message.usage_metadata = counted;
    return { text: textOf(message), message, generationInfo: { ...(finish_reason && { finish_reason }) } };
  });
  return { generations };
}

/** What LangChain adds to a streamed reply once the server has counted. */
function counted(usage: OpenAIClient.CompletionUsage): AIMessageChunk {
  const usage_metadata = usageMetadataOf(usage);
  return new AIMessageChunk({
    content: "",
    response_metadata: { usage: { ...usage } },
    ...(usage_metadata && { usage_metadata }),
  });
}

const withHandler = (callbacks: Callbacks | undefined, handler: ProgressHandler): Callbacks =>
  Array.isArray(callbacks) ? [...callbacks, handler] : (callbacks?.copy([handler]) ?? [handler]);

/** Undefined where the server does not count, or counts one side alone: what it said stays in the metadata. */
function usageMetadataOf(usage: OpenAIClient.CompletionUsage | undefined): AIMessage["usage_metadata"] {
  const { prompt_tokens: input_tokens, completion_tokens: output_tokens, total_tokens } = usage ?? {};
  if (!input_tokens || !output_tokens) return undefined;
  const cached = usage?.prompt_tokens_details?.cached_tokens ?? undefined;
  const reasoning = usage?.completion_tokens_details?.reasoning_tokens ?? undefined;
  return {
    input_tokens,
    output_tokens,
    total_tokens: total_tokens ?? input_tokens + output_tokens,
    ...(cached !== undefined && { input_token_details: { cache_read: cached } }),
    ...(reasoning !== undefined && { output_token_details: { reasoning } }),
  };
}

/** A streamed reply that had begun. */
class BrokenStreamError extends ModelCallError {}

/** A signal for one call: the client adds a listener with each call and never takes it off. */
function ownSignal(signal: AbortSignal | undefined) {
  if (!signal) return { options: {}, [Symbol.dispose]: () => {} };
  const own = new AbortController();
  const abort = () => own.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  return { options: { signal: own.signal }, [Symbol.dispose]: () => signal.removeEventListener("abort", abort) };
}
