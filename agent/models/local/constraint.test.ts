/** With a model that knows nothing, every reply keeps the protocol. */

import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { Engine } from "../../../utils/inference/engine.ts";
import type { GenerateRequest, GenerateResult } from "../../../utils/inference/messages.ts";
import { writeRandomQwen2 } from "../../../utils/inference/testing/random_qwen2.ts";
import { python } from "../../../utils/languages/python/index.ts";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { ALSO_DEEP, runs } from "../../../utils/testing/repeats.ts";
import { parseReply } from "../../dialects/reader.ts";
import { type Readable, replyFormat } from "./chat.ts";

const { path: root } = temporaryFolder();
let engine: Engine;
beforeAll(async () => {
  const folder = writeRandomQwen2(join(root, "tiny"), { shape: "tiny" });
  const options = { file: "model", device: "cpu", threads: 1, cacheBytes: 2 ** 26, speculate: true };
  engine = await Engine.load({ folder, ...options });
});

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

const SEEDS = Array.from({ length: runs(10) }, (_, i) => i);

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
