/** A LangChain chat model over a model that runs on this machine. */

import { EventEmitter, on } from "node:events";
import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { BaseChatModel, type BaseChatModelCallOptions } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, type BaseMessage, type UsageMetadata } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";
import { type EngineClient, LocalModelError } from "../../../utils/inference/engine_client.ts";
import type { ReplyShape } from "../../../utils/inference/format/reply_grammar.ts";
import type { ChatMessage, GenerateRequest, GenerateResult } from "../../../utils/inference/messages.ts";
import type { ChatRequest } from "../../../utils/task/process_protocol.ts";
import { LABEL_LINES, TURN_TOKEN } from "../../dialects/labels.ts";
import { CODE_TOOL, REPLY_LABELS } from "../../dialects/reply.ts";
import { roleOf } from "../../run/message.ts";
import { ModelCallError } from "../../run/model_errors.ts";

/** What a call may say beyond LangChain's own `stop` and `signal`. */
interface TransformersCallOptions extends BaseChatModelCallOptions {
  maxTokens?: number;
  seed?: number;
  /** What the caller can read: with it, and unless the model was made without constraint, nothing else is generated. */
  replyFormat?: Readable;
}

export interface TokenSampling {
  temperature: number;
  topK: number;
  topP: number;
  repetitionPenalty: number;
  /** None: another one for every call. */
  seed?: number | undefined;
  maxTokens: number;
  /** Whether `replyFormat` is kept to while a reply is generated. */
  constrain: boolean;
}

/** A chat model whose prompts are computed only from where they differ from earlier ones. */
export class ChatTransformers extends BaseChatModel<TransformersCallOptions> {
  readonly #engine: EngineClient;
  readonly #name: string;
  readonly #sampling: TokenSampling;
  #hasAnswered = false;

  constructor(engine: EngineClient, name: string, sampling: TokenSampling) {
    super({ maxRetries: 0 });
    this.#engine = engine;
    this.#name = name;
    this.#sampling = sampling;
  }

  override _llmType(): string {
    return "transformers.js";
  }

  override async _generate(messages: BaseMessage[], options: this["ParsedCallOptions"]): Promise<ChatResult> {
    const result = await this.#call(messages, options);
    const message = new AIMessage({ content: result.text, ...this.#metadata(result) });
    return { generations: [{ text: result.text, message }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const engine = new EventEmitter();
    const parts = on(engine, "text", { close: ["end"] });
    const call = this.#call(messages, options, (text) => engine.emit("text", text));
    // A rejection is met below, once all that was written has been passed on.
    call.catch(() => {}).finally(() => engine.emit("end"));
    for await (const [part] of parts) {
      const text = String(part);
      yield new ChatGenerationChunk({ text, message: new AIMessageChunk(text) });
      await runManager?.handleLLMNewToken(text);
    }
    const message = new AIMessageChunk({ content: "", ...this.#metadata(await call) });
    yield new ChatGenerationChunk({ text: "", message });
  }

  async #call(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    onText?: (text: string) => void,
  ): Promise<GenerateResult> {
    const { maxTokens, constrain, seed, ...sampling } = this.#sampling;
    const readable = constrain ? options.replyFormat : undefined;
    const request: GenerateRequest = {
      ...sampling,
      prompt: messages.map(chatMessage),
      // An answer of code ends by itself, and a stop text must not cut it.
      stop: readable?.answer === "code" ? [] : (options.stop ?? []),
      maxNewTokens: options.maxTokens ?? maxTokens,
      seed: options.seed ?? seed ?? Math.floor(Math.random() * 2 ** 32),
      format: readable && replyFormat(readable),
    };
    try {
      const result = await this.#engine.generate(request, onText, options.signal);
      this.#hasAnswered = true;
      return result;
    } catch (error) {
      throw error instanceof LocalModelError ? callError(error, this.#hasAnswered) : error;
    }
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

const chatMessage = (message: BaseMessage): ChatMessage => ({ role: roleOf(message), content: message.text });

/** @param hasAnswered whether the model has answered before: if so, a prompt too long is that task's alone */
function callError({ message, failure }: LocalModelError, hasAnswered: boolean): ModelCallError {
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  if (failure.kind === "context_overflow") {
    return new ModelCallError({ kind: "context_length", message: sentence, fatal: !hasAnswered });
  }
  // Without its process the model answers no other task either.
  return new ModelCallError({ kind: "server", message: sentence, fatal: failure.kind !== "runtime" });
}

/** What the caller can read. */
export type Readable = NonNullable<ChatRequest["replyFormat"]>;

/**
 * What a thought must not have: labels, fences, and markup that ends a message or a thinking block or begins a call.
 */
const FORBIDDEN: ReplyShape["forbidden"] = [
  ...LABEL_LINES.map(({ source, flags }) => ({ pattern: source, flags, at: ":\n" })),
  { pattern: '(?:action|action[ _\\\\]*input|final answer)["*`_]*\\s*:$', flags: "i", at: ":" },
  { pattern: "(?:```|~~~)$", flags: "", at: "`~" },
  {
    pattern: `(?:${TURN_TOKEN.source}|</?(?:think|thinking|thought|reasoning|scratchpad|tool|function|invoke)[^<>]*>)$`,
    flags: "i",
    at: ">]",
  },
];

/** A thought, then one action with a JSON object or one answer. */
export function replyFormat({ tools, answer, fence = "python" }: Readable): ReplyShape {
  const text = answer === "code" ? `\n\`\`\`${fence}\n` : "";
  const body = answer === "code" ? ({ kind: "code", empty: "pass" } as const) : ({ kind: "text" } as const);
  const final = { label: REPLY_LABELS.answer, options: [{ text, body }] };
  const steps = tools.length === 0 ? [final] : [{ label: REPLY_LABELS.action, options: tools.map(action) }, final];
  return { start: REPLY_LABELS.thought, forbidden: FORBIDDEN, steps };
}

/** Programs are long and models like to leave them out, so the object for the code tool begins with one. */
function action(tool: string): ReplyShape["steps"][number]["options"][number] {
  const inText = tool === CODE_TOOL;
  // Without a space after the colon where the object is the model's own, whose tokens for its beginning may hold one.
  return { text: ` ${tool}\n${REPLY_LABELS.input}${inText ? ' {"code":"' : ""}`, body: { kind: "json", inText } };
}
