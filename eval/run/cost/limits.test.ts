import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { parseSpec } from "../../../agent/models/table.ts";
import { startFakeOpenAI } from "../../../agent/models/testing/fake_openai.ts";
import { noUsage } from "../../../agent/run/usage.ts";
import { Arguments } from "../../../utils/program/cli.ts";
import { run, temporaryFolder } from "../../../utils/testing/command.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { metaOptions } from "../../meta/settings.ts";
import { right, taskOf } from "../../testing/fake_repairer.ts";
import { readSession } from "../session.ts";
import { Budget, spentBy } from "./budget.ts";
import { budgetOptions, readPrices } from "./limits.ts";
import { loadPriceTable, pricesOf, withCost } from "./pricing.ts";

const PASS1 = "eval/pass1.ts";
const RUN = ["--model", "openai:scripted", "--dataset", "builtin", "--few-shot-k", "0", "--run", "r"];

test("a run stops cleanly once its money is spent, and goes on with more, paying for nothing twice", DEEP, async () => {
  using folder = temporaryFolder();
  // 12 tokens in and 5 out a call, one call a task: 12 × $1 + 5 × $2 = $22.
  writeFileSync(join(folder.path, "prices.json"), '{"scripted": {"input": 1e6, "output": 2e6}}');
  await using server = await startFakeOpenAI({ reply: (request) => right(taskOf(request)) });
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "k" };
  const args = [...RUN, "--num", "5", "--concurrency", "1"];
  const stopped = await run(PASS1, [...args, "--max-cost", "50"], folder.path, env);
  expect(stopped.exitCode).toBe(3);
  expect(stopped.stderr).toContain("Stopped: $66.00 of $50 are spent.");
  expect(stopped.lines.at(-1)).toMatchObject({ num: 3, complete: false, cost_usd: 66 });
  expect(readSession(join(folder.path, "runs", "r"))?.stopped).toBe("$66.00 of $50 are spent");

  const resumed = await run(PASS1, [...args, "--max-cost", "500", "--max-tokens", "500"], folder.path, env);
  expect(resumed.exitCode).toBe(0);
  expect(resumed.stderr).toMatch(/; resumed, \d of 5 samples are done$/m);
  expect(resumed.lines.at(-1)).toMatchObject({ num: 5, complete: true, cost_usd: 110 });
  expect(server.requests).toHaveLength(5);
});

