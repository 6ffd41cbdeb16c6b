/** What crosses between the program and the process that runs the model: lines of JSON. */

import { z } from "zod";
import { ReplyShape } from "./format/reply_grammar.ts";

const ChatMessage = z.object({ role: z.enum(["system", "user", "assistant", "tool"]), content: z.string() });
export type ChatMessage = z.infer<typeof ChatMessage>;

/** How the model is loaded. */
const EngineOptions = z.object({
  /** A transformers.js model folder: configuration, tokenizer, `onnx/`. */
  folder: z.string(),
  /** File name in `onnx/`, without `.onnx`. */
  file: z.string(),
  device: z.string(),
  /** Threads of one forward pass. */
  threads: z.int(),
  /** Memory for the caches of earlier conversations, in bytes; 0 turns reuse off. */
  cacheBytes: z.number(),
  /** Folder for prefixes that outlive the process; none: nothing is written. */
  prefixFolder: z.string().optional(),
  /** Draft tokens from the prompt and verify several in one pass. */
  speculate: z.boolean(),
  /** Replies generated side by side at most, where the graph allows it; default 4. */
  maxBatch: z.int().optional(),
});
export type EngineOptions = z.infer<typeof EngineOptions>;

/** What is known once a model is loaded. */
export const EngineInfo = z.object({
  contextLength: z.int(),
  /** False where this file's kernels give other values when a prompt is computed in parts; then nothing is reused. */
  splitInvariant: z.boolean(),
  /** Whether one pass gives logits for several positions; without them drafts cannot be verified. */
  manyLogits: z.boolean(),
  /** Whether one pass can add a token to each of several conversations. */
  batches: z.boolean(),
  /**
   * Where the cache of a conversation lives: `buffers` are ours and never copied out, `outputs` come with every pass.
   */
  cacheKind: z.enum(["buffers", "outputs"]),
});
export type EngineInfo = z.infer<typeof EngineInfo>;

const GenerateRequest = z.object({
  /** A conversation, or the ids of a prompt as they are. */
  prompt: z.union([z.array(ChatMessage), z.object({ ids: z.array(z.int()) })]),
  /** Texts that end the reply; they are not part of it. */
  stop: z.array(z.string()),
  maxNewTokens: z.int(),
  /** 0 is greedy. */
  temperature: z.number(),
  /** Sample among this many likeliest tokens; 0: among all. */
  topK: z.number(),
  /** Sample among the likeliest tokens that make up this much probability; 1: among all. */
  topP: z.number(),
  /** 1 is off. */
  repetitionPenalty: z.number(),
  seed: z.number(),
  /** Where given, nothing else can be produced. */
  format: ReplyShape.optional(),
});
export type GenerateRequest = z.infer<typeof GenerateRequest>;

export const GenerateResult = z.object({
  text: z.string(),
  /** Ids of the reply, what ended it included. */
  tokens: z.array(z.int()).readonly(),
  /**
   * `stop`: end of turn, a stop text or a complete reply. `length`: out of tokens. `loop`: the model repeated itself.
   */
  finish: z.enum(["stop", "length", "loop"]),
  inputTokens: z.int(),
  /** Of the input, tokens that were not computed again. */
  cachedTokens: z.int(),
  outputTokens: z.int(),
  /** Forward passes after the prompt, tokens drafted for them and drafts that held. */
  passes: z.int(),
  drafted: z.int(),
  accepted: z.int(),
});
export type GenerateResult = z.infer<typeof GenerateResult>;

/** Cost of the process so far. */
export const EngineUsage = z.object({ cpuSeconds: z.number(), peakBytes: z.number() });
export type EngineUsage = z.infer<typeof EngineUsage>;

const LoadFailure = z.enum(["package_missing", "corrupt", "out_of_memory", "unsupported", "device", "other"]);
export type LoadFailure = z.infer<typeof LoadFailure>;

/** A failure that is not a bug, told apart by what a user can do about it. */
const EngineFailure = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("context_overflow"), inputTokens: z.int(), contextLength: z.int() }),
  z.object({ kind: z.literal("aborted") }),
  z.object({ kind: z.literal("load"), reason: LoadFailure, detail: z.string() }),
  /** The process is gone, and with it every request. */
  z.object({ kind: z.literal("ended"), detail: z.string() }),
  z.object({ kind: z.literal("runtime"), detail: z.string() }),
]);
export type EngineFailure = z.infer<typeof EngineFailure>;

/** A failure of one request, thrown where it happens and sent as data. */
export class RequestError extends Error {
  readonly failure: EngineFailure;

  constructor(failure: EngineFailure) {
    super(failure.kind);
    this.failure = failure;
  }
}

/** Ids name calls. `load` comes first and gives EngineInfo, `generate` gives GenerateResult, `usage` EngineUsage. */
export const ToEngine = z.discriminatedUnion("type", [
  z.object({ type: z.literal("load"), id: z.int(), options: EngineOptions }),
  z.object({ type: z.literal("generate"), id: z.int(), request: GenerateRequest }),
  z.object({ type: z.literal("usage"), id: z.int() }),
  z.object({ type: z.literal("abort"), id: z.int() }),
]);
export type ToEngine = z.infer<typeof ToEngine>;

/** `text`: a piece of a reply; `result` or `failure`: the end of the call. */
export const FromEngine = z.union([
  z.object({ id: z.int(), text: z.string() }),
  z.object({ id: z.int(), failure: EngineFailure }),
  z.object({ id: z.int(), result: z.unknown() }),
]);
export type FromEngine = z.infer<typeof FromEngine>;
