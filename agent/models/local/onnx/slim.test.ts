import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Decoder } from "../decoder.ts";
import { prepareCopy } from "../prepared.ts";
import { loadRuntime } from "../runtime.ts";
import { type RandomQwen2Options, writeRandomQwen2 } from "../testing/random-qwen2.ts";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "mend-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function decoder(folder: string, file: string): Promise<Decoder> {
  const runtime = await loadRuntime({ folder, file, device: "cpu", threads: 1, cacheBytes: 0, speculate: false });
  return new Decoder(runtime.session);
}

const PROMPT = Array.from({ length: 40 }, (_, i) => (i * 53) % 256);

/** Logits after a prompt in two parts, a cut and six greedy-free steps. */
async function logitsOf(d: Decoder): Promise<number[][]> {
  const cache = d.newCache();
  await d.forward(cache, PROMPT.slice(0, 25), 1);
  await d.forward(cache, PROMPT.slice(25), 1);
  cache.truncate(30);
  const fork = cache.fork(20);
  const rows: number[][] = [];
  for (const id of [5, 6, 7, 8]) rows.push([...(await d.forward(cache, [id], 1)).row(0)]);
  rows.push([...(await d.forward(fork, [9, 10, 11], 3)).row(1)]);
  return rows;
}

const CASES: [string, Omit<RandomQwen2Options, "shape">, "buffers" | "outputs"][] = [
  ["grouped-query", { weights: "q4", attention: "gqa" }, "buffers"],
  ["grouped-query-keep", { weights: "q4", attention: "gqa", keepInput: true }, "buffers"],
  ["concatenated", { weights: "q4", attention: "concat" }, "outputs"],
];

test.each(CASES)("%s: the slim graph gives the same logits bit by bit", async (name, model, cacheKind) => {
  const source = writeRandomQwen2(join(root, name), { shape: "tiny", ...model });
  const copy = prepareCopy(source, "model_q4", join(root, `${name}-slim`), { int8Activations: false });
  const [before, after] = [await decoder(source, "model_q4"), await decoder(copy.folder, "model_q4")];
  expect(after.cacheKind).toBe(cacheKind);
  expect(await logitsOf(after)).toEqual(await logitsOf(before));
  expect(copy.report).toMatchObject({
    keepInput: !model.keepInput,
    int8Nodes: 0,
    deltaOutputs: cacheKind === "buffers",
  });
});

test("big weights leave the graph file, and only the positions asked for have logits", async () => {
  const source = writeRandomQwen2(join(root, "big"), { shape: "tiny", weights: "fp32", attention: "gqa" });
  const copy = prepareCopy(source, "model", join(root, "big-slim"), { int8Activations: true });
  const size = (folder: string) => statSync(join(folder, "onnx", "model.onnx")).size;
  expect(copy.report.externalBytes).toBeGreaterThan(80_000);
  expect(size(copy.folder)).toBeLessThan(size(source) - copy.report.externalBytes + 8000);
  const slim = await decoder(copy.folder, "model");
  expect((await slim.forward(slim.newCache(), PROMPT, 3)).count).toBe(3);
  copy.discard();
  expect(readdirSync(root).filter((entry) => entry.startsWith("big-slim"))).toEqual([]);
});
