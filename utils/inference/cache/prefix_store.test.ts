import { expect, test } from "vitest";
import type { KvField } from "./kv_cache.ts";
import { OutputCache } from "./output_cache.ts";
import { PrefixStore } from "./prefix_store.ts";

const FIELDS: KvField[] = [{ name: "0.key", type: "float32", heads: 1, headDim: 1 }];
/** A cache whose values are its tokens, so that what is cropped and copied can be seen. */
const cacheOf = (ids: number[]) => new OutputCache(FIELDS, [Float32Array.from(ids)], ids.length);
const valuesOf = (cache: { exportFields(n: number): { data: ArrayLike<number> }[]; length: number } | undefined) =>
  Array.from(cache?.exportFields(cache.length)[0]?.data ?? []);

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);
const PREFIX = range(0, 100);

test("a conversation that grows takes its own cache over; its last token is always computed", () => {
  const store = new PrefixStore(1e6);
  store.put(range(0, 10), cacheOf(range(0, 10)), 6);
  const { cache, reused } = store.take(range(0, 10));
  expect(reused).toBe(9);
  expect(valuesOf(cache)).toEqual(range(0, 9));
  expect(store.bytes).toBe(0);
});

test("where two prompts part, what they share is kept and told once; shorter shared prefixes are roots", () => {
  const store = new PrefixStore(1e6);
  const task = (n: number): number[] => [...PREFIX, ...range(n, n + 20)];
  store.put(task(1000), cacheOf(task(1000)), 115);
  const second = store.take(task(2000));
  expect(second).toMatchObject({ reused: 100, discovered: { ids: PREFIX } });
  expect(valuesOf(second.cache)).toEqual(PREFIX);
  expect(store.take(task(3000)).discovered).toBeUndefined();
  const longer = [...task(2000), ...range(5000, 5100)];
  store.put(longer, cacheOf(longer), longer.length);
  expect(store.take([...longer.slice(0, 200), 1, 2]).discovered).toBeUndefined();
});

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
