import { expect, test } from "vitest";
import { inOrder, pool } from "./pool.ts";

const tick = () => new Promise((resolve) => setTimeout(resolve, 1));

test("every item is worked on once, at most `width` at a time", async () => {
  let running = 0;
  let most = 0;
  const done: number[] = [];
  await pool([...Array(20).keys()], 3, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await tick();
    running -= 1;
    done.push(item);
  });
  expect(most).toBe(3);
  expect(done.sort((a, b) => a - b)).toEqual([...Array(20).keys()]);
});

test("draining hands out nothing more and awaits what has begun", async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const work = async (item: number) => {
    begun.push(item);
    await tick();
    ended.push(item);
  };
  await pool([1, 2, 3, 4, 5], 2, work, () => begun.length >= 2);
  expect(begun).toEqual([1, 2]);
  expect(ended).toEqual([1, 2]);
});

test("a failure stops the pool and is thrown after the rest has ended", async () => {
  const ended: number[] = [];
  const work = async (item: number) => {
    await tick();
    if (item === 1) throw new Error("bug in 1");
    await tick();
    ended.push(item);
  };
  await expect(pool([1, 2, 3, 4], 2, work)).rejects.toThrow("bug in 1");
  expect(ended).toEqual([2]);
});

test("items come in the order of their keys, each as soon as all before it are there", () => {
  const told: string[] = [];
  const lines = inOrder<string>(["a", "b", "c", "d", "e"], (item) => told.push(item));
  lines.add("c", "C");
  expect(told).toEqual([]);
  lines.add("a", "A");
  expect(told).toEqual(["A"]);
  lines.add("e", "E");
  lines.flush();
  expect(told).toEqual(["A", "C", "E"]);
});
