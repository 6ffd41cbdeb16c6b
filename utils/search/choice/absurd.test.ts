import { expect, test } from "vitest";
import { withoutAbsurd } from "./absurd.ts";

const kept = (before: string, edits: readonly string[], prose = "") =>
  withoutAbsurd(edits, (after) => ({ before, after }), prose);

test.each([
  ["return f(a.name);", ['return f((a ?? "").name);'], ["return f((a ?? 0).name);"]],
  ["return f(a);", ["return f(b);"], ["return f(a || new TypeError('no'));"]],
  ["return a == b", ["return a != b"], ["return a or ValueError('no')"]],
  ["return a === b;", ["return a !== b;"], ["return a === NaN;", "return a === [];"]],
  ["return Math.round(a / 3);", ["return Math.ceil(a / 3);"], ["return Math.round(Math.ceil(a / 3));"]],
  ["return n // 2 + 1", ["return n // 2"], ["return n // 2 + 0", "return n // 1 + 1"]],
  ["return abs(a)", ["return abs(b)"], ["return abs(abs(a))"]],
  ["return points > 50", ["return points > 49"], ["return points > 50 or points % 2 == 0"]],
])("an absurd edit is left out beside other edits: %s", (before, usual, absurd) => {
  expect(kept(before, [...absurd, ...usual])).toEqual(usual);
  expect(kept(before, absurd), "where nothing else passes").toEqual(absurd);
});

test("what the program or its user speaks of is not absurd", () => {
  const edits = ["return n > 50", "return n > 50 or n % 2 == 0"];
  expect(kept("return n > 49", edits, "Whether the number is odd.")).toEqual(edits);
  expect(kept("return n % 2 == 1 or n > 50", edits)).toEqual(edits);
});
