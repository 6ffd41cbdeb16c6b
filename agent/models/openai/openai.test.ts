import { expect, test } from "vitest";
import { messageWithTask } from "../../../utils/task/task_message.ts";
import { usageOfMessage } from "../../run/usage.ts";
import type { ModelOptions } from "../model.ts";
import { connectTo, streamed } from "../testing/calls.ts";
import { type FakeOpenAI, startFakeOpenAI } from "../testing/fake_openai.ts";

const connect = ({ url }: FakeOpenAI, changes: Partial<ModelOptions> = {}) =>
  connectTo(url, { temperature: 0.2, env: { OPENAI_BASE_URL: url }, ...changes });

/** As the graph calls models: it knows no more of one than that it chats. */
const withSeed = (seed: number): object => ({ seed });

test("a server is sent the text of a task and not its data", async () => {
  await using server = await startFakeOpenAI({ reply: () => "ok" });
  const { chat } = await connect(server);
  await chat.invoke([messageWithTask("text", { type: "improve", editor: 1, children: 0, failed: [] })]);
  expect(server.requests[0]?.body.messages).toEqual([{ role: "user", content: "text" }]);
});

test("parameters and stop sequences are in the request; the key is in the header", async () => {
  await using server = await startFakeOpenAI({ reply: () => "ok", key: "secret-key" });
  const { chat } = await connect(server, {
    seed: 7,
    maxTokens: 64,
    env: { OPENAI_BASE_URL: `${server.url}/`, OPENAI_API_KEY: "secret-key" },
  });
  await chat.invoke("x", { stop: ["Observation:"] });
  expect(server.requests[0]?.body).toMatchObject({
    model: "tiny",
    temperature: 0.2,
    seed: 7,
    max_tokens: 64,
    stop: ["Observation:"],
  });
});

test("a key that no header can hold is refused before anything is asked", async () => {
  const env = { OPENAI_BASE_URL: "http://127.0.0.1:9/v1", OPENAI_API_KEY: "sk-…" };
  const message = /^OPENAI_API_KEY holds a character that no key has and that cannot be sent/;
  await expect(connectTo("", { env })).rejects.toThrow(message);
});

test("the seed of a call wins over the model's", async () => {
  await using server = await startFakeOpenAI({ reply: () => "ok" });
  const model = await connect(server, { seed: 1 });
  await model.chat.invoke("hi");
  await model.chat.invoke("hi", withSeed(2));
  expect(server.requests.map(({ body }) => body.seed)).toEqual([1, 2]);
});

test("what was not set is not sent", async () => {
  await using server = await startFakeOpenAI({ reply: () => "ok" });
  await (await connect(server)).chat.invoke("x");
  expect(Object.keys(server.requests[0]?.body ?? {}).sort()).toEqual(["messages", "model", "stream", "temperature"]);
});

test("what is recorded of a model says what ran and holds no credentials", async () => {
  await using server = await startFakeOpenAI({ reply: ({ headers }) => headers.authorization ?? "none" });
  const base = server.url.replace("http://", "http://me:pass%40word@");
  const model = await connect(server, { seed: 3, env: { OPENAI_BASE_URL: base } });
  expect(model).toMatchObject({ name: "openai:tiny", spec: "openai:tiny", deterministic: false });
  expect(model.parameters).toEqual({
    temperature: 0.2,
    seed: 3,
    toolCalls: "native",
    maxTokens: null,
    baseUrl: server.url,
  });
  expect((await model.chat.invoke("x")).text).toBe(`Basic ${Buffer.from("me:pass@word").toString("base64")}`);
});

test.each([
  ["", { prompt_tokens_details: { cached_tokens: 64 } }],
  [", also by DeepSeek's name", { prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 26 }],
])("tokens are counted where the server counts them%s", async (_name, cached) => {
  const usage = { prompt_tokens: 90, completion_tokens: 8, ...cached };
  await using server = await startFakeOpenAI({ reply: () => ({ text: "hi", usage }) });
  const model = await connect(server);
  const counted = { inputTokens: 90, cachedInputTokens: 64, outputTokens: 8, modelCalls: 1 };
  expect(usageOfMessage(await model.chat.invoke("x"))).toMatchObject(counted);
  expect(usageOfMessage(await streamed(model))).toMatchObject(counted);
});

test("tokens are unknown, not zero, where the server does not count", async () => {
  await using server = await startFakeOpenAI({ reply: () => ({ text: "hi there", usage: null }) });
  const model = await connect(server);
  const unknown = { inputTokens: null, cachedInputTokens: null, outputTokens: null, modelCalls: 1 };
  expect(usageOfMessage(await model.chat.invoke("x"))).toMatchObject(unknown);
  const message = await streamed(model);
  expect(message.text).toBe("hi there");
  expect(usageOfMessage(message)).toMatchObject(unknown);
});

test("a reply can be streamed", async () => {
  await using server = await startFakeOpenAI({ reply: ({ last }) => `one two ${last}` });
  const { chat } = await connect(server);
  const parts: string[] = [];
  for await (const { text } of await chat.stream("three")) parts.push(text);
  expect(parts.filter(Boolean)).toEqual(["one ", "two ", "three"]);
  expect(server.requests[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
});

test("a parameter that the server refuses is left out, for good, and said once", async () => {
  const refused = ["seed", "stop"];
  await using server = await startFakeOpenAI({
    reply: ({ body }) => {
      const name = refused.find((candidate) => candidate in body);
      return name ? { status: 400, body: { error: { message: `Unsupported parameter: '${name}'.` } } } : "ok";
    },
  });
  const lines: string[] = [];
  const { chat } = await connect(server, { seed: 1, log: (line) => lines.push(line) });
  expect((await chat.invoke("x", { stop: ["Observation:"] })).text).toBe("ok");
  expect((await chat.invoke("x", { stop: ["Observation:"] })).text).toBe("ok");
  expect(server.requests).toHaveLength(4);
  expect(lines.map((line) => /"(\w+)"/.exec(line)?.[1])).toEqual(refused);
});

test("a server that wants the other name of the length limit gets it", async () => {
  const message = "Unsupported parameter: 'max_tokens' is not supported; use 'max_completion_tokens' instead.";
  await using server = await startFakeOpenAI({
    reply: ({ body }) => ("max_tokens" in body ? { status: 400, body: { error: { message } } } : "ok"),
  });
  const { chat } = await connect(server, { maxTokens: 50 });
  expect((await chat.invoke("x")).text).toBe("ok");
  expect(server.requests[1]?.body).toMatchObject({ max_completion_tokens: 50 });
  expect(server.requests[1]?.body).not.toHaveProperty("max_tokens");
});

test("names of models that LangChain would send elsewhere go to chat completions too", async () => {
  await using server = await startFakeOpenAI({ reply: () => "ok" });
  const { chat } = await connectTo(server.url, {}, "openai:my-codex:7b");
  expect((await chat.invoke("x")).text).toBe("ok");
  expect(server.requests[0]?.body.model).toBe("my-codex:7b");
});
