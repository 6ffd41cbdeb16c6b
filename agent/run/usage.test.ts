import { AIMessage, AIMessageChunk, HumanMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { createSearchModel } from "../models/search/chat.ts";
import { addUsage, noUsage, type Usage, usageOfMessage } from "./usage.ts";

const call = (changes: Partial<Usage>): Usage => ({
  ...noUsage(),
  inputTokens: 100,
  cachedInputTokens: 40,
  outputTokens: 7,
  modelCalls: 1,
  costUsd: null,
  ...changes,
});

test("usage adds up, and the sum with nothing is the same", () => {
  const sum = addUsage(call({ seconds: 1.5, costUsd: 0.25 }), call({ toolCalls: 2, seconds: 0.5, costUsd: 0.5 }));
  expect(sum).toEqual({
    inputTokens: 200,
    cachedInputTokens: 80,
    outputTokens: 14,
    modelCalls: 2,
    toolCalls: 2,
    seconds: 2,
    costUsd: 0.75,
  });
  expect(addUsage(noUsage(), call({ costUsd: 1 }))).toEqual(call({ costUsd: 1 }));
});

test("a sum with an unknown part is unknown, in that figure alone", () => {
  const sum = addUsage(call({}), call({ inputTokens: null }));
  expect(sum).toMatchObject({ inputTokens: null, outputTokens: 14, modelCalls: 2, costUsd: null });
  expect(addUsage(sum, call({})).inputTokens).toBeNull();
});

test("a message tells its tokens", () => {
  const message = new AIMessage({
    content: "x",
    usage_metadata: { input_tokens: 9, output_tokens: 2, total_tokens: 11, input_token_details: { cache_read: 4 } },
  });
  expect(usageOfMessage(message)).toEqual({
    ...noUsage(),
    inputTokens: 9,
    cachedInputTokens: 4,
    outputTokens: 2,
    modelCalls: 1,
    costUsd: null,
  });
});

test("a message without counts has unknown tokens, not zero", () => {
  const unknown = { inputTokens: null, cachedInputTokens: null, outputTokens: null, modelCalls: 1 };
  expect(usageOfMessage(new AIMessage("x"))).toMatchObject(unknown);
  expect(usageOfMessage(new AIMessageChunk("x"))).toMatchObject(unknown);
  expect(usageOfMessage(new AIMessage({ content: "", response_metadata: { usage: "many" } }))).toMatchObject(unknown);
  const usage = { prompt_tokens: 1e308, completion_tokens: 0.5 };
  expect(usageOfMessage(new AIMessage({ content: "", response_metadata: { usage } }))).toMatchObject(unknown);
});

test("a count of zero that the server sent is zero", () => {
  const usage = { prompt_tokens: 5, completion_tokens: 0 };
  const message = new AIMessage({ content: "", response_metadata: { usage } });
  expect(usageOfMessage(message)).toMatchObject({ inputTokens: 5, outputTokens: 0, cachedInputTokens: null });
});

test("a model without weights reads no tokens: it says 0, not that it is unknown", async () => {
  const reply = await createSearchModel().invoke([new HumanMessage("agent 0")]);
  expect(usageOfMessage(reply)).toMatchObject({ inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 });
});
