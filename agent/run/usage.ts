/** What model calls used, where it is known. */

import type { BaseMessage } from "@langchain/core/messages";
import { z } from "zod";

const Amount = z.number().nonnegative();

/** A figure of null is unknown, which is not 0: a server that does not count tokens gives null. */
export const Usage = z.object({
  inputTokens: Amount.nullable(),
  /** The part of `inputTokens` that the server already held. */
  cachedInputTokens: Amount.nullable(),
  outputTokens: Amount.nullable(),
  modelCalls: Amount,
  toolCalls: Amount,
  seconds: Amount,
  /** US dollars; null where a price is unknown. A run has none: its caller multiplies tokens by prices. */
  costUsd: Amount.nullable(),
});
export type Usage = z.infer<typeof Usage>;

/** The usage of nothing: every figure is 0, and known. */
export const noUsage = (): Usage => ({
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  modelCalls: 0,
  toolCalls: 0,
  seconds: 0,
  costUsd: 0,
});

/** The sum. If a part is unknown, so is the sum: without that part the figure would be wrong. */
export const addUsage = (a: Usage, b: Usage): Usage => ({
  inputTokens: addKnown(a.inputTokens, b.inputTokens),
  cachedInputTokens: addKnown(a.cachedInputTokens, b.cachedInputTokens),
  outputTokens: addKnown(a.outputTokens, b.outputTokens),
  modelCalls: a.modelCalls + b.modelCalls,
  toolCalls: a.toolCalls + b.toolCalls,
  seconds: a.seconds + b.seconds,
  costUsd: addKnown(a.costUsd, b.costUsd),
});

/**
 * The usage of the one model call that gave this message. Seconds and tool calls are 0: the caller adds them.
 * Reads `usage_metadata`, then the server's own `usage` (LangChain drops a count of 0 from the former).
 */
export function usageOfMessage(message: BaseMessage): Usage {
  const counted = part(message, "usage_metadata");
  const answer = part(part(message, "response_metadata"), "usage");
  return {
    ...noUsage(),
    inputTokens: count(counted, "input_tokens") ?? count(answer, "prompt_tokens"),
    cachedInputTokens:
      count(part(counted, "input_token_details"), "cache_read") ??
      count(part(answer, "prompt_tokens_details"), "cached_tokens"),
    outputTokens: count(counted, "output_tokens") ?? count(answer, "completion_tokens"),
    modelCalls: 1,
    costUsd: null,
  };
}

/** A part or a count of another shape is taken for none: servers send all sorts. No schema: it runs with each turn. */
const part = (whole: object, key: string): object => {
  const found: unknown = Reflect.get(whole, key);
  return typeof found === "object" && found !== null ? found : {};
};
const count = (counts: object, key: string): number | null => {
  const found: unknown = Reflect.get(counts, key);
  return Number.isSafeInteger(found) && Number(found) >= 0 ? Number(found) : null;
};

const addKnown = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);
