import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { explainModelError, ModelCallError, type RequestContext } from "./model_errors.ts";

const context: RequestContext = { model: "tiny", address: "http://host/v1", timeoutMs: 1000, key: "my.secret" };
const explainHttpError = (error: unknown, server = context) => explainModelError(error, undefined, server);
const withStatus = (status: number, message: string) => Object.assign(new Error(message), { status });

test.each([
  [401, "bad key", "auth", true],
  [403, "no access to this model", "auth", true],
  [402, "pay first", "rate_limit", true],
  [404, "model 'tiny' not found, try pulling it first", "not_found", true],
  [404, "404 page not found", "address", true],
  [405, "Method Not Allowed", "address", true],
  [408, "too slow", "timeout", false],
  [413, "prompt is too long", "context_length", false],
  [429, "slow down", "rate_limit", false],
  [429, "You exceeded your current quota", "rate_limit", true],
  [500, "CUDA error", "server", false],
  [504, "Gateway Time-out", "server", false],
  [422, "messages: field required", "unknown", false],
])("HTTP %d %s is %s", (status, message, kind, fatal) => {
  const failure = explainHttpError(withStatus(status, message), context);
  expect(failure).toMatchObject({ kind, fatal });
  expect(failure.message).toContain("http://host/v1");
  expect(failure.message).toContain(message);
});

test.each([
  ["ECONNREFUSED", "address"],
  ["ENOTFOUND", "address"],
  ["CERT_HAS_EXPIRED", "address"],
  ["ECONNRESET", "server"],
  ["UND_ERR_SOCKET", "server"],
  ["UND_ERR_HEADERS_TIMEOUT", "timeout"],
])("a connection that fails with %s is %s", (code, kind) => {
  const cause = new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code }) });
  expect(explainHttpError(new Error("Connection error.", { cause }), context).kind).toBe(kind);
});

test.each([
  "Incorrect API key provided: my.secret.",
  "Incorrect API key provided: sk-proj-ab***wxyz",
  "header was Bearer abc.def",
  "header was basic YWJjOmRlZg==",
])("no part of a key is in a message: %s", (message) => {
  const failure = explainHttpError(withStatus(401, message), context);
  expect(failure.message).not.toMatch(/secret|sk-proj|abc\.def|YWJj/);
});

test("a placeholder for a key is not a secret", () => {
  const failure = explainHttpError(withStatus(404, "model not found: ollama pull tiny"), { ...context, key: "ollama" });
  expect(failure.message).toContain("ollama pull tiny");
});

test("messages are one short line without LangChain's links", () => {
  const long = `first\nsecond\n\nTroubleshooting URL: https://docs/errors/X/\n${"z".repeat(5000)}`;
  const { message } = explainHttpError(withStatus(500, long), context);
  expect(message).toContain("first second");
  expect(message).not.toMatch(/\n|Troubleshooting/);
  expect(message.length).toBeLessThan(500);
});

test("what a server writes of its failure does not hide its status", () => {
  const { message } = explainHttpError(withStatus(500, `500 CUDA ${"out of memory ".repeat(80)}`), context);
  expect(message).toMatch(/^http:\/\/host\/v1 failed with HTTP 500 \(CUDA out of memory /);
  expect(message.length).toBeLessThan(300);
});

test("a known failure is found inside whatever wraps it", () => {
  const failure = { kind: "server", message: "It failed.", fatal: false } as const;
  const wrapped = new Error("outer", { cause: new Error("middle", { cause: new ModelCallError(failure) }) });
  expect(explainModelError(wrapped)).toEqual(failure);
});

test("an aborted signal explains every error of its call", async () => {
  const stop = new AbortController();
  stop.abort(new Error("deadline"));
  expect(explainModelError(stop.signal.reason, stop.signal).kind).toBe("aborted");
  expect(explainModelError(stop.signal.reason).kind).toBe("unknown");
  const error = await sleep(1, undefined, { signal: stop.signal }).catch((reason: unknown) => reason);
  expect(explainModelError(error).kind).toBe("aborted");
});

test.each([[undefined], [null], ["text"], [42], [{}], [new Error("")], [Symbol("x")], [Object.create(null)]])(
  "anything thrown is explained: %s",
  (thrown) => {
    expect(explainModelError(thrown)).toMatchObject({ kind: "unknown", fatal: false });
    expect(explainHttpError(thrown, context)).toMatchObject({ kind: "unknown", fatal: false });
  },
);

test("a cycle of causes ends", () => {
  const error = new Error("round");
  error.cause = error;
  expect(explainModelError(error).message).toContain("round");
});
