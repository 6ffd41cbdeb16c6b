import { expect, test } from "vitest";
import { matcher } from "./match.ts";

/** @param most the largest position in the file; -1 if it has ids */
function matched(order: string[], name: string | number, most = typeof name === "number" ? name : -1) {
  const match = matcher({ order, tasks: [] }, most < 0 ? [] : [{ position: most }]);
  if (typeof match !== "function") return match.problem;
  return match(typeof name === "number" ? { position: name } : { id: name });
}

test.each([
  ["Python/1", "Python/1"],
  ["python/1", "Python/1"],
  ["HumanEval/1", "Python/1"],
  ["HumanEval_1", "Python/1"],
  ["1", "Python/1"],
  ["HumanEval/9", undefined],
  ["JavaScript/1", undefined],
  ["Mbpp/1", undefined],
  ["HumanEval/2", "Python/2"],
])("the id %s is %s", (id, expected) => {
  expect(matched(["Python/0", "Python/1", "Python/2"], id)).toBe(expected);
});

test("numbers name no task where a dataset has them in two languages", () => {
  const both = ["Python/1", "Go/1"];
  expect(matched(both, "HumanEval/1")).toBeUndefined();
  expect(matched(both, "1")).toBeUndefined();
  expect(matched(both, "Go/1")).toBe("Go/1");
  expect(matched(["Go/1"], "1")).toBe("Go/1");
  expect(matched(["HumanEval/1"], "Python/1")).toBe("HumanEval/1");
  expect(matched(["Go/1"], "HumanEval/1")).toBe("Go/1");
  expect(matched(["Builtin/1"], "HumanEval/1")).toBeUndefined();
});

test("a position is a row of the file", () => {
  const whole = ["Python/0", "line 2", "Python/2"];
  expect([0, 1, 2].map((position) => matched(whole, position, 2))).toEqual(whole);
  expect(matched(whole, 0, 3)).toMatch(/4 lists .* 3 rows: give the dataset/);
});

test("of a part of a dataset a position is the number of its ids, or a row if there are as many", () => {
  const part = ["Python/2", "Python/5"];
  expect(matched(part, 5, 163)).toBe("Python/5");
  expect(matched(part, 4, 163)).toBeUndefined();
  expect(matched(part, 1, 1)).toBe("Python/5");
  expect(matched(part, 2, 2)).toMatch(/3 lists .* 2 rows/);
  expect(matched(["Python/2", "Go/2", "Go/5"], 2, 163)).toBeUndefined();
});
