import { expect, test } from "vitest";
import { noUsage } from "../../agent/run/usage.ts";
import { failed, sample, scored } from "../testing/results.ts";
import { progressLine } from "./display/progress.ts";
import { latest, Result, written } from "./results.ts";
import { summarize } from "./summary/summary.ts";

test("an error is counted apart and never as a fail", () => {
  const summary = summarize([scored(0, true), failed(1), scored(2, false)], 3);
  expect(summary).toMatchObject({ num: 2, successes: 1, value: 0.5, errors: 1, complete: false });
});

test("with nothing scored there is no score, not 0", () => {
  expect(summarize([failed(0)], 1)).toMatchObject({ num: 0, value: null, interval: null, errors: 1, complete: false });
});

test("a retried error is replaced by what came later", () => {
  const lines = [failed(1), scored(0, true), scored(1, true)];
  expect(latest(lines)).toEqual([scored(0, true), scored(1, true)]);
  expect(summarize(lines, 2)).toMatchObject({ num: 2, successes: 2, errors: 0, complete: true });
});

test("what a replaced line used stays in the totals", () => {
  const stopped: Result = { ...failed(1), usage: { ...noUsage(), inputTokens: 700, costUsd: 2 } };
  const { usage } = summarize([stopped, stopped, scored(1, true)], 1);
  expect(usage).toMatchObject({ inputTokens: 1410, costUsd: 4.5 });
});

test("a run with samples missing is not complete", () => {
  expect(summarize([scored(0, true)], 2).complete).toBe(false);
});

test("usage adds up, and one unknown count makes the sum unknown", () => {
  expect(summarize([scored(0, true), scored(1, true)], 2).usage.inputTokens).toBe(20);
  const unknown: Result = { ...sample(2), ...scored(2, true), usage: { ...noUsage(), inputTokens: null } };
  expect(summarize([scored(0, true), unknown], 2).usage.inputTokens).toBeNull();
});

test("a line with neither a score nor an error is refused", () => {
  expect(Result.safeParse(sample(0)).success).toBe(false);
  expect(Result.safeParse(scored(0, true)).success).toBe(true);
  expect(Result.safeParse(failed(0)).success).toBe(true);
});

test("the progress line", () => {
  const lines = [...Array.from({ length: 5 }, (_, i) => scored(i, i < 3)), failed(5), failed(6)];
  expect(progressLine(summarize(lines, 164), 164, 360)).toBe("7/164 · pass@1 60% [23–88] · 2 errors · ETA 6 min");
  expect(progressLine(summarize([], 164), 164, 0)).toBe("0/164 · pass@1 –");
  expect(progressLine(summarize(lines.slice(0, 5), 5), 5, 0)).toBe("5/5 · pass@1 60% [23–88]");
});

test("a line has stop_reason and, for version 0.2, stop; either is read", () => {
  const line = scored(0, true);
  expect(written(line)).toMatchObject({ stop: "answered", stop_reason: "answered" });
  const { stop, ...renamed } = Object.assign({ stop: "" }, written(line));
  expect(Result.parse(renamed)).toEqual(line);
  expect(Result.parse(line)).toEqual(line);
  expect(stop).toBe("answered");
});