/** A server that bills what it says, and never repairs: each task would take as many calls as it may. */
async function billing(usage: { prompt_tokens: number; completion_tokens: number }) {
  let turn = 0;
  const reply = () => ({ text: `Action: code_interpreter\nAction Input: {"code": "print(${turn++})"}`, usage });
  const server = await startFakeOpenAI({ reply });
  const { url, requests } = server;
  const billed = () => requests.length * (usage.prompt_tokens + usage.completion_tokens);
  return { url, requests, billed, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test.each<[what: string, options: string[], most: number]>([
  ["to one call, where nothing bounds a reply", [], 60_000 + 8_000],
  ["to the token, where --max-reply does", ["--max-reply", "3000"], 60_000],
])("a limit holds within one task, %s, and the task is begun anew with more", DEEP, async (_, options, most) => {
  using folder = temporaryFolder();
  await using server = await billing({ prompt_tokens: 5_000, completion_tokens: 3_000 });
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "k" };
  const args = [...RUN, "--num", "1", "--max-iterations", "30", ...options, "--price", "1,1"];
  const stopped = await run(PASS1, [...args, "--max-cost", "0.06"], folder.path, env);
  const why = /Stopped: \$0\.0\d+ of \$0\.06 are spent/;
  expect([stopped.exitCode, stopped.stderr]).toEqual([3, expect.stringMatching(why)]);
  expect(server.billed()).toBeLessThanOrEqual(most);
  expect(server.billed()).toBeGreaterThanOrEqual(32_000);
  const { length: before } = server.requests;
  const again = await run(PASS1, [...args, "--max-cost", "0.06"], folder.path, env);
  expect([again.exitCode, server.billed() <= most]).toEqual([3, true]);
  const more = await run(PASS1, [...args, "--max-cost", "1"], folder.path, env);
  expect([more.exitCode, more.stderr]).toEqual([0, expect.anything()]);
  expect(server.requests.length).toBe(before + 30);
});

test("a limit in dollars is refused where the price is unknown, and the message says how to state it", () => {
  using folder = temporaryFolder();
  const prices = join(folder.path, "prices.json");
  writeFileSync(prices, '{"another-*": {"input": 1, "output": 2}}');
  const args = (values: Record<string, string>) => new Arguments<keyof typeof budgetOptions>(values, []);
  const model = { name: "openai:scripted", kind: parseSpec("openai:scripted").kind };
  expect(() => readPrices(args({ prices, "max-cost": "1" }), model)).toThrow(
    /^--max-cost needs the price of openai:scripted, and no price table has it: add \{"openai:scripted"/,
  );
  expect(readPrices(args({ prices, "max-tokens": "9" }), model)).toBeNull();
});

test("a price on the command line goes before every table, in the benchmark and in the self-edit loop", () => {
  using folder = temporaryFolder();
  const prices = join(folder.path, "prices.json");
  writeFileSync(prices, '{"scripted": {"input": 1, "output": 2}}');
  const args = (values: Record<string, string>) => new Arguments<keyof typeof budgetOptions>(values, []);
  const model = { name: "openai:scripted", kind: parseSpec("openai:scripted").kind };
  expect(readPrices(args({ prices }), model)).toEqual({ input: 1, cachedInput: 1, output: 2 });
  expect(readPrices(args({ prices, price: "3,4,0.5" }), model)).toEqual({ input: 3, cachedInput: 0.5, output: 4 });
  for (const wrong of ["3", "a,b", "1,-2", "1,2,3,4", ""])
    expect(() => readPrices(args({ price: wrong }), model), wrong).toThrow(/^--price takes US dollars/);
  expect(Object.keys(metaOptions)).toEqual(expect.arrayContaining(Object.keys(budgetOptions)));
});

test("the first pattern that fits a model's name has its price; unknown is unknown, and this machine costs nothing", () => {
  const table = {
    "openai:big-*-mini": { input: 1, cachedInput: 1, output: 1 },
    "big-*": { input: 2, cachedInput: 2, output: 2 },
    "a.c": { input: 3, cachedInput: 3, output: 3 },
  };
  const input = (name: string, spec = name) => pricesOf({ name, kind: parseSpec(spec).kind }, table)?.input;
  expect(["openai:big-4-mini", "openai:big-4", "openai:a.c"].map((name) => input(name))).toEqual([1, 2, 3]);
  for (const name of ["openai:abc", "script:x"])
    expect(pricesOf({ name, kind: parseSpec(name).kind }, table)).toBeNull();
  expect(input("search")).toBe(0);
});

test("an unknown price leaves the cost unknown, never 0; uncounted tokens too", () => {
  const used = { ...noUsage(), modelCalls: 1, inputTokens: 3_000_000, cachedInputTokens: 1_000_000, outputTokens: 500 };
  expect(withCost(used, null).costUsd).toBeNull();
  expect(withCost(used, { input: 2, cachedInput: 0.5, output: 10 }).costUsd).toBeCloseTo(4.505, 12);
  // More cached than sent: what is counted so would lower the sum.
  const cached = { ...used, cachedInputTokens: 9_000_000 };
  expect(withCost(cached, { input: 2, cachedInput: 0.5, output: 10 }).costUsd).toBeCloseTo(1.505, 12);
  const uncounted = { ...used, outputTokens: null };
  expect(withCost(uncounted, { input: 2, cachedInput: 2, output: 0 }).costUsd).toBeNull();
  expect(withCost(uncounted, { input: 0, cachedInput: 0, output: 0 }).costUsd).toBe(0);
});

test.each([
  ['{"m": {"input": -1, "output": 2}}', /prices.json: m → input: .* An entry is "MODEL PATTERN"/s],
  ['{"m": {"input": 1}}', /m → output/],
  ['{"m": {"input": 1, "output": 1, "cache": 1}}', /cache/],
  ["{", /prices.json: not valid JSON/],
])("the price table %s is refused with what is wrong", (text, message) => {
  using folder = temporaryFolder();
  const file = join(folder.path, "prices.json");
  writeFileSync(file, text);
  expect(() => loadPriceTable(file)).toThrow(message);
});

test("a table is taken from the environment where none is named, and one that is missing is an error", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "mine.json");
  writeFileSync(file, '{"m": {"input": 1, "cached": 0.1, "output": 3}}');
  expect(loadPriceTable(undefined, { MEND_PRICES: file })).toEqual({ m: { input: 1, cachedInput: 0.1, output: 3 } });
  expect(() => loadPriceTable(join(folder.path, "none.json"))).toThrow(/there is no such file/);
});

