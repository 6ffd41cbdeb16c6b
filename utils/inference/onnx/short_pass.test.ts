/** A slim graph's passes over few tokens against the original graph, row by row, whatever else lies in the buffers. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { allocate, copyRows, type KvCache, type KvData, kvDataOf } from "../cache/kv_cache.ts";
import { Decoder } from "../decoding/decoder.ts";
import { prepareCopy } from "../prepared/prepared.ts";
import { loadRuntime, makeTensor } from "../runtime.ts";
import type { OnnxSession, RuntimeTensor } from "../tensors.ts";
import { writeRandomQwen2 } from "../testing/random_qwen2.ts";

let root: string;
let original: Decoder;
let slim: OnnxSession;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "mend-"));
  const source = writeRandomQwen2(join(root, "model"), {
    shape: "tiny",
    weights: "q4",
    attention: "gqa",
    attentionScale: 0.4,
  });
  const copy = prepareCopy(source, "model_q4", join(root, "slim"), { int8Activations: false });
  expect(copy.report.shortPasses).toBe(true);
  const load = (folder: string) =>
    loadRuntime({ folder, file: "model_q4", device: "cpu", threads: 1, cacheBytes: 0, speculate: false });
  original = new Decoder((await load(source)).session);
  slim = (await load(copy.folder)).session;
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const idsOf = (count: number, seed: number): number[] => Array.from({ length: count }, (_, i) => (i * 53 + seed) % 250);

/** `[rows, heads, room, headDim]` of every field: the rows' own tokens in front, rubbish behind them. */
function pastOf(caches: readonly KvCache[], room: number): Record<string, RuntimeTensor> {
  const feeds = original.fields.map((field, at) => {
    const { heads, headDim } = field;
    const size = heads * room * headDim;
    const all = new Float32Array(caches.length * size).fill(1e4);
    caches.forEach((cache, row) => {
      const from = cache.exportFields(cache.length)[at]?.data ?? allocate(field, 0);
      const to = { data: all.subarray(row * size, (row + 1) * size), room, at: 0 };
      copyRows(field, { data: from, room: cache.length, at: 0 }, to, cache.length);
    });
    return [
      `past_key_values.${field.name}`,
      makeTensor("float32", all, [caches.length, heads, room, headDim]),
    ] as const;
  });
  return Object.fromEntries(feeds);
}

/** One pass of the slim graph over as many new tokens in every row. */
function runSlim(
  caches: readonly KvCache[],
  fresh: readonly (readonly number[])[],
  room: number,
): Promise<Record<string, RuntimeTensor>> {
  const [rows, count] = [fresh.length, fresh[0]?.length ?? 0];
  const total = Math.max(...caches.map(({ length }) => length)) + count;
  const mask = caches.flatMap(({ length }) => Array.from({ length: total }, (_, i) => (i < length + count ? 1n : 0n)));
  const feeds = {
    ...pastOf(caches, room),
    input_ids: makeTensor("int64", BigInt64Array.from(fresh.flat(), BigInt), [rows, count]),
    attention_mask: makeTensor("int64", BigInt64Array.from(mask), [rows, total]),
    num_logits_to_keep: makeTensor("int64", BigInt64Array.of(BigInt(count)), []),
  };
  return slim.run(feeds, ["logits", ...original.fields.map(({ name }) => `delta.${name}`)]);
}

/** Largest difference of two lists, relative to the largest value of the first. */
function difference(expected: KvData, given: KvData): number {
  expect(given.length).toBe(expected.length);
  let [largest, apart] = [0, 0];
  expected.forEach((value, i) => {
    largest = Math.max(largest, Math.abs(value));
    // NaN must not count as equal.
    apart = Math.max(apart, Math.abs(value - (given[i] ?? Number.NaN)) || (value === given[i] ? 0 : Infinity));
  });
  return apart / largest;
}

/** Compares logits and new rows of the cache with those of every row alone in the original graph. */
async function compare(lengths: readonly number[], count: number, room: number): Promise<void> {
  const caches = lengths.map(() => original.newCache());
  for (const [row, length] of lengths.entries()) {
    const cache = caches[row];
    if (cache && length > 0) await original.forward(cache, idsOf(length, row), 1);
  }
  const fresh = lengths.map((_, row) => idsOf(count, 100 + row));
  const outputs = await runSlim(caches, fresh, room);
  const logits = kvDataOf({ name: "logits", type: "float32", heads: 1, headDim: 1 }, outputs.logits);
  for (const [row, cache] of caches.entries()) {
    const past = cache.length;
    const alone = await original.forward(cache, fresh[row] ?? [], count);
    const width = logits.length / lengths.length / count;
    for (let i = 0; i < count; i++) {
      const at = (row * count + i) * width;
      expect(difference(alone.row(i), logits.subarray(at, at + width))).toBeLessThan(1e-5);
    }
    original.fields.forEach((field, at) => {
      const delta = kvDataOf(field, outputs[`delta.${field.name}`]);
      const size = field.heads * count * field.headDim;
      const expected = allocate(field, count);
      const whole = cache.exportFields(cache.length)[at]?.data ?? expected;
      const from = { data: whole, room: cache.length, at: past };
      copyRows(field, from, { data: expected, room: count, at: 0 }, count);
      expect(difference(expected, delta.subarray(row * size, (row + 1) * size))).toBeLessThan(1e-5);
    });
  }
}

test.each([1, 2, 3, 5, 8])(
  "%i tokens: after nothing, after much, and in rows of lengths of their own",
  async (count) => {
    await compare([0], count, 0);
    await compare([0], count, 64);
    await compare([40], count, 40);
    await compare([40], count, 40 + count + 3);
    await compare([0, 7, 33], count, 33);
    await compare([33, 1, 0, 33], count, 64);
  },
);

test.each([9, 10, 40])("%i tokens are left to the runtime's kernel: after nothing and after much", async (count) => {
  await compare([0], count, 64);
  await compare([20], count, 64);
});
