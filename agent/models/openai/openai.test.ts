import { once } from "node:events";
import { createServer } from "node:http";
import { AIMessage, type AIMessageChunk, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { messageWithTask } from "../../../utils/task/task_data.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { usageOfMessage } from "../../run/usage.ts";
import { createModel, type Model, type ModelOptions } from "../create.ts";
import { firstModel, serverFrom } from "../server.ts";
import { type FakeOpenAI, startFakeOpenAI } from "../testing/fake_openai.ts";

const options = (server: FakeOpenAI, changes: Partial<ModelOptions> = {}): ModelOptions => ({
  temperature: 0.2,
  timeoutMs: 10_000,
  maxRetries: 2,
  retryDelayMs: 5,
  log: () => {},
  env: { OPENAI_BASE_URL: server.url },
  ...changes,
});

const connect = (server: FakeOpenAI, changes: Partial<ModelOptions> = {}): Promise<Model> =>
  createModel("openai:tiny", options(server, changes));

async function streamed(model: Model, prompt: string, signal?: AbortSignal): Promise<AIMessageChunk[]> {
  const parts: AIMessageChunk[] = [];
  for await (const part of await model.chat.stream(prompt, signal ? { signal } : {})) parts.push(part);
  return parts;
}

/** As the graph calls models: it knows no more of one than that it chats. */
const withSeed = (seed: number): object => ({ seed });
const whole = (parts: AIMessageChunk[]) => parts.reduce((sum, part) => sum.concat(part));

test("a conversation goes out as it is, and the reply depends on it", DEEP, async () => {
  await using server = await startFakeOpenAI({ reply: ({ last }) => `you said ${last}` });
  const { chat } = await connect(server);
  const messages = [new SystemMessage("be brief"), new HumanMessage("a"), new AIMessage("b"), new HumanMessage("c")];
  expect((await chat.invoke(messages)).text).toBe("you said c");
  expect((await chat.invoke("other")).text).toBe("you said other");
  const sent = server.requests[0]?.body.messages.map(({ role, content }) => [role, content]);
  expect(sent).toEqual([
    ["system", "be brief"],
    ["user", "a"],
    ["assistant", "b"],
    ["user", "c"],
  ]);
});

test("a call sends and returns the same with and without a listener", async () => {
  const call = { id: "c1", name: "run_code", args: { code: "1" }, type: "tool_call" as const };
  await using server = await startFakeOpenAI({ reply: () => "ok" });
  const { chat } = await connect(server, { seed: 3 });
  const messages = [
    new SystemMessage("be brief"),
    new HumanMessage("a"),
    new AIMessage({ content: "", tool_calls: [call] }),
    new ToolMessage({ content: "1", tool_call_id: "c1" }),
  ];
  const ended: unknown[] = [];
  const callbacks = [{ handleLLMEnd: (result: unknown) => void ended.push(result) }];
  const replies = [
    await chat.invoke(messages),
    await chat.invoke(messages),
    await chat.invoke(messages, { callbacks }),
  ];
  expect(ended).toHaveLength(1);
  const told = replies.map((reply) => ({
    text: reply.text,
    usage: usageOfMessage(reply),
    counted: reply.usage_metadata,
    finish: reply.response_metadata.finish_reason,
    model: reply.response_metadata.model_name,
    hasId: typeof reply.id === "string",
  }));
  expect(told[0]).toEqual(told[2]);
  expect(told[1]).toEqual(told[2]);
  const [first, second, watched] = server.requests.map(({ body }) => body);
  expect(first).toEqual(watched);
  expect(second).toEqual(watched);
  expect(watched?.messages).toHaveLength(4);
});

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
  await expect(
    createModel("openai:tiny", { temperature: 0.2, timeoutMs: 1000, maxRetries: 0, log: () => {}, env }),
  ).rejects.toThrow(message);
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
  expect(usageOfMessage(whole(await streamed(model, "x")))).toMatchObject(counted);
});

test("tokens are unknown, not zero, where the server does not count", async () => {
  await using server = await startFakeOpenAI({ reply: () => ({ text: "hi there", usage: null }) });
  const model = await connect(server);
  const unknown = { inputTokens: null, cachedInputTokens: null, outputTokens: null, modelCalls: 1 };
  expect(usageOfMessage(await model.chat.invoke("x"))).toMatchObject(unknown);
  const message = whole(await streamed(model, "x"));
  expect(message.text).toBe("hi there");
  expect(usageOfMessage(message)).toMatchObject(unknown);
});

test("a reply can be streamed", async () => {
  await using server = await startFakeOpenAI({ reply: ({ last }) => `one two ${last}` });
  const parts = await streamed(await connect(server), "three");
  expect(parts.map(({ text }) => text).filter(Boolean)).toEqual(["one ", "two ", "three"]);
  expect(server.requests[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
});

test("native tool calls arrive, whole and streamed, also with arguments that are no JSON", async () => {
  const call = { name: "code_interpreter", args: '{"code":"print(1)"}' };
  await using server = await startFakeOpenAI({
    reply: ({ last }) => ({ toolCalls: [last === "bad" ? { ...call, args: "{code: print" } : call] }),
  });
  const model = await connect(server);
  const expected = [{ name: "code_interpreter", args: { code: "print(1)" } }];
  expect((await model.chat.invoke("x")).tool_calls).toMatchObject(expected);
  expect(whole(await streamed(model, "x")).tool_calls).toMatchObject(expected);
  const bad = await model.chat.invoke("bad");
  expect(bad.tool_calls).toEqual([]);
  expect(bad.invalid_tool_calls).toMatchObject([{ name: "code_interpreter", args: "{code: print" }]);
});

test("tool calls and their results go back to the server", async () => {
  await using server = await startFakeOpenAI({ reply: () => "done" });
  const { chat } = await connect(server);
  const call = { name: "run", args: { code: "1" }, id: "call_0", type: "tool_call" as const };
  const result = new ToolMessage({ content: "1", tool_call_id: "call_0" });
  await chat.invoke([new HumanMessage("x"), new AIMessage({ content: "", tool_calls: [call] }), result]);
  expect(server.requests[0]?.body.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
});

test("reasoning text is kept apart from the reply", async () => {
  await using server = await startFakeOpenAI({ reply: () => ({ text: "42", reasoning: "let me think" }) });
  const model = await connect(server);
  for (const message of [await model.chat.invoke("x"), whole(await streamed(model, "x"))]) {
    expect(message.text).toBe("42");
    expect(message.additional_kwargs.reasoning_content).toBe("let me think");
  }
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
  const { chat } = await createModel("openai:my-codex:7b", options(server));
  expect((await chat.invoke("x")).text).toBe("ok");
  expect(server.requests[0]?.body.model).toBe("my-codex:7b");
});

test("a server without a list of models: the error asks for --model openai:NAME", async () => {
  const server = createServer((_request, response) => response.writeHead(404).end("Not Found")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const named = serverFrom({ OPENAI_BASE_URL: `http://127.0.0.1:${address.port}/v1` });
  await expect(firstModel(named, 5000)).rejects.toThrow(/lists no models .* name one with --model openai:NAME/);
  server.close();
});
