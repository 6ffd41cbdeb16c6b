import { describe, expect, test } from "vitest";
import type { MeasuredLine } from "../log.ts";
import { meanUtility, PAPER_UTILITY, utilityOf } from "./utility.ts";

const spent = (score: number, costUsd: number, seconds: number, status: MeasuredLine["status"] = "ok") => ({
  score,
  costUsd,
  seconds,
  status,
});
const value = (...args: Parameters<typeof spent>) => utilityOf(spent(...args)).value;

describe("equations 1 and 2", () => {
  // The only row whose score, cost and time are at hand; of iteration 15 only the utility is (0.6783), which tests nothing.
  test("iteration 0 of the paper's Table 1", () => {
    expect(value(0.4975, 1.91, 130.2)).toBeCloseTo(0.5925, 4);
  });

  test.each([
    ["solved for nothing, at once", spent(1, 0, 0), 1],
    ["solved at both caps", spent(1, 10, 300), 0.5],
    ["beyond the caps nothing more is lost", spent(1, 25, 4000), 0.5],
    ["a wrong answer for nothing, at once", spent(0, 0, 0), 0.5],
    ["half of each cap", spent(0, 5, 150), 0.25],
    ["a timeout keeps half", spent(1, 0, 300, "timeout"), 0.375],
    ["a crash is worth nothing, however cheap", spent(0, 0, 0.1, "crashed"), 0],
  ])("%s", (_, input, expected) => {
    expect(utilityOf(input).value).toBeCloseTo(expected, 12);
  });

  test("weights, caps and penalty are options", () => {
    const options = { ...PAPER_UTILITY, weights: { score: 1, cost: 0, time: 0 }, timeoutPenalty: 0.25 };
    expect(utilityOf(spent(1, 99, 99, "timeout"), options).value).toBe(0.75);
  });

  test("the parts add up to the whole", () => {
    const { value: whole, score, cost, time } = utilityOf(spent(1, 2, 30, "timeout"));
    expect(score + cost + time).toBeCloseTo(whole, 12);
  });
});

test("the mean is over tasks: one that ran over its cap does not eat up what the others saved", () => {
  const tasks = [spent(1, 40, 0), spent(1, 0, 0)].map((task) => utilityOf(task));
  expect(meanUtility(tasks)?.value).toBeCloseTo((0.75 + 1) / 2, 12);
});

test("no tasks have no utility", () => {
  expect(meanUtility([])).toBeNull();
});
