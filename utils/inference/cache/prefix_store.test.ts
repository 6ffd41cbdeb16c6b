import { expect, test } from "vitest";
import type { KvField } from "./kv_cache.ts";
import { OutputCache } from "./output_cache.ts";
import { PrefixStore } from "./prefix_store.ts";

const FIELDS: KvField[] = [{ name: "0.key", type: "float32", heads: 1, headDim: 1 }];
/** A cache whose values are its tokens, so that what is cropped and copied can be seen. */
const cacheOf = (ids: number[]) => new OutputCache(FIELDS, [Float32Array.from(ids)], ids.length);

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);
const PREFIX = range(0, 100);

test("the least recently used go first, shared prefixes last, and nothing is kept where nothing fits", () => {
  const store = new PrefixStore(1000);
  const conversation = (n: number): number[] => range(n, n + 80);
  store.putShared(PREFIX, cacheOf(PREFIX));
  for (const n of [1000, 2000, 3000]) store.put(conversation(n), cacheOf(conversation(n)), 80);
  expect([1000, 2000, 3000].map((n) => store.reusable(conversation(n)))).toEqual([0, 0, 79]);
  expect(store.reusable([...PREFIX, 1])).toBe(100);
  const huge = range(0, 400);
  store.put(huge, cacheOf(huge), 400);
  expect(store.bytes).toBeLessThanOrEqual(1000);
  const off = new PrefixStore(0);
  off.put(PREFIX, cacheOf(PREFIX), 100);
  expect(off.reusable(PREFIX)).toBe(0);
});
