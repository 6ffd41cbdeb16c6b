/** What a model and a kind of models are to the rest of the program, and what a user may set about a model. */

import type { z } from "zod";
import type { Peers } from "../../utils/base/concurrency/request_cap.ts";
import type { LocalOptions } from "../../utils/inference/options.ts";
import type { LanguageName } from "../../utils/languages/language.ts";
import type { Engine } from "../../utils/search/moves.ts";
import type { ChatModel } from "../run/context.ts";

export interface Model {
  /** The row of the table that made it. */
  kind: ModelKind;
  /** What runs, e.g. `openai:qwen2.5-coder`. In every output. */
  name: string;
  /** The spec that gives this model again. */
  spec: string;
  /** Call it with `invoke(messages, { signal, stop })`; what it throws is read by `explainModelError`. */
  chat: ChatModel;
  /** What replies for a search: callers that need no graph search with it themselves. Absent for all other models. */
  engine?: Engine;
  /** What the run's manifest records. Holds no key. */
  parameters: Record<string, z.core.util.JSONType>;
  /** Whether the same messages always give the same reply. */
  deterministic: boolean;
  /** Frees what the model holds (workers, sessions). */
  close(): Promise<void>;
}

/** How a model calls tools: by its server's own means, or in the text of its reply. */
export const TOOL_CALLS = ["native", "text"] as const;

/** What a row of the table makes: all of a model but the row itself. */
export type MadeModel = Omit<Model, "kind">;

/** A model that searches, for those who need no graph. */
export type SearchModel = Omit<MadeModel, "chat"> & { engine: Engine };

/** A row of the table of models: all that others ask about a kind of models. Its model is loaded only by `create`. */
export interface ModelKind {
  name: string;
  /** The subject of a sentence about it, e.g. `The search engine`. */
  title: string;
  /** How a user names one, e.g. `openai:NAME`, and where it is. */
  usage: string;
  place: string;
  /**
   * What a spec names of this kind (a server's model, a file), empty where the spec lacks it; null for a spec of
   * another kind. The first row that takes a spec has it.
   */
  recognise(spec: string): string | null;
  /** The model without `chat`, whose library takes long to load. Absent for language models. */
  search?(options: Partial<ModelOptions>): SearchModel;
  /** @param name from `recognise` @throws UserError where the model's settings are incomplete */
  create(name: string, options: ModelOptions): Promise<MadeModel>;
  /**
   * Looks for what is wrong with a model before any work begins, without a paid call. Absent: nothing can be.
   * @throws UserError
   */
  check?(name: string, options: ModelOptions): Promise<void>;
  /**
   * The spec to take where a user named none, and why; null where none is at hand. The first row that has one gives it.
   */
  atHand?(options: ModelOptions): Promise<{ spec: string; why: string } | null>;
  /** What it takes of the options that users set; it passes over the rest. */
  settings: readonly (keyof ModelOptions)[];
  /** Of the functions that it can repair; null for all. */
  languages: readonly LanguageName[] | null;
  /** What a token costs without a price table: nothing, what its server asks, or unknown. */
  price: "free" | "billed" | "unknown";
  /** Whether its server may have tool calls of its own. */
  callsTools?: true;
  /** The built-in search: it runs as a part of the agent, needs no language model, and cannot edit an agent. */
  isSearch?: true;
}

/** What commands and programs set about a model. Each kind of models takes what it knows and passes over the rest. */
export interface ModelOptions {
  temperature: number;
  seed?: number | undefined;
  /** Longest reply in tokens. */
  maxTokens?: number | undefined;
  /** Tokens of the model's context. Default: what its server says, else a default. */
  contextTokens?: number | undefined;
  /** How a server's model calls tools: by the server's own means, or in its text. Default `native`. */
  toolCalls?: (typeof TOOL_CALLS)[number] | undefined;
  /** For models that run on this machine. */
  local?: LocalOptions | undefined;
  /** How many edits the search engine may try. */
  searchSteps?: number | undefined;
  /** Limit of one attempt of a request: to the end of a whole reply, or to the next part of a streamed one. */
  timeoutMs: number;
  /** Attempts after the first one that fails in a way that may pass. */
  maxRetries: number;
  /** First wait before a retry where the server names none; doubles each time. Default 500. */
  retryDelayMs?: number | undefined;
  /** Requests at a time to the model's server, fewer while it answers 429. Default: no limit. */
  maxRequests?: number | undefined;
  /** Requests to it a minute, of all who share it. Default: no limit. */
  requestsPerMinute?: number | undefined;
  /** Other processes that share it. Default: none. */
  peers?: Peers | undefined;
  /** Writes one line for a person, without a line break. */
  log: (line: string) => void;
  /** Default `process.env`. */
  env?: Record<string, string | undefined> | undefined;
}
