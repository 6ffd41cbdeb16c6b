import { expect, test } from "vitest";
import { unifiedDiff } from "../../utils/base/text/diff.ts";
import { chosenOf } from "./conclude.ts";
import { changesIn, failsLine, uncompared } from "./render.ts";

test("functions that were left where one was repaired with its file alone are named, the first three", () => {
  const place = { name: "due" };
  expect(uncompared({ place, unsearched: ["total"] })).toEqual(["only edits of due were compared, not those of total"]);
  const [line] = uncompared({ place, unsearched: ["a", "b", "c", "d", "e"] });
  expect(line).toBe("only edits of due were compared, not those of a, b, c and 2 more");
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

test("of a difference the changes, each with its line and a line around it", () => {
  const before = "a\nb\nc\n\nd\ne\nf\ng\nh\ni\nj\n";
  const after = before.replace("b\n", "B\n").replace("i\n", "i\nnew\n").replace("d\n", "");
  expect(changesIn(unifiedDiff("x.py", before, after))).toEqual([
    ...["line 2:", " a", "-b", "+B", " c"],
    ...["line 5:", "-d", " e"],
    ...["line 10:", " i", "+new", " j"],
  ]);
});

test("one is chosen by its number, and there has to be one", () => {
  expect(chosenOf(["a", "b", "c"], 2)).toEqual(["b", ["a", "c"]]);
  expect(() => chosenOf(["a", "b"], 3)).toThrow("--choose 3: there are 2 patches: choose a number from 1 to 2.");
  expect(() => chosenOf(["a"], 2)).toThrow("--choose 2: there is one patch: choose a number from 1 to 1.");
});
