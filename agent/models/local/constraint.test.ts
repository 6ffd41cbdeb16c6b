/** With a model that knows nothing, every reply keeps the protocol; without the constraint almost none does. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Engine } from "../../../utils/inference/engine.ts";
import type { GenerateRequest, GenerateResult } from "../../../utils/inference/messages.ts";
import { writeRandomQwen2 } from "../../../utils/inference/testing/random_qwen2.ts";
import { python } from "../../../utils/languages/python/index.ts";
import { ALSO_DEEP, repeats, runs } from "../../../utils/testing/repeats.ts";
import { parseReply } from "../../dialects/reader.ts";
import { type Readable, replyFormat } from "./chat.ts";

let root: string;
let engine: Engine;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "mend-"));
  const folder = writeRandomQwen2(join(root, "tiny"), { shape: "tiny" });
  const options = { file: "model", device: "cpu", threads: 1, cacheBytes: 2 ** 26, speculate: true };
  engine = await Engine.load({ folder, ...options });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const ONE_TOOL: Readable = { tools: ["code_interpreter"], answer: "code" };
const MORE_TOOLS: Readable = { tools: ["view", "view_file", "edit"], answer: "text" };

const reply = (seed: number, changes: Partial<GenerateRequest>): Promise<GenerateResult> => {
  const sampling = { temperature: 1, topK: 0, topP: 1, repetitionPenalty: 1, seed };
  const prompt = [{ role: "user" as const, content: `Task ${seed}` }];
  const request = { prompt, stop: ["\nObservation:"], maxNewTokens: 100, ...sampling, ...changes };
  return engine.generate(request, () => {}, new AbortController().signal);
};

const kindOf = ({ text }: GenerateResult, readable: Readable) =>
  parseReply({ text }, { ...readable, language: python }).kind;

const SEEDS = Array.from({ length: repeats(25, runs(10)) }, (_, i) => i);

test.each([
  ["one tool, code", ONE_TOOL],
  ["three tools, text", MORE_TOOLS],
])("%s: all random replies of 90 to 140 tokens are an action or an answer", ALSO_DEEP, async (_, readable) => {
  const format = replyFormat(readable);
  // An answer of code ends by itself.
  const stop = readable.answer === "code" ? [] : ["\nObservation:"];
  for (const seed of SEEDS) {
    const result = await reply(seed, {
      format,
      stop,
      maxNewTokens: 90 + (50 / SEEDS.length) * seed,
      temperature: seed % 4 === 0 ? 0 : 4,
    });
    expect(kindOf(result, readable), result.text).not.toBe("malformed");
  }
});

test("without the constraint hardly any random reply can be read", ALSO_DEEP, async () => {
  const results = await Promise.all(SEEDS.map((seed) => reply(seed, {})));
  const read = results.filter((result) => kindOf(result, ONE_TOOL) !== "malformed");
  expect(read.length).toBeLessThan(0.16 * SEEDS.length);
});

test("a constrained reply is the same with and without drafts", ALSO_DEEP, async () => {
  const folder = join(root, "tiny");
  const options = { file: "model", device: "cpu", threads: 1, cacheBytes: 0, speculate: false };
  const plain = await Engine.load({ folder, ...options });
  const { signal } = new AbortController();
  const sampling = { temperature: 0.8, topK: 20, topP: 1, repetitionPenalty: 1 };
  for (let seed = 0; seed < repeats(15, runs(6)); seed++) {
    const content = `Task ${seed} Thought: x\nAction: view\nAction Input: {"a": 1}`;
    const prompt = [{ role: "user" as const, content }];
    const request = { prompt, stop: [], maxNewTokens: 80, ...sampling, seed, format: replyFormat(MORE_TOOLS) };
    const ours = await engine.generate(request, () => {}, signal);
    expect(ours.text).toBe((await plain.generate(request, () => {}, signal)).text);
  }
});
