import { expect, test } from "vitest";
import { count, dollars, duration, percent, seconds } from "./format.ts";

test("durations and shares for people", () => {
  expect([duration(45), duration(360), duration(7500)]).toEqual(["45s", "6m", "2h05m"]);
  expect([seconds(4.25), seconds(45), seconds(null)]).toEqual(["4.3s", "45s", "unknown"]);
  expect(percent(0.618, [0.54, 0.69])).toBe("62% [54–69]");
  expect(percent(null, null)).toBe("–");
});

test("dollars have cents, and below one of them enough digits to tell them apart", () => {
  expect([66, 1.5, 0.01234, 0, null].map(dollars)).toEqual(["$66.00", "$1.50", "$0.0123", "$0", "unknown"]);
});

test("numbers are grouped", () => {
  expect([1234567.4, 12, null].map(count)).toEqual(["1,234,567", "12", "unknown"]);
});
