/** What crosses between the program and the process that runs the model: plain data. */

import type { ReplyFormat } from "./format/reply_grammar.ts";

export interface ChatMessage {
  role: "system" | "user" | "assistant" | "tool";
  content: string;
}

/** How the model is loaded. */
export interface EngineOptions {
  /** A transformers.js model folder: configuration, tokenizer, `onnx/`. */
  folder: string;
  /** File name in `onnx/`, without `.onnx`. */
  file: string;
  device: string;
  /** Threads of one forward pass. */
  threads: number;
  /** Memory for the caches of earlier conversations, in bytes; 0 turns reuse off. */
  cacheBytes: number;
  /** Folder for prefixes that outlive the process; none: nothing is written. */
  prefixFolder?: string;
  /** Draft tokens from the prompt and verify several in one pass. */
  speculate: boolean;
  /** Replies generated side by side at most, where the graph allows it; default 4. */
  maxBatch?: number;
}

/** What is known once a model is loaded. */
export interface EngineInfo {
  contextLength: number;
  /** False where this file's kernels give other values when a prompt is computed in parts; then nothing is reused. */
  splitInvariant: boolean;
  /** Whether one pass gives logits for several positions; without them drafts cannot be verified. */
  manyLogits: boolean;
  /** Whether one pass can add a token to each of several conversations. */
  batches: boolean;
  /** Where the cache of a conversation lives: `buffers` are ours and never copied out, `outputs` come with every pass. */
  cacheKind: "buffers" | "outputs";
}

export interface GenerateRequest {
  /** A conversation, or the ids of a prompt as they are. */
  prompt: ChatMessage[] | { ids: number[] };
  /** Texts that end the reply; they are not part of it. */
  stop: string[];
  maxNewTokens: number;
  /** 0 is greedy. */
  temperature: number;
  /** Sample among this many likeliest tokens; 0: among all. */
  topK: number;
  /** Sample among the likeliest tokens that make up this much probability; 1: among all. */
  topP: number;
  /** 1 is off. */
  repetitionPenalty: number;
  seed: number;
  /** Where given, only a well-formed reply of the text protocol can be produced. */
  format?: ReplyFormat;
}

/** `stop`: end of turn, a stop text or a complete reply. `length`: out of tokens. `loop`: the model repeated itself. */
export type FinishReason = "stop" | "length" | "loop";

export interface GenerateResult {
  text: string;
  /** Ids of the reply, what ended it included. */
  tokens: readonly number[];
  finish: FinishReason;
  inputTokens: number;
  /** Of the input, tokens that were not computed again. */
  cachedTokens: number;
  outputTokens: number;
  /** Forward passes after the prompt, tokens drafted for them and drafts that held. */
  passes: number;
  drafted: number;
  accepted: number;
}

/** Cost of the process so far. */
export interface EngineUsage {
  cpuSeconds: number;
  peakBytes: number;
}

/** A failure that is not a bug, told apart by what a user can do about it. */
export type Failure =
  | { kind: "context_overflow"; inputTokens: number; contextLength: number }
  | { kind: "aborted" }
  | { kind: "load"; reason: LoadFailure; detail: string }
  /** The process is gone, and with it every request. */
  | { kind: "ended"; detail: string }
  | { kind: "runtime"; detail: string };

/** A failure of one request, thrown where it happens and sent as data. */
export class RequestError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.kind);
    this.failure = failure;
  }
}

export type LoadFailure = "package_missing" | "corrupt" | "out_of_memory" | "unsupported" | "device" | "other";

export type ToEngine =
  | { type: "load"; options: EngineOptions }
  | { type: "generate"; id: number; request: GenerateRequest }
  | { type: "abort"; id: number }
  | { type: "usage"; id: number };

export type FromEngine =
  | { type: "loaded"; info: EngineInfo }
  | { type: "load_failed"; failure: Failure }
  | { type: "text"; id: number; text: string }
  | { type: "done"; id: number; result: GenerateResult }
  | { type: "usage"; id: number; usage: EngineUsage }
  | { type: "failed"; id: number; failure: Failure };
