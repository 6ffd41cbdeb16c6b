import { expect, test } from "vitest";
import { SearchTime } from "./search_time.ts";

/** A clock that the test sets. */
function clocked(seconds: number, pace?: number) {
  const clock = { at: 0 };
  return { clock, time: new SearchTime(seconds, { now: () => clock.at, pace }) };
}

test("before it starts processor time alone counts", () => {
  const { clock, time } = clocked(60);
  clock.at = 1000;
  time.spend(20);
  expect([time.left, time.isUp]).toEqual([40, false]);
});

test("the clock ends it, whatever processor time is left", () => {
  const { clock, time } = clocked(60);
  time.start();
  clock.at = 60;
  expect([time.left, time.clockLeft, time.isUp]).toEqual([0, 0, true]);
});

test("on a busy machine fewer seconds of processor time fit into what is left", () => {
  const { clock, time } = clocked(60);
  time.start();
  time.spend(5);
  clock.at = 20;
  expect([time.clockLeft, time.left]).toEqual([40, 10]);
});

test("before the search has a pace of its own, that of the tests counts, up to a quarter", () => {
  expect([1, 2, 50].map((pace) => started(60, pace).left)).toEqual([60, 30, 15]);
});

test("work that outlasts the clock is ended, and its failure is no error", async () => {
  const time = new SearchTime(0.01);
  time.start();
  const forever = (ends?: AbortSignal) =>
    new Promise((_, reject) => ends?.addEventListener("abort", () => reject(ends.reason)));
  expect(await time.within(forever, undefined)).toBeNull();
  expect(time.isOver).toBe(true);
});

test("work that has a share of the time ends with it, and the rest is left", async () => {
  const time = new SearchTime(3600);
  time.start();
  const forever = (ends?: AbortSignal) =>
    new Promise((_, reject) => ends?.addEventListener("abort", () => reject(ends.reason)));
  expect(await time.within(forever, undefined, 1e-6)).toBeNull();
  expect([time.isOver, time.isUp]).toEqual([false, false]);
});

test("a user's interruption is passed on", async () => {
  const { time } = clocked(60);
  time.start();
  const signal = AbortSignal.abort(new Error("interrupted"));
  await expect(time.within(async (ends) => ends?.throwIfAborted(), signal)).rejects.toThrow("interrupted");
});

function started(seconds: number, pace: number): SearchTime {
  const { time } = clocked(seconds, pace);
  time.start();
  return time;
}
