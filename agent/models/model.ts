/** What a model is to the rest of the program, and what a user may set about it. */

import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { LocalOptions } from "../../utils/inference/options.ts";

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export interface Model {
  /** What runs, e.g. `openai:qwen2.5-coder`. In every output. */
  name: string;
  /** The spec that gives this model again. */
  spec: string;
  /** Call it with `invoke(messages, { signal, stop })`; what it throws is read by `explainModelError`. */
  chat: BaseChatModel;
  /** What the run's manifest records. Holds no key. */
  parameters: { [key: string]: Json };
  /** Whether the same messages always give the same reply. */
  deterministic: boolean;
  /** Frees what the model holds (workers, sessions). */
  close(): Promise<void>;
}

export interface ModelOptions {
  temperature: number;
  seed?: number;
  /** Longest reply in tokens. */
  maxTokens?: number;
  /**
   * Limit of one attempt: to the end of a whole reply, or to the next part of a streamed one. Node's fetch gives up
   * on a server that sends nothing for 300 s, whatever is set here.
   */
  timeoutMs: number;
  /** Attempts after the first one that fails in a way that may pass. */
  maxRetries: number;
  /** Requests at a time to the model's server, fewer while it answers 429. Default: no limit. */
  maxRequests?: number;
  /** First wait before a retry where the server names none; doubles each time. Default 500. */
  retryDelayMs?: number;
  /** One line for a person, without a line break. */
  log: (line: string) => void;
  /** Default `process.env`. */
  env?: Record<string, string | undefined>;
  /** Sent as they are with each request to an OpenAI-compatible server, e.g. `{ top_k: 20, cache_prompt: true }`. */
  requestExtras?: { [key: string]: Json };
  /** For models that run on this machine. */
  local?: LocalOptions;
  /** How many edits the search engine may try. */
  searchSteps?: number;
}
