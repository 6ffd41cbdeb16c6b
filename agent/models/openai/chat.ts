/** LangChain's chat completions with every failure told as a ModelCallError. Loads the OpenAI library. */

import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { AIMessage, type AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import type { ChatGenerationChunk, ChatResult } from "@langchain/core/outputs";
import { ChatOpenAICompletions } from "@langchain/openai";
import { z } from "zod";
import { readJson } from "../../../utils/data/record.ts";
import { ModelCallError, type ModelFailure } from "../../run/model_errors.ts";
import { MalformedReplyError } from "./wire.ts";

/**
 * `ChatOpenAICompletions` and not `ChatOpenAI`, as the latter sends models whose name it knows to another API that
 * most servers lack.
 */
export class OpenAIChat extends ChatOpenAICompletions {
  readonly #explain: (error: unknown) => ModelFailure;
  readonly #seed: number | undefined;
  /** The same, whose replies are never streamed. */
  readonly #whole: () => OpenAIChat;
  /** Whether it calls tools natively; the conversation asks. */
  callsTools = false;

  /** @param seed of calls that name none; as a keyword of the model it would win over theirs */
  constructor(
    fields: ConstructorParameters<typeof ChatOpenAICompletions>[0] & object,
    { explain, seed }: { explain: (error: unknown) => ModelFailure; seed?: number },
  ) {
    super(fields);
    this.#explain = explain;
    this.#seed = seed;
    this.#whole = () =>
      new OpenAIChat({ ...fields, disableStreaming: true }, { explain, ...(seed !== undefined && { seed }) });
  }

  /**
   * A reply that was streamed only because somebody watches, and broke off, is asked for again as a whole: that is
   * retried.
   */
  override async invoke(...[input, options]: Parameters<ChatOpenAICompletions["invoke"]>): Promise<AIMessageChunk> {
    try {
      return await super.invoke(input, options);
    } catch (error) {
      if (!(error instanceof BrokenStreamError) || options?.signal?.aborted) throw error;
      return this.#whole().invoke(input, options);
    }
  }

  override invocationParams(
    ...[options, extra]: Parameters<ChatOpenAICompletions["invocationParams"]>
  ): ReturnType<ChatOpenAICompletions["invocationParams"]> {
    const params = super.invocationParams(options, extra);
    return { ...params, seed: params.seed ?? this.#seed };
  }

  override async _generate(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): Promise<ChatResult> {
    using call = ownSignal(options.signal);
    try {
      return await super._generate(messages, { ...options, ...call.options }, runManager);
    } catch (error) {
      throw this.#failed(error);
    }
  }

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
  ): ReturnType<ChatOpenAICompletions["_streamChatModelEvents"]> {
    using call = ownSignal(options.signal);
    yield* this.#guard(super._streamChatModelEvents(messages, { ...options, ...call.options }, runManager));
  }

  /** Where no call can be read, LangChain takes them for those of an old package and says on stderr to upgrade it. */
  protected override _convertCompletionsMessageToBaseMessage(
    ...[message, response]: Parameters<ChatOpenAICompletions["_convertCompletionsMessageToBaseMessage"]>
  ): BaseMessage {
    const { tool_calls: calls, ...rest } = message;
    // Some servers say null where there are none.
    const functions = (calls ?? []).flatMap((call) =>
      call.type === "function" ? { id: call.id, ...call.function } : [],
    );
    if (functions.length === 0 || functions.some((call) => readJson(call.arguments, z.unknown()) !== null))
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
