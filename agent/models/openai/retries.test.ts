import { OpenAIClient } from "@langchain/openai";
import { expect, test, vi } from "vitest";
import { retryAfterMs } from "./retries.ts";

const wait = (headers: Record<string, string>) =>
  retryAfterMs(OpenAIClient.APIError.generate(429, undefined, "slow", new Headers(headers)));

test("the wait that a server asks for is read in each of its forms", () => {
  expect(wait({ "retry-after": "2" })).toBe(2000);
  expect(wait({ "retry-after": "0.5" })).toBe(500);
  expect(wait({ "retry-after": "9", "retry-after-ms": "120" })).toBe(120);
  vi.useFakeTimers({ now: 1_700_000_000_000 });
  expect(wait({ "retry-after": new Date(1_700_000_010_000).toUTCString() })).toBe(10_000);
  vi.useRealTimers();
});

test.each(["", "0", "-5", "soon", "Wed, 21 Oct 2015 07:28:00 GMT", "1e9999"])("%j asks for no wait", (value) => {
  expect(wait({ "retry-after": value })).toBeUndefined();
});