test("what was retried counts towards a limit; uncounted tokens end it", () => {
  const used = { ...noUsage(), modelCalls: 1, inputTokens: 80, outputTokens: 20, costUsd: 0.5 };
  const budget = new Budget({ tokens: 250, costUsd: 2 }, spentBy([{ usage: used }, {}]));
  budget.add(used, null);
  expect([budget.spent, budget.reached]).toEqual([{ costUsd: 1, tokens: 200 }, null]);
  budget.add(used, null);
  expect(budget.reached).toBe("300 of 250 tokens are used");
  budget.add({ ...used, inputTokens: null, costUsd: null }, null);
  expect(budget.reached).toContain("cannot be kept");
  expect(new Budget({ minutes: 0 }).reached).toBe("0 minutes are over");
});

test("calls under way hold the most that they may use, and others wait: ten at once stay below the limit", async () => {
  const budget = new Budget({ tokens: 1000 });
  const most = { inputTokens: 100, outputTokens: 300, prices: null };
  let [underWay, peak, made] = [0, 0, 0];
  const calls = Array.from({ length: 10 }, async () => {
    const settle = await budget.reserve(most);
    underWay += 1;
    made += 1;
    peak = Math.max(peak, underWay);
    await sleep(1);
    underWay -= 1;
    settle({ ...noUsage(), modelCalls: 1, inputTokens: 100, outputTokens: 50 });
  });
  const ended = await Promise.allSettled(calls);
  expect([peak, made, budget.spent.tokens]).toEqual([2, 5, 750]);
  const message = "The budget is used up: 750 of 1000 tokens are used, and the next call may use 400.";
  expect(ended.at(-1)).toMatchObject({ reason: { failure: { kind: "budget", message } } });
});

test("where nothing bounds replies, no call goes beside others that could pass the limit together with it", async () => {
  const limit = 50_000;
  const budget = new Budget({ tokens: limit });
  const most = { inputTokens: 800, outputTokens: null, prices: null };
  // Short at first, then as long as models can: an agent may ask for that.
  const replies = [100, 100, ...Array.from({ length: 20 }, () => 20_000)];
  const calls = Array.from({ length: 16 }, async () => {
    const settle = await budget.reserve(most);
    await sleep(1);
    settle({ ...noUsage(), modelCalls: 1, inputTokens: 800, outputTokens: replies.shift() ?? 0 });
  });
  const ended = await Promise.allSettled(calls);
  expect(ended.filter(({ status }) => status === "rejected").length).toBeGreaterThan(0);
  expect(budget.spent.tokens).toBeGreaterThanOrEqual(limit);
  expect(budget.spent.tokens).toBeLessThanOrEqual(limit + 20_800);
});

test("a call that was given up counts as the most that it may have used; one that failed as nothing", async () => {
  const budget = new Budget({ costUsd: 1 });
  const most = { inputTokens: 1e5, outputTokens: 1e5, prices: { input: 1, cachedInput: 1, output: 2 } };
  (await budget.reserve(most))("nothing");
  expect(budget.spent.costUsd).toBe(0);
  (await budget.reserve(most))("unknown");
  expect(budget.spent.costUsd).toBeCloseTo(0.3, 9);
  await budget.reserve(most);
  await budget.reserve(most);
  const stop = new AbortController();
  const waits = budget.reserve(most, stop.signal);
  stop.abort(new Error("stopped"));
  await expect(waits).rejects.toThrow("stopped");
});
