import { expect, test } from "vitest";
import { failsLine, uncompared } from "./render.ts";

test("functions that were left where one was repaired with its file alone are named, the first three", () => {
  const place = { name: "due" };
  expect(uncompared({ place, unsearched: ["total"] })).toEqual(["only edits of due were tried, not those of total"]);
  const [line] = uncompared({ place, unsearched: ["a", "b", "c", "d", "e"] });
  expect(line).toBe("only edits of due were tried, not those of a, b, c and 2 more");
});

test("no doubt without another function, or if all were tried together", () => {
  expect(uncompared({ place: { name: "due" }, unsearched: [] })).toEqual([]);
  expect(uncompared({ unsearched: ["total"] })).toEqual([]);
});

test("the reason of a failing test goes on behind a colon", () => {
  const message = "Expected values to be strictly equal:\n\n10 !== 0\n\n    at low.test.js:3";
  expect(failsLine({ name: "low", message })).toMatch(/ low: Expected values to be strictly equal: 10 !== 0$/);
  expect(failsLine({ name: "low", message: "10 is not 0\nat low.test.js:3" })).toMatch(/ low: 10 is not 0$/);
});
