/** Replies as LangChain can read them. A server can leave out any field or fill it with anything. */

import type { OpenAIClient } from "@langchain/openai";
import { z } from "zod";
import { ReplyError } from "./fetch.ts";

type Chunk = OpenAIClient.ChatCompletionChunk;

/** More than any model calls in one reply. LangChain's time to put calls together grows with their cube. */
export const MOST_CALLS = 64;

const Text = z.string().catch("");
const Maybe = z.string().optional().catch(undefined);
const Count = z.number().nonnegative();
const Usage = z
  .object({
    prompt_tokens: Count,
    completion_tokens: Count,
    total_tokens: Count.catch(0),
    prompt_tokens_details: z.object({ cached_tokens: Count }).optional().catch(undefined),
    prompt_cache_hit_tokens: Count.optional().catch(undefined),
  })
  // DeepSeek's name for what others call cached.
  .transform(({ prompt_cache_hit_tokens: cached_tokens, ...usage }) =>
    cached_tokens === undefined ? usage : { prompt_tokens_details: { cached_tokens }, ...usage },
  )
  .optional()
  .catch(undefined);
/** Some servers send an object in place of its JSON. */
const Arguments = z.union([z.string(), z.looseObject({}).transform((input) => JSON.stringify(input))]).catch("");
const Call = z
  .object({
    index: z.int().min(0).max(MOST_CALLS).optional().catch(undefined),
    id: Text,
    function: z.object({ name: Text, arguments: Arguments }).catch({ name: "", arguments: "" }),
  })
  .catch({ index: undefined, id: "", function: { name: "", arguments: "" } });
const Block = z.object({ text: Text }).catch({ text: "" });
const Message = z
  .object({
    content: z.union([z.string(), z.array(Block).transform((all) => all.map(({ text }) => text).join(""))]).catch(""),
    reasoning_content: Maybe,
    reasoning: Maybe,
    tool_calls: z.array(z.unknown()).optional().catch(undefined),
  })
  .catch({ content: "" });

/** A message, or a part of one. */
function readMessage(given: unknown) {
  const { content, reasoning, reasoning_content = reasoning, tool_calls } = Message.parse(given);
  const calls = tool_calls?.slice(0, MOST_CALLS).map((call, at) => {
    const { index = at, ...read } = Call.parse(call);
    return { index, ...read, type: "function" as const };
  });
  const role = "assistant" as const;
  return { role, content, ...(reasoning_content && { reasoning_content }), ...(calls && { tool_calls: calls }) };
}

/** Reads a part of a streamed reply. */
export function readChunk(given: Chunk): Chunk {
  const { choices: all, ...chunk } = { ...given };
  // No choice but the first was asked for.
  const first = Array.isArray(all) ? all.find((choice) => !Object(choice).index) : undefined;
  const { delta, finish_reason: end = null, ...choice } = Object(first);
  const finish_reason = typeof end === "string" ? end : null;
  const choices = first === undefined ? [] : [{ ...choice, finish_reason, delta: readMessage(delta) }];
  return Object.assign({ ...chunk, choices }, { id: Maybe.parse(chunk.id), usage: Usage.parse(chunk.usage) });
}

/** Reads a whole reply. @throws ReplyError for anything else, such as a stream that was not asked for */
export function asChunk({ choices, ...reply }: OpenAIClient.ChatCompletion): Chunk {
  if (!Array.isArray(choices)) throw new ReplyError("MalformedReplyError", "its reply held no choices");
  const parts = choices.map((choice) => ({ ...choice, delta: Object(choice).message }));
  return readChunk({ ...reply, object: "chat.completion.chunk", choices: parts });
}
