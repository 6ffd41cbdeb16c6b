import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EngineClient } from "./local/engine-client.ts";
import { writeScriptedModel } from "./local/testing/scripted.ts";
import { ChatTransformers, type Sampling } from "./transformers.ts";

const SAMPLING: Sampling = { temperature: 0, topK: 0, topP: 1, repetitionPenalty: 1, seed: 0, maxTokens: 200 };
const REPLIES = ["Thought: look first\nObservation: made up", "Thought: übergroß 🚀\nFinal Answer: 1"];

let root: string;
let engine: EngineClient;
let chat: ChatTransformers;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "mend-"));
  const folder = await writeScriptedModel(join(root, "scripted"), { replies: REPLIES });
  const options = { file: "model_q4", device: "cpu", threads: 1, cacheBytes: 2 ** 28, speculate: true };
  engine = await EngineClient.start("scripted", { folder, ...options });
  chat = new ChatTransformers(engine, "scripted", SAMPLING);
});

afterAll(async () => {
  await engine.close();
  rmSync(root, { recursive: true, force: true });
});

test("a conversation of two turns: stop text cut, prefix reused, usage told", async () => {
  const first = await chat.invoke([new HumanMessage("Fix it.")], { stop: ["Observation:"] });
  expect(first.text).toBe("Thought: look first\n");
  expect(first.usage_metadata?.input_token_details?.cache_read).toBe(0);
  const messages = [new HumanMessage("Fix it."), new AIMessage(first.text), new HumanMessage("It printed 1.")];
  const second = await chat.invoke(messages);
  expect(second.text).toBe(REPLIES[1]);
  expect(second.usage_metadata?.input_token_details?.cache_read).toBeGreaterThan(60);
  expect(second.response_metadata).toMatchObject({ finish_reason: "stop" });
});

test("a stream says the same in parts", async () => {
  const parts: string[] = [];
  for await (const part of await chat.stream([new HumanMessage("a"), new AIMessage("b"), new HumanMessage("c")])) {
    parts.push(part.text);
  }
  expect(parts.join("")).toBe(REPLIES[1]);
  expect(parts.length).toBeGreaterThan(10);
});
