/** Models that run on this machine through transformers.js: loading, and a LangChain chat model over them. */

import { availableParallelism } from "node:os";
import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { BaseChatModel, type BaseChatModelCallOptions } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, type BaseMessage, type UsageMetadata } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";
import type { EngineClient } from "./local/engine-client.ts";
import type { ChatMessage, GenerateRequest, GenerateResult } from "./local/messages.ts";

/** What a call may say beyond LangChain's own `stop` and `signal`. */
export interface TransformersCallOptions extends BaseChatModelCallOptions {
  maxTokens?: number;
  seed?: number;
}

export interface Sampling {
  temperature: number;
  topK: number;
  topP: number;
  repetitionPenalty: number;
  seed: number;
  maxTokens: number;
}

/** A chat model whose prompts are computed only from where they differ from earlier ones. */
export class ChatTransformers extends BaseChatModel<TransformersCallOptions> {
  readonly #engine: EngineClient;
  readonly #name: string;
  readonly #sampling: Sampling;

  constructor(engine: EngineClient, name: string, sampling: Sampling) {
    super({ maxRetries: 0 });
    this.#engine = engine;
    this.#name = name;
    this.#sampling = sampling;
  }

  override _llmType(): string {
    return "transformers.js";
  }

  override async _generate(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): Promise<ChatResult> {
    const onText = runManager ? (text: string): void => void runManager.handleLLMNewToken(text) : undefined;
    const result = await this.#call(messages, options, onText);
    const message = new AIMessage({ content: result.text, ...this.#metadata(result) });
    return { generations: [{ text: result.text, message }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const queue: string[] = [];
    let wake = (): void => {};
    let ended = false;
    const call = this.#call(messages, options, (text) => {
      queue.push(text);
      wake();
    }).finally(() => {
      ended = true;
      wake();
    });
    // The rejection is met below, once everything that was said has been handed on.
    call.catch(() => {});
    while (!ended || queue.length > 0) {
      for (const text of queue.splice(0)) {
        yield new ChatGenerationChunk({ text, message: new AIMessageChunk(text) });
        await runManager?.handleLLMNewToken(text);
      }
      if (!ended && queue.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    const message = new AIMessageChunk({ content: "", ...this.#metadata(await call) });
    yield new ChatGenerationChunk({ text: "", message });
  }

  #call(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    onText?: (text: string) => void,
  ): Promise<GenerateResult> {
    const { maxTokens, ...sampling } = this.#sampling;
    const request: GenerateRequest = {
      ...sampling,
      prompt: messages.map(chatMessage),
      stop: options.stop ?? [],
      maxNewTokens: options.maxTokens ?? maxTokens,
      ...(options.seed === undefined ? {} : { seed: options.seed }),
    };
    return this.#engine.generate(request, onText, options.signal);
  }

  #metadata(result: GenerateResult) {
    const usage_metadata: UsageMetadata = {
      input_tokens: result.inputTokens,
      output_tokens: result.outputTokens,
      total_tokens: result.inputTokens + result.outputTokens,
      input_token_details: { cache_read: result.cachedTokens },
    };
    const { passes, drafted, accepted } = result;
    const response_metadata = { model_name: this.#name, finish_reason: result.finish, passes, drafted, accepted };
    return { usage_metadata, response_metadata };
  }
}

const ROLES: Record<string, ChatMessage["role"]> = { system: "system", ai: "assistant", tool: "tool" };

function chatMessage(message: BaseMessage): ChatMessage {
  return { role: ROLES[message.type] ?? "user", content: message.text };
}

export const defaultThreads = (): number => Math.max(1, Math.min(8, availableParallelism()));
