import { setImmediate as settle } from "node:timers/promises";
import { expect, test } from "vitest";
import { Queue } from "./queue.ts";

/** Asks `queue` for places in order; `running` are those that have one and did not end. */
function start(queue: Queue, jobs: number) {
  const running: number[] = [];
  for (let i = 0; i < jobs; i += 1) void queue.enter().then(() => running.push(i));
  const end = async (job: number) => {
    running.splice(running.indexOf(job), 1);
    queue.leave();
    await settle();
  };
  return { running, end };
}

test("a raised limit lets in who waits, a lowered one waits for places to be given back", async () => {
  const queue = new Queue(1);
  const { running, end } = start(queue, 5);
  await settle();
  expect(running).toEqual([0]);
  queue.limit = 3;
  await settle();
  expect(running).toEqual([0, 1, 2]);
  queue.limit = 1;
  await end(1);
  await end(0);
  expect(running).toEqual([2]);
  await end(2);
  expect(running).toEqual([3]);
});

test("a job that fails gives its place back", async () => {
  const queue = new Queue(1);
  await expect(queue.run(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await queue.run(() => Promise.resolve("next"))).toBe("next");
});

test("who is aborted while waiting gives up the turn and holds no place", async () => {
  const queue = new Queue(1);
  await queue.enter();
  const stop = new AbortController();
  const aborted = queue.enter(stop.signal);
  stop.abort(new Error("stop"));
  await expect(aborted).rejects.toThrow("stop");
  const { running } = start(queue, 1);
  queue.leave();
  await settle();
  expect(running).toEqual([0]);
});
