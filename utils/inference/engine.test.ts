/** Reuse, forks, speculation and the order of requests change what is computed, never the replies. */
// @module-tag ci

import { readdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../testing/command.ts";
import { ALSO_DEEP, DEEP, quarter, repeats, runs } from "../testing/repeats.ts";
import { Decoder } from "./decoding/decoder.ts";
import { Engine } from "./engine.ts";
import type { ReplyShape } from "./format/reply_grammar.ts";
import type { ChatMessage, EngineOptions, GenerateRequest, GenerateResult } from "./messages.ts";
import { prepareCopy } from "./prepared/prepared.ts";
import { type RandomQwen2Options, writeRandomQwen2 } from "./testing/random_qwen2.ts";
import { Random } from "./testing/random_weights.ts";

const { path: root } = temporaryFolder();

const options = (folder: string, file: string, changes: Partial<EngineOptions> = {}): EngineOptions => ({
  folder,
  file,
  device: "cpu",
  threads: 1,
  cacheBytes: 2 ** 26,
  speculate: true,
  ...changes,
});

const request = (prompt: ChatMessage[], changes: Partial<GenerateRequest> = {}): GenerateRequest => ({
  prompt,
  stop: [],
  maxNewTokens: 8,
  temperature: 0,
  topK: 0,
  topP: 1,
  repetitionPenalty: 1,
  seed: 1,
  ...changes,
});

const signal = new AbortController().signal;
const ask = (engine: Engine, messages: ChatMessage[], changes?: Partial<GenerateRequest>): Promise<GenerateResult> =>
  engine.generate(request(messages, changes), () => {}, signal);

const user = (content: string): ChatMessage => ({ role: "user", content });
const assistant = (content: string): ChatMessage => ({ role: "assistant", content });

/** What an agent sends: shared examples, a task of its own, then turns that grow, or are edited and sent again. */
function nextTurn(random: Random, messages: ChatMessage[], reply: string): ChatMessage[] {
  const words = "x ".repeat(random.below(12)) + random.below(100);
  if (random.below(5) === 0) return [...messages.slice(0, -1), user(`edited ${words}`)];
  return [...messages, assistant(reply), user(`Observation: ${words}\ndef f(a, b):\n    return a\n`)];
}

/** A format of no agent: a program or code. */
const FORMAT: ReplyShape = {
  start: "Plan:",
  forbidden: [{ pattern: "^\\s*(?:run|code)\\s*:", flags: "i", at: ":" }],
  steps: [
    { label: "Run:", options: [{ text: ' {"code":"', body: { kind: "json", inText: true } }] },
    { label: "Code:", options: [{ text: "\n```\n", body: { kind: "code", empty: "pass" } }] },
  ],
};

const SHARED: ChatMessage[] = [
  { role: "system", content: "You repair functions. ".repeat(8) },
  user("def f(a, b):\n    return a - b\n"),
  assistant("Thought: minus\nFinal Answer: def f(a, b):\n    return a + b\n"),
];

/**
 * With how many groups of four conversations: 300 together or a third of them, those of the prepared model twice, with
 * drafts and side by side without. The first is the slowest by far. Activations are floats in all of them, as in every test here that
 * compares replies: what is rounding there may choose another int8 code, and with it another token (`probe.ts`).
 */
const VARIANTS: [string, string, number, Omit<RandomQwen2Options, "shape">][] = [
  ["fp32, concatenated cache", "model", repeats(11, runs(3)), { weights: "fp32", attention: "concat" }],
  [
    "q4, grouped-query attention",
    "model_q4",
    repeats(32, runs(11)),
    { weights: "q4", attention: "gqa", keepInput: true },
  ],
  ["prepared: slim, own buffers", "model_q4", repeats(16, runs(6)), { weights: "q4", attention: "gqa" }],
];

test.each(quarter(VARIANTS))(
  "%s: conversations answer as from scratch",
  ALSO_DEEP,
  async (name, file, groups, model) => {
    let folder = writeRandomQwen2(join(root, name), { shape: "tiny", ...model });
    const prepared = name.startsWith("prepared");
    if (prepared) folder = prepareCopy(folder, file, join(root, "slim"), { int8Activations: false }).folder;
    const engine = await Engine.load(options(folder, file));
    const engines = prepared ? [engine, await Engine.load(options(folder, file, { speculate: false }))] : [engine];
    const scratch = await Engine.load(options(folder, file, { cacheBytes: 0, speculate: false }));
    expect(engine.info.splitInvariant).toBe(true);
    const random = new Random(7);
    let reused = 0;
    for (let group = 0; group < groups; group++) {
      let conversations = Array.from({ length: 4 }, (_, i) => [
        ...SHARED,
        user(`Task ${group * 4 + i}: ${random.next()}`),
      ]);
      for (let turn = 0; turn < 2; turn++) {
        const theirs = await Promise.all(conversations.map((c) => ask(scratch, c)));
        for (const warm of engines) {
          const ours = await Promise.all(conversations.map((c) => ask(warm, c)));
          expect(ours.map((r) => r.text)).toEqual(theirs.map((r) => r.text));
          reused += ours.reduce((sum, r) => sum + r.cachedTokens, 0);
        }
        conversations = conversations.map((c, i) => nextTurn(random, c, theirs[i]?.text ?? ""));
      }
    }
    expect(reused).toBeGreaterThan(engines.length * groups * 8 * 200);
  },
);

test("samples of one prompt are computed side by side, and each says what it says alone", DEEP, async () => {
  const source = writeRandomQwen2(join(root, "samples"), { shape: "tiny", weights: "q4", attention: "gqa" });
  const { folder } = prepareCopy(source, "model_q4", join(root, "samples-slim"), { int8Activations: false });
  const together = await Engine.load(options(folder, "model_q4"));
  const alone = await Engine.load(options(folder, "model_q4", { cacheBytes: 0, speculate: false }));
  const hot = { temperature: 1.2, topK: 50, maxNewTokens: 60 };
  const samples: Partial<GenerateRequest>[] = [
    { ...hot, seed: 1 },
    { ...hot, seed: 2, stop: ["a"] },
    { ...hot, seed: 3, format: FORMAT, maxNewTokens: 120 },
    { ...hot, seed: 4, repetitionPenalty: 1.2, maxNewTokens: 25 },
    { temperature: 0 },
  ];
  const passes = vi.spyOn(Decoder.prototype, "forwardBatch");
  const controller = new AbortController();
  const aborted = together.generate(
    request(SHARED, { ...hot, seed: 9, maxNewTokens: 2000 }),
    () => passes.mock.calls.length > 5 && controller.abort(),
    controller.signal,
  );
  const replies = await Promise.all([
    ...samples.map((changes) => ask(together, SHARED, changes)),
    expect(aborted).rejects.toMatchObject({ failure: { kind: "aborted" } }),
  ]);
  const widths = passes.mock.calls.map(([, tokens]) => tokens.length);
  passes.mockRestore();
  expect(Math.max(...widths)).toBe(4);
  for (const [i, changes] of samples.entries()) {
    const { text, finish, tokens } = await ask(alone, SHARED, changes);
    expect(replies[i]).toMatchObject({ text, finish, tokens });
    expect(replies[i]?.cachedTokens).toBe((replies[i]?.inputTokens ?? 0) - 1);
  }
});

test(
  "different prompts wait for each other while drafts hold, and run side by side once they do not",
  DEEP,
  async () => {
    const text = Array.from({ length: 120 }, (_, i) => (i * 37 + 11) % 250);
    const recite = [[...text, ...text.slice(0, 100)]];
    const source = writeRandomQwen2(join(root, "tasks"), { shape: "tiny", weights: "q4", attention: "gqa", recite });
    const { folder } = prepareCopy(source, "model_q4", join(root, "tasks-slim"), { int8Activations: false });
    const alone = await Engine.load(options(folder, "model_q4", { cacheBytes: 0, speculate: false }));
    const passes = vi.spyOn(Decoder.prototype, "forwardBatch");
    const askAll = async (changes: Partial<GenerateRequest>): Promise<number> => {
      const engine = await Engine.load(options(folder, "model_q4"));
      passes.mockClear();
      const requests = [1, 2, 3, 4, 5, 6].map((task) =>
        request([], { ...changes, prompt: { ids: [...text.slice(0, -1), task] } }),
      );
      const say = (from: Engine) => Promise.all(requests.map((asked) => from.generate(asked, () => {}, signal)));
      const ours = await say(engine);
      const sideBySide = passes.mock.calls.length;
      expect(ours.map(({ tokens }) => tokens)).toEqual((await say(alone)).map(({ tokens }) => tokens));
      return sideBySide;
    };
    expect(await askAll({ maxNewTokens: 100 })).toBe(0);
    // So hot that nothing is recited.
    expect(await askAll({ maxNewTokens: 100, temperature: 1000 })).toBeGreaterThan(20);
    passes.mockRestore();
  },
);

test("a cache too small for what is asked evicts and still answers as from scratch", DEEP, async () => {
  const folder = writeRandomQwen2(join(root, "small"), { shape: "tiny" });
  const engine = await Engine.load(options(folder, "model", { cacheBytes: 200_000 }));
  const scratch = await Engine.load(options(folder, "model", { cacheBytes: 0, speculate: false }));
  for (let i = 0; i < 12; i++) {
    const messages = [...SHARED, user(`Task ${i % 3}`), assistant("ok"), user(`again ${i}`)];
    expect((await ask(engine, messages)).text).toBe((await ask(scratch, messages)).text);
  }
});

test("a second process starts from the shared prefix on disk; a damaged file is passed over", async () => {
  const folder = writeRandomQwen2(join(root, "disk"), { shape: "tiny" });
  const prefixFolder = join(root, "prefixes");
  const scratch = await Engine.load(options(folder, "model", { cacheBytes: 0, speculate: false }));
  const first = await Engine.load(options(folder, "model", { prefixFolder }));
  const task = (n: number): ChatMessage[] => [...SHARED, user(`Task ${n}: ${"abc ".repeat(n)}`)];
  expect((await ask(first, task(1))).cachedTokens).toBe(0);
  await ask(first, task(2));
  const [file] = readdirSync(prefixFolder);
  const second = await Engine.load(options(folder, "model", { prefixFolder }));
  const warm = await ask(second, task(3));
  expect(warm.cachedTokens).toBeGreaterThan(250);
  expect(warm.text).toBe((await ask(scratch, task(3))).text);
  truncateSync(join(prefixFolder, file ?? ""), 5000);
  const third = await Engine.load(options(folder, "model", { prefixFolder }));
  expect(await ask(third, task(3))).toMatchObject({ cachedTokens: 0, text: warm.text });
  await ask(third, task(4));
  expect(readdirSync(prefixFolder)).toHaveLength(1);
});

test("of waiting requests the one with the warmest prefix goes first", async () => {
  const folder = writeRandomQwen2(join(root, "order"), { shape: "tiny" });
  const engine = await Engine.load(options(folder, "model"));
  await ask(engine, [...SHARED, user("Task 1")]);
  const running = ask(engine, [user("first")]);
  const order: string[] = [];
  const asked = (name: string, messages: ChatMessage[]) => ask(engine, messages).then(() => order.push(name));
  await Promise.all([running, asked("cold", [user("cold ".repeat(100))]), asked("warm", [...SHARED, user("Task 2")])]);
  expect(order).toEqual(["warm", "cold"]);
});

test("sampling: a seed gives its text again, warm or cold; another seed another", async () => {
  const folder = writeRandomQwen2(join(root, "sampling"), { shape: "tiny" });
  const engine = await Engine.load(options(folder, "model"));
  const hot = { temperature: 1.5, topK: 50, topP: 0.95, repetitionPenalty: 1.1, maxNewTokens: 20 };
  const say = async (seed: number): Promise<string> => (await ask(engine, SHARED, { ...hot, seed })).text;
  const [first, again, other] = [await say(1), await say(1), await say(2)];
  expect(again).toBe(first);
  expect(other).not.toBe(first);
});

test("dynamic q8: the check sees that parts differ from the whole, and nothing is reused", async () => {
  const folder = writeRandomQwen2(join(root, "q8"), { shape: "tiny", weights: "dynamic-q8" });
  const engine = await Engine.load(options(folder, "model_quantized"));
  expect(engine.info.splitInvariant).toBe(false);
  const first = await ask(engine, SHARED);
  const second = await ask(engine, SHARED);
  expect(second).toMatchObject({ text: first.text, cachedTokens: 0, drafted: 0 });
});

test("an aborted request leaves a cache that still answers as from scratch", async () => {
  const folder = writeRandomQwen2(join(root, "abort"), { shape: "tiny" });
  const engine = await Engine.load(options(folder, "model"));
  const scratch = await Engine.load(options(folder, "model", { cacheBytes: 0, speculate: false }));
  const controller = new AbortController();
  let seen = 0;
  const onText = (): void => {
    if (++seen === 3) controller.abort();
  };
  const aborted = engine.generate(request(SHARED, { maxNewTokens: 500, temperature: 3 }), onText, controller.signal);
  await expect(aborted).rejects.toMatchObject({ failure: { kind: "aborted" } });
  const ours = await ask(engine, SHARED);
  expect(ours.cachedTokens).toBeGreaterThan(0);
  expect(ours.text).toBe((await ask(scratch, SHARED)).text);
});

test("a prompt beyond the context is refused with both numbers", async () => {
  const folder = writeRandomQwen2(join(root, "context"), { shape: "tiny" });
  const engine = await Engine.load(options(folder, "model"));
  const failure = { kind: "context_overflow", contextLength: 8192 };
  await expect(ask(engine, [user("a".repeat(9000))])).rejects.toMatchObject({ failure });
});
