import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createModel } from "../../../agent/models/table.ts";
import { ModelCallError } from "../../../agent/run/model_errors.ts";
import { mountSmallDisk } from "../../../utils/testing/small_disk.ts";
import { parsePrices } from "../../run/cost/pricing.ts";
import { pricedModel } from "../testing/sign_model.ts";
import { temporaryFolder } from "../testing/test_run.ts";
import { ModelProxy } from "./model_proxy.ts";

const scriptModel = (file: string) =>
  createModel(`script:${file}`, { temperature: 0, timeoutMs: 1000, maxRetries: 0, log: () => {} });

const signal = new AbortController().signal;
/** The HTTP status with which an agent gets the reply. */
const statusOf = async (reply: ReturnType<ModelProxy["reply"]> | undefined) => {
  const given = await reply;
  return given && "refused" in given ? given.refused : 200;
};
const ask = (content: string) => ({ messages: [{ role: "user" as const, content }], stop: [] });

/** Says which time it is asked. */
function counting() {
  let asked = 0;
  const priced = pricedModel(() => `reply ${++asked}`);
  return { priced, times: () => asked };
}

test("calls, tokens and cost are the host's count", async () => {
  const proxy = new ModelProxy(counting().priced);
  await proxy.reply(ask("a"), signal);
  await proxy.reply(ask("b"), signal);
  expect(proxy.meter).toMatchObject({ usage: { modelCalls: 2, inputTokens: 200, outputTokens: 20 }, capped: false });
  expect(proxy.meter.costUsd).toBeCloseTo(0.022, 12);
});

test.each([{ tokens: 200 }, { costUsd: 0.02 }])(
  "at its cap %j the proxy answers 429 and does not ask the model",
  async (caps) => {
    const { priced, times } = counting();
    const proxy = new ModelProxy(priced, caps);
    const statuses = [];
    for (let i = 0; i < 4; i += 1) statuses.push(await statusOf(proxy.reply(ask("a"), signal)));
    expect(statuses).toEqual([200, 200, 429, 429]);
    expect(times()).toBe(2);
    expect(proxy.meter.capped).toBe(true);
  },
);

test("a recording is replayed: nothing is asked twice, and the same question asked again is another one", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "recording.jsonl");
  const { priced, times } = counting();
  const first = new ModelProxy(priced, {}, file);
  const replies = async (proxy: ModelProxy, questions: string[]) => {
    const texts = [];
    for (const question of questions) texts.push(JSON.stringify(await proxy.reply(ask(question), signal)));
    return texts;
  };
  const said = await replies(first, ["a", "a", "b"]);
  expect(new Set(said).size).toBe(3);
  const second = new ModelProxy(priced, {}, file);
  expect(await replies(second, ["a", "a", "b"])).toEqual(said);
  expect(times()).toBe(3);
  expect(second.meter.costUsd).toBeCloseTo(first.meter.costUsd ?? 0, 12);
  await replies(second, ["c"]);
  expect(times()).toBe(4);
});

test("a model that fails is the host's to know: the agent hears no more than that", async () => {
  const priced = pricedModel(() => {
    throw new Error("the key sk-secret is wrong");
  });
  const proxy = new ModelProxy(priced);
  const reply = await proxy.reply(ask("a"), signal);
  expect(reply).toMatchObject({ refused: 502 });
  expect(JSON.stringify(reply)).not.toContain("secret");
  expect(proxy.meter.failures).toHaveLength(1);
});

test("every call carries the seed of its attempt, whatever the agent asks for", async () => {
  using folder = temporaryFolder();
  const script = join(folder.path, "script.json");
  writeFileSync(script, JSON.stringify([{ replies: ["zero", "one", "two"] }]));
  const priced = { model: await scriptModel(script), prices: parsePrices("0,0") };
  const say = async (seed?: number) => {
    const forged = { ...ask("a"), seed: 0 };
    return JSON.stringify(await new ModelProxy(priced, {}, null, seed).reply(forged, signal));
  };
  expect(await say(4)).toContain("one");
  expect(await say(5)).toContain("two");
});

test("a reply that cannot be recorded stops the run and is no failure of the agent", async () => {
  using disk = mountSmallDisk(64);
  if (!disk) return;
  const proxy = new ModelProxy(counting().priced, {}, join(disk.path, "recording.jsonl"));
  disk.fill();
  expect(await statusOf(proxy.reply(ask("a"), signal))).toBe(502);
  expect(proxy.meter.failures).toMatchObject([{ message: expect.stringContaining("the disk is full"), fatal: true }]);
});

test("a reply that an agent waited for in vain is no failure of the model, and its wait is kept", async () => {
  using folder = temporaryFolder();
  const script = join(folder.path, "script.json");
  writeFileSync(script, JSON.stringify([{ reply: "late", delayMs: 2 ** 31 - 1 }]));
  const proxy = new ModelProxy({ model: await scriptModel(script), prices: parsePrices("0,0") });
  const agent = new AbortController();
  const answer = proxy.reply(ask("a"), agent.signal);
  setTimeout(() => agent.abort(new Error("the agent hung up")), 50);
  expect(await statusOf(answer)).toBe(502);
  expect(proxy.meter).toMatchObject({ failures: [], usage: { modelCalls: 0 } });
  expect(proxy.meter.unansweredMs).toBeGreaterThan(40);
});

test("a call that an agent hangs up on is counted all the same, and few are under way at a time", async () => {
  using folder = temporaryFolder();
  const script = join(folder.path, "script.json");
  writeFileSync(script, JSON.stringify([{ reply: "late", delayMs: 200 }]));
  const proxy = new ModelProxy({ model: await scriptModel(script), prices: parsePrices("0,0") });
  const agent = new AbortController();
  const answers = Array.from({ length: 60 }, () => proxy.reply(ask("a"), agent.signal));
  setTimeout(() => agent.abort(new Error("the agent hung up")), 50);
  expect(new Set(await Promise.all(answers.map(statusOf)))).toEqual(new Set([502]));
  await proxy.settled();
  expect(proxy.meter).toMatchObject({ usage: { modelCalls: 8 }, failures: [] });
});

test("its end ends the calls that are under way", async () => {
  using folder = temporaryFolder();
  const script = join(folder.path, "script.json");
  writeFileSync(script, JSON.stringify([{ reply: "late", delayMs: 2 ** 31 - 1 }]));
  const proxy = new ModelProxy({ model: await scriptModel(script), prices: parsePrices("0,0") });
  const answer = proxy.reply(ask("a"), signal);
  setTimeout(() => proxy.close(), 20);
  expect(await statusOf(answer)).toBe(502);
  await proxy.settled();
});

test("a conversation that is too long for the model is no failure of the model: an agent could stop a run with it", async () => {
  const proxy = new ModelProxy(
    pricedModel(() => {
      throw new ModelCallError({ kind: "context_length", message: "too long", fatal: false });
    }),
  );
  expect(await statusOf(proxy.reply(ask("a".repeat(1_000_000)), signal))).toBe(502);
  expect(proxy.meter.failures).toEqual([]);
});
