/** Odd replies of a server, whole or streamed: the model learns about each, or the call fails with a clear error. */

import { expect, test, vi } from "vitest";
import { z } from "zod";
import { python } from "../../../utils/languages/python/index.ts";
import { Conversation } from "../../conversation.ts";
import { ProgressHandler } from "../../run/progress.ts";
import { usageOfMessage } from "../../run/usage.ts";
import { defineTool, registry } from "../../tools/tool.ts";
import { ScriptedChat } from "../script.ts";
import { connectTo, failureOf, streamed } from "../testing/calls.ts";
import { startFakeOpenAI } from "../testing/fake_openai.ts";

const base = { id: "chatcmpl-1", created: 1, model: "any" };
const usage = { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 5 } };
const conversation = new Conversation({
  model: new ScriptedChat("script:none", []),
  tools: registry([
    defineTool({
      name: "code_interpreter",
      description: "runs code",
      input: z.looseObject({}),
      run: () => Promise.reject(new Error("nothing is run")),
    }),
  ]),
  answer: "code",
  language: python,
});

/** Sends `message` as a whole reply and as the one part of a streamed one. */
async function ask(message: unknown, more: object = {}) {
  const choice = { index: 0, finish_reason: "stop" };
  const whole = JSON.stringify({ ...base, choices: [{ ...choice, message }], usage, ...more });
  const chunk = JSON.stringify({ ...base, choices: [{ ...choice, delta: message }], usage, ...more });
  const sse = { raw: `data: ${chunk}\n\ndata: [DONE]\n\n`, contentType: "text/event-stream" };
  await using server = await startFakeOpenAI({
    reply: ({ body }) => (body.stream ? sse : { raw: whole, contentType: "application/json" }),
  });
  const model = await connectTo(server.url);
  const callbacks = [new ProgressHandler(() => {})];
  return await Promise.all([model.chat.invoke("x"), model.chat.invoke("x", { callbacks }), streamed(model)]);
}

const call = (fields: object, more: object = {}) => ({ id: "a", type: "function", function: fields, ...more });

test.each<[string, unknown, RegExp]>([
  ["[{}]", [{}], /names no tool/],
  ["[null]", [null], /names no tool/],
  ["['x']", ["x"], /names no tool/],
  ["[1]", [1], /names no tool/],
  ["null", null, /was empty/],
  ["{}", {}, /was empty/],
  ["a string", "x", /was empty/],
  ["no function", [{ id: "a", function: null }], /names no tool/],
  ["a function that is text", [{ function: "x" }], /names no tool/],
  ["another type", [{ id: "a", type: "custom", custom: { name: "x" } }], /names no tool/],
  ["no name", [call({ arguments: "{}" })], /names no tool/],
  ["a name that is not a string", [call({ name: { a: 1 }, arguments: [] }, { id: {}, index: "x" })], /names no tool/],
  ["no arguments", [call({ name: "code_interpreter" })], /has no code/],
  ["arguments that are null", [call({ name: "code_interpreter", arguments: null })], /has no code/],
  ["arguments that are a number", [call({ name: "code_interpreter", arguments: 3 })], /has no code/],
  ["an unknown tool", [call({ name: "__proto__", arguments: '{"__proto__":{"x":1}}' })], /no tool "__proto__"/],
  ["a hundred thousand", Array.from({ length: 100_000 }, () => ({})), /names no tool/],
])("the model learns that a malformed call cannot be read: %s", async (_name, tool_calls, problem) => {
  const warned = vi.spyOn(console, "warn");
  for (const message of await ask({ role: "assistant", content: null, tool_calls })) {
    const [first] = conversation.read(message, 0).replies;
    expect(first?.reply).toMatchObject({ kind: "malformed", problem: expect.stringMatching(problem) });
    expect(usageOfMessage(message)).toMatchObject({ inputTokens: 9, cachedInputTokens: 5, outputTokens: 4 });
  }
  expect(warned).not.toHaveBeenCalled();
});

test.each<[string, unknown]>([
  ["an object", call({ name: "code_interpreter", arguments: { code: "1" } })],
  ["without an id", { function: { name: "code_interpreter", arguments: '{"code":"1"}' } }],
])("a call that can be read is carried out: %s", async (_name, tool_call) => {
  for (const message of await ask({ role: "assistant", content: null, tool_calls: [tool_call] }))
    expect(conversation.read(message, 0).replies).toMatchObject([{ reply: { kind: "act", input: { code: "1" } } }]);
});

test.each<[string, unknown, string]>([
  ["none", null, ""],
  ["text", "x", ""],
  ["a list", [], ""],
  ["content that is a number", { content: 3 }, ""],
  ["content that is an object", { content: { text: "x" } }, ""],
  ["content in blocks", { content: [{ type: "text", text: "a" }, null, 3, { text: "b" }] }, "ab"],
  ["another role", { role: "user", content: "hi" }, "hi"],
  ["a role that is a number", { role: 7, content: "hi" }, "hi"],
  ["reasoning that is an object", { content: "hi", reasoning_content: { a: 1 } }, "hi"],
  ["garbage beside", { content: "hi", function_call: 3, audio: 3, refusal: [] }, "hi"],
])("a message of another shape is the model's message: %s", async (_name, given, text) => {
  for (const message of await ask(given)) expect([message.type, message.text]).toEqual(["ai", text]);
});

test.each<[string, unknown]>([
  ["text", "x"],
  ["null", null],
  ["counts that are text", { prompt_tokens: "1", completion_tokens: -3, total_tokens: {} }],
])("usage of another shape is unknown, not zero: %s", async (_name, given) => {
  for (const message of await ask({ content: "hi" }, { usage: given, id: 3, model: {}, system_fingerprint: {} }))
    expect(usageOfMessage(message)).toMatchObject({ inputTokens: null, cachedInputTokens: null, outputTokens: null });
});

test("reasoning is kept under either of its names", async () => {
  for (const name of ["reasoning", "reasoning_content"])
    for (const message of await ask({ content: "hi", [name]: "I think" }))
      expect(message.additional_kwargs.reasoning_content).toBe("I think");
});

test.each<[string, string, string]>([
  ["a stream where none was requested", "text/event-stream", 'data: {"choices": []}\n\n'],
  ["choices that are text", "application/json", '{"choices": "x"}'],
  ["HTML as JSON", "application/json", "<html></html>"],
  ["nesting without end", "application/json", "[".repeat(100_000)],
  ["nothing", "text/plain", ""],
])("a malformed reply fails with one sentence: %s", async (_name, contentType, raw) => {
  await using server = await startFakeOpenAI({ reply: () => ({ raw, contentType }) });
  const model = await connectTo(server.url);
  for (const asked of [model.chat.invoke("x"), streamed(model)]) {
    const failure = await failureOf(asked);
    expect(["server", "address"]).toContain(failure.kind);
    expect(failure.message).not.toMatch(/\n|undefined|not a function/);
  }
});

test("a stream that calls a tool ten thousand times is not put together", async () => {
  const part = (at: number) => ({
    ...base,
    choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: `${at}`, function: { name: "x" } }] } }],
  });
  const raw = Array.from({ length: 10_000 }, (_, at) => `data: ${JSON.stringify(part(at))}\n\n`).join("");
  await using server = await startFakeOpenAI({ reply: () => ({ raw, contentType: "text/event-stream" }) });
  expect(await failureOf(streamed(await connectTo(server.url)))).toMatchObject({
    kind: "server",
    message: expect.stringMatching(/more than 64 tools/),
  });
});
