// @module-tag ci

import { getEventListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { DEEP } from "../../../utils/testing/repeats.ts";
import type { ModelOptions } from "../model.ts";
import { connectTo, failureOf, streamed } from "../testing/calls.ts";
import { type FakeOpenAI, type FakeReply, startFakeOpenAI } from "../testing/fake_openai.ts";

const connect = (url: string, changes: Partial<ModelOptions> = {}) =>
  connectTo(url, { timeoutMs: 10_000, maxRetries: 2, ...changes });

/** Answers with each of these in turn, then with "recovered". */
const startWith = (...replies: FakeReply[]): Promise<FakeOpenAI> =>
  startFakeOpenAI({ reply: (_request, turn) => replies[turn] ?? "recovered" });

/** Against tests that hang, not a limit: a busy machine takes its time. */
const HANGS_MS = 600_000;

afterEach(() => {
  vi.restoreAllMocks();
});

test("429 is retried no sooner than Retry-After says", DEEP, async () => {
  await using server = await startWith({ status: 429, headers: { "retry-after": "1" } });
  const lines: string[] = [];
  const { chat } = await connect(server.url, { log: (line) => lines.push(line) });
  expect((await chat.invoke("x")).text).toBe("recovered");
  const [first, second] = server.requests;
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(990);
  expect(lines).toEqual([expect.stringContaining("HTTP 429; trying again in 1.0 s (1 of 2)")]);
});

test("many requests that fail for one reason print it once", async () => {
  await using server = await startFakeOpenAI({
    reply: (_, turn) => (turn < 60 ? { status: 429, headers: { "retry-after-ms": "1" } } : "recovered"),
  });
  const lines: string[] = [];
  const options = { log: (line: string) => lines.push(line), maxRetries: 100, maxRequests: 8 };
  const { chat } = await connect(server.url, options);
  const replies = await Promise.all(Array.from({ length: 30 }, (_, i) => chat.invoke(`${i}`)));
  expect(replies.map(({ text }) => text)).toEqual(replies.map(() => "recovered"));
  expect(lines.filter((line) => line.includes("trying again"))).toHaveLength(1);
  const limits = lines.flatMap((line) => /from now on (\d) of 8/.exec(line)?.[1] ?? []);
  expect(limits).toEqual(["4", "2", "1"]);
});

test.each<[string, FakeReply]>([
  ["429 without Retry-After", { status: 429 }],
  ["500", { status: 500, body: "Internal Server Error" }],
  ["503", { status: 503, headers: { "retry-after": "0" } }],
  ["a dropped connection", { drop: "at once" }],
  ["a connection dropped half-way", { drop: "half-way" }],
  ["a reply that is cut off", { raw: '{"choices": [', contentType: "application/json" }],
  ["a reply without choices", { raw: '{"choices": []}', contentType: "application/json" }],
  ["an overload told as 200", { raw: '{"error": {"code": 502, "message": "busy"}}', contentType: "application/json" }],
])("%s is recovered from, whole and streamed", async (_name, fault) => {
  await using server = await startWith(fault, "recovered", fault);
  const model = await connect(server.url);
  expect((await model.chat.invoke("x")).text).toBe("recovered");
  if ("raw" in Object(fault)) return;
  expect((await streamed(model)).text).toBe("recovered");
  expect(server.requests).toHaveLength(4);
});

test("retries end: one layer, counted", async () => {
  await using server = await startFakeOpenAI({ reply: () => ({ status: 500, body: "disk on fire" }) });
  const { chat } = await connect(server.url, { maxRetries: 3 });
  const failure = await failureOf(chat.invoke("x"));
  expect(failure).toMatchObject({ kind: "server", fatal: false });
  expect(failure.message).toContain(server.url);
  expect(failure.message).toContain("disk on fire");
  expect(server.requests).toHaveLength(4);
});

test("a server that asks for more than a minute is not waited for", async () => {
  await using server = await startWith({ status: 429, headers: { "retry-after": "3600" } });
  const { chat } = await connect(server.url);
  expect(await failureOf(chat.invoke("x"))).toMatchObject({ kind: "rate_limit", fatal: false });
});

test("an empty account fails without a retry", async () => {
  const body = { error: { message: "You exceeded your current quota.", code: "insufficient_quota" } };
  await using server = await startWith({ status: 429, body });
  const { chat } = await connect(server.url);
  expect(await failureOf(chat.invoke("x"))).toMatchObject({ kind: "rate_limit", fatal: true });
  expect(server.requests).toHaveLength(1);
});

test("a slow reply is retried and then reported as a timeout", DEEP, async () => {
  await using server = await startFakeOpenAI({ reply: () => ({ hang: true }) });
  const { chat } = await connect(server.url, { timeoutMs: 4000, maxRetries: 1 });
  const failure = await failureOf(chat.invoke("x"));
  expect(failure).toMatchObject({ kind: "timeout", fatal: false });
  expect(failure.message).toMatch(/tiny at http.* within 4 s/);
  expect(server.requests).toHaveLength(2);
});

test("a stream may take longer than the limit but not pause longer", DEEP, async () => {
  await using steady = await startWith({ text: "a b c d e f", partDelayMs: 1_500 });
  expect((await streamed(await connect(steady.url, { timeoutMs: 6_000 }))).text).toBe("a b c d e f");
  await using stuck = await startWith({ text: "a b c d e f", partDelayMs: 30_000 });
  const failure = await failureOf(streamed(await connect(stuck.url, { timeoutMs: 300 })));
  expect(failure.kind).toBe("timeout");
});

test("a stream that breaks half-way is reported, never taken for a whole reply", async () => {
  await using server = await startWith({ text: "one two three", dropAfterWords: 2 });
  const failure = await failureOf(streamed(await connect(server.url)));
  expect(failure).toMatchObject({ kind: "server", fatal: false });
});

test.each([
  ["ends in the middle", 'data: {"choices": [{"index": 0, "delta": {"role": "assistant", "content": "one"}}]}\n\n'],
  ["is empty", ""],
])("a stream that %s is reported", async (_name, raw) => {
  await using server = await startWith({ raw, contentType: "text/event-stream" });
  const failure = await failureOf(streamed(await connect(server.url)));
  expect(failure).toMatchObject({ kind: "server", fatal: false });
});

test("an error inside a stream is reported", async () => {
  const raw = 'data: {"error": {"message": "model crashed", "code": 500}}\n\n';
  await using server = await startWith({ raw, contentType: "text/event-stream" });
  const failure = await failureOf(streamed(await connect(server.url)));
  expect(failure).toMatchObject({ kind: "server", fatal: false });
  expect(failure.message).toContain("model crashed");
});

test("a wrong key gives one clear sentence without the key", async () => {
  await using server = await startFakeOpenAI({ reply: () => "ok", key: "another" });
  const { chat } = await connect(server.url);
  const failure = await failureOf(chat.invoke("x"));
  expect(failure).toMatchObject({ kind: "auth", fatal: true });
  expect(failure.message).toMatch(/refuses the key .*set OPENAI_API_KEY/);
  const { chat: keyless } = await connect(server.url, { env: { OPENAI_BASE_URL: server.url } });
  expect((await failureOf(keyless.invoke("x"))).message).toMatch(/asks for a key .*set OPENAI_API_KEY/);
});

test("a model that does not exist gives one clear sentence", async () => {
  await using server = await startFakeOpenAI({ reply: () => "ok", models: ["big"] });
  const { chat } = await connect(server.url);
  const failure = await failureOf(chat.invoke("x"));
  expect(failure).toMatchObject({ kind: "not_found", fatal: true });
  expect(failure.message).toMatch(/no model "tiny".*--model openai:NAME/);
});

test("a wrong address gives one clear sentence: nothing there, another path, a web page", async () => {
  const gone = await startFakeOpenAI({ reply: () => "ok" });
  await gone[Symbol.asyncDispose]();
  const refused = await failureOf((await connect(gone.url)).chat.invoke("x"));
  expect(refused).toMatchObject({ kind: "address", fatal: true });
  expect(refused.message).toMatch(/Nothing can be reached at http.*ECONNREFUSED.*OPENAI_BASE_URL/);

  await using server = await startWith({ raw: "<html>Welcome</html>", contentType: "text/html; charset=utf-8" });
  const page = await failureOf((await connect(server.url)).chat.invoke("x"));
  expect(page).toMatchObject({ kind: "address", fatal: true });
  expect(page.message).toMatch(/not an OpenAI-compatible server \(it sent text\/html\).*ends in \/v1/);
  expect(server.requests).toHaveLength(1);

  const path = await failureOf((await connect(server.url.replace("/v1", "/v2"))).chat.invoke("x"));
  expect(path).toMatchObject({ kind: "address", fatal: true });
});

test("a server that goes away after it answered is given time to come back", async () => {
  const server = await startWith();
  const lines: string[] = [];
  const { chat } = await connect(server.url, { log: (line) => lines.push(line) });
  await chat.invoke("x");
  await server[Symbol.asyncDispose]();
  expect((await failureOf(chat.invoke("x"))).kind).toBe("address");
  expect(lines).toEqual([expect.stringContaining("1 of 2"), expect.stringContaining("2 of 2")]);
  const { chat: other } = await connect(server.url, { log: (line) => lines.push(line) });
  await failureOf(other.invoke("x"));
  expect(lines).toHaveLength(2);
});

test.each([
  [400, "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (max_tokens)."],
  [400, "the request exceeds the available context size, try increasing it"],
])("a conversation that is too long is a context length error (%d: %s)", async (status, message) => {
  await using server = await startWith({ status, body: { error: { message } } });
  const { chat } = await connect(server.url, { maxTokens: 1000 });
  expect(await failureOf(chat.invoke("x"))).toMatchObject({ kind: "context_length", fatal: false });
  expect(server.requests).toHaveLength(1);
});

test("an abort ends a request at once, and the server sees the client go", async () => {
  await using server = await startFakeOpenAI({ reply: () => ({ hang: true }) });
  const { chat } = await connect(server.url);
  const stop = new AbortController();
  const call = failureOf(chat.invoke("x", { signal: stop.signal }), stop.signal);
  await vi.waitUntil(() => server.requests.length === 1, { timeout: HANGS_MS });
  stop.abort();
  expect((await call).kind).toBe("aborted");
  await server.requests[0]?.hungUp;
  expect(server.requests).toHaveLength(1);
});

test("an abort ends the wait before a retry, and no retry follows", async () => {
  await using server = await startWith({ status: 429, headers: { "retry-after": "30" } });
  const stop = new AbortController();
  const { chat } = await connect(server.url, { log: () => setTimeout(() => stop.abort(), 20) });
  expect((await failureOf(chat.invoke("x", { signal: stop.signal }))).kind).toBe("aborted");
  await sleep(20);
  expect(server.requests).toHaveLength(1);
});

test("an abort ends a stream", async () => {
  await using server = await startWith({ text: "a b c d e f g h", partDelayMs: 200 });
  const stop = new AbortController();
  const call = failureOf(streamed(await connect(server.url), "x", { signal: stop.signal }), stop.signal);
  await vi.waitUntil(() => server.requests.length === 1, { timeout: HANGS_MS });
  stop.abort();
  expect((await call).kind).toBe("aborted");
  await server.requests[0]?.hungUp;
});

test("many calls may share one signal: none leaves a listener behind", async () => {
  await using server = await startWith();
  const model = await connect(server.url);
  const stop = new AbortController();
  await model.chat.invoke("x", { signal: stop.signal });
  await streamed(model, "x", { signal: stop.signal });
  for await (const _part of await model.chat.stream("x", { signal: stop.signal })) break;
  expect(getEventListeners(stop.signal, "abort")).toEqual([]);
});

test("nothing is printed on stdout, whatever goes wrong", async () => {
  const written = vi.spyOn(process.stdout, "write");
  const logged = vi.spyOn(console, "log");
  await using server = await startWith({ status: 500 }, { drop: "at once" }, { status: 400, body: "no" });
  await failureOf((await connect(server.url)).chat.invoke("x"));
  expect(logged).not.toHaveBeenCalled();
  expect(written).not.toHaveBeenCalled();
});
