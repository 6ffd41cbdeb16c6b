import { expect, test } from "vitest";
import { clause, count, doing, dollars, percent, percentWithin, plural, seconds, short } from "./format.ts";

test("times and shares for people", () => {
  const times = [0.42, 4.25, 45, 360, 7500, null];
  expect(times.map(seconds)).toEqual(["0.4 s", "4.3 s", "45 s", "6 min", "2 h 05", "–"]);
  expect(percentWithin(0.618, [0.54, 0.69])).toBe("62% [54–69]");
  expect([percentWithin(null, null), percent(null), percent(0.1234, 1)]).toEqual(["–", "–", "12.3%"]);
});

test("dollars have cents, and below one of them enough digits to tell them apart", () => {
  expect([66, 1.5, 0.01234, 0, null].map(dollars)).toEqual(["$66.00", "$1.50", "$0.0123", "$0", "–"]);
});

test("numbers are grouped, or shortened where there is little room", () => {
  expect([1234567.4, 12, null].map(count)).toEqual(["1,234,567", "12", "–"]);
  const others = [-1234.5, -999, 999.5, 1e15, 1e16, 1e21, Number.POSITIVE_INFINITY, Number.NaN];
  expect(others.map(count)).toEqual(others.map((n) => Math.round(n).toLocaleString("en")));
  expect([940, 4_210, 1_300_000, undefined].map(short)).toEqual(["940", "4.2k", "1.3M", "–"]);
  expect([plural(1, "task"), plural(1200, "task")]).toEqual(["1 task", "1,200 tasks"]);
  expect([clause(1, "test", "pass"), clause(0, "edit", "are"), doing(1, "fail")]).toEqual([
    "1 test passes",
    "0 edits are",
    "1 fails",
  ]);
});
