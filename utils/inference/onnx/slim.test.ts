import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/command.ts";
import { Decoder } from "../decoding/decoder.ts";
import { prepareCopy } from "../prepared/prepared.ts";
import { loadRuntime } from "../runtime.ts";
import { type RandomQwen2Options, writeRandomQwen2 } from "../testing/random_qwen2.ts";

const { path: root } = temporaryFolder();

async function decoder(folder: string, file: string): Promise<Decoder> {
  const runtime = await loadRuntime({ folder, file, device: "cpu", threads: 1, cacheBytes: 0, speculate: false });
  return new Decoder(runtime.session);
}

const PROMPT = Array.from({ length: 40 }, (_, i) => (i * 53) % 256);

/** Logits after a prompt in two parts and a cut: of long passes, and of passes over few tokens. */
async function logitsOf(d: Decoder): Promise<{ long: Float32Array[]; short: Float32Array[] }> {
  const cache = d.newCache();
  const rows = async (ids: number[], keep: number, from = cache): Promise<Float32Array[]> => {
    const logits = await d.forward(from, ids, keep);
    return Array.from({ length: keep }, (_, i) => logits.row(i).slice());
  };
  const long = [...(await rows(PROMPT.slice(0, 25), 3)), ...(await rows(PROMPT.slice(25), 3))];
  cache.truncate(30);
  const fork = cache.fork(20);
  const short: Float32Array[] = [];
  for (const id of [5, 6, 7, 8]) short.push(...(await rows([id], 1)));
  short.push(...(await rows([9, 10, 11], 3, fork)), ...(await rows(PROMPT.slice(0, 8), 8, fork)));
  long.push(...(await rows(PROMPT.slice(0, 30), 3)));
  return { long, short };
}

/** Largest difference of logits, relative to the largest. */
function difference(a: Float32Array[], b: Float32Array[]): number {
  const [x, y] = [a, b].map((rows) => rows.flatMap((row) => [...row]));
  const largest = (values: number[]): number => values.reduce((m, v) => Math.max(m, Math.abs(v)), 0);
  return largest((x ?? []).map((v, i) => v - (y?.[i] ?? 0))) / largest(x ?? []);
}

const CASES: [string, Omit<RandomQwen2Options, "shape">, "buffers" | "outputs"][] = [
  ["grouped-query", { weights: "q4", attention: "gqa", attentionScale: 0.4 }, "buffers"],
  ["grouped-query-keep", { weights: "q4", attention: "gqa", keepInput: true }, "buffers"],
  ["concatenated", { weights: "q4", attention: "concat" }, "outputs"],
];

test.each(CASES)("%s: the slim graph gives the same logits", async (name, model, cacheKind) => {
  const source = writeRandomQwen2(join(root, name), { shape: "tiny", ...model });
  const copy = prepareCopy(source, "model_q4", join(root, `${name}-slim`), { int8Activations: false });
  const [before, after] = [await decoder(source, "model_q4"), await decoder(copy.folder, "model_q4")];
  expect(after.cacheKind).toBe(cacheKind);
  const [theirs, ours] = [await logitsOf(before), await logitsOf(after)];
  expect(difference(theirs.short, ours.short)).toBeLessThan(1e-5);
  // What follows short passes rests on what they left in the cache; before them, every bit is the same.
  expect(difference(theirs.long, ours.long)).toBeLessThan(1e-5);
  expect(ours.long.slice(0, 6)).toEqual(theirs.long.slice(0, 6));
  expect(copy.report).toMatchObject({
    keepInput: !model.keepInput,
    int8Nodes: 0,
    deltaOutputs: cacheKind === "buffers",
    shortPasses: cacheKind === "buffers",
  });
});

test("big weights leave the graph file, and only the positions asked for have logits", async () => {
  const source = writeRandomQwen2(join(root, "big"), { shape: "tiny", weights: "fp32", attention: "gqa" });
  const copy = prepareCopy(source, "model", join(root, "big-slim"), { int8Activations: true });
  const size = (folder: string) => statSync(join(folder, "onnx", "model.onnx")).size;
  expect(copy.report.externalBytes).toBeGreaterThan(80_000);
  expect(size(copy.folder)).toBeLessThan(size(source) - copy.report.externalBytes + 20_000);
  const slim = await decoder(copy.folder, "model");
  expect((await slim.forward(slim.newCache(), PROMPT, 3)).count).toBe(3);
  copy.discard();
  expect(readdirSync(root).filter((entry) => entry.startsWith("big-slim"))).toEqual([]);
});
