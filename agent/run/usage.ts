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
  /** US dollars; null where a price is unknown. */
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
 * The usage of the one model call that gave this message. Seconds and tool calls are 0: whoever ran them adds them.
 * Reads `usage_metadata`, then the server's own `usage` (LangChain drops a count of 0 from the former).
 */
export function usageOfMessage(message: BaseMessage): Usage {
  const { usage_metadata: counted, response_metadata: answer } = Counts.parse(message);
  return {
    ...noUsage(),
    inputTokens: counted?.input_tokens ?? answer?.usage?.prompt_tokens ?? null,
    cachedInputTokens:
      counted?.input_token_details?.cache_read ?? answer?.usage?.prompt_tokens_details?.cached_tokens ?? null,
    outputTokens: counted?.output_tokens ?? answer?.usage?.completion_tokens ?? null,
    modelCalls: 1,
    costUsd: null,
  };
}

const Count = Amount.nullish().catch(null);

/** The parts of a message that count tokens. A part of another shape counts as absent: servers send all sorts. */
const Counts = z.object({
  usage_metadata: z
    .object({
      input_tokens: Count,
      output_tokens: Count,
      input_token_details: z.object({ cache_read: Count }).nullish().catch(null),
    })
    .nullish()
    .catch(null),
  response_metadata: z
    .object({
      usage: z
        .object({
          prompt_tokens: Count,
          completion_tokens: Count,
          prompt_tokens_details: z.object({ cached_tokens: Count }).nullish().catch(null),
        })
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
});

const addKnown = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);
