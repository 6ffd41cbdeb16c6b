import { expect, test } from "vitest";
import { SearchTime } from "./search_time.ts";

/** A clock that the test sets. */
function clocked(seconds: number, pace?: number) {
  const clock = { at: 0 };
  return { clock, time: new SearchTime(seconds, { now: () => clock.at, pace }) };
}

test("the clock ends it, whatever processor time is left", () => {
  const { clock, time } = clocked(60);
  time.start();
  clock.at = 60;
  expect([time.left, time.clockLeft, time.isUp]).toEqual([0, 0, true]);
});

test("work that outlasts the clock is ended, and its failure is no error", async () => {
  const time = new SearchTime(0.01);
  time.start();
  const forever = (ends?: AbortSignal) =>
    new Promise((_, reject) => ends?.addEventListener("abort", () => reject(ends.reason)));
  expect(await time.within(forever, undefined)).toBeNull();
  expect(time.isOver).toBe(true);
});

test("a user's interruption is passed on", async () => {
  const { time } = clocked(60);
  time.start();
  const signal = AbortSignal.abort(new Error("interrupted"));
  await expect(time.within(async (ends) => ends?.throwIfAborted(), signal)).rejects.toThrow("interrupted");
});
