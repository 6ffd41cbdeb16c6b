import { expect, test } from "vitest";
import { Queue } from "./queue.ts";

const job = (name: string, tokens: number) => ({
  name,
  ids: Array.from({ length: tokens }, (_, i) => i),
  overtaken: 0,
});
const cost = ({ ids }: { ids: readonly number[] }): number => ids.length;

test("the cheapest of those that may begin goes first; who may not stays", () => {
  const queue = new Queue<ReturnType<typeof job>>();
  for (const waiting of [job("long", 9), job("short", 2), job("shorter", 1)]) queue.add(waiting);
  expect(queue.longest).toBe(9);
  expect(queue.next(({ name }) => name !== "shorter", cost)?.name).toBe("short");
  expect(queue.next(() => false, cost)).toBeUndefined();
  expect(queue.size).toBe(2);
});

test("a request that eight others have overtaken goes next or nobody does", () => {
  const queue = new Queue<ReturnType<typeof job>>();
  queue.add(job("patient", 9));
  for (let i = 0; i < 8; i++) {
    queue.add(job("short", 1));
    expect(queue.next(() => true, cost)?.name).toBe("short");
  }
  queue.add(job("short", 1));
  expect(queue.next(({ name }) => name === "short", cost)).toBeUndefined();
  expect(queue.next(() => true, cost)?.name).toBe("patient");
});
