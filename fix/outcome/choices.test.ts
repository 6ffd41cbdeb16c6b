import { expect, test } from "vitest";
import { unifiedDiff } from "../../utils/base/text/diff.ts";
import { changesIn, chosenOf } from "./choices.ts";

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
  expect(() => chosenOf(["a", "b"], 3)).toThrow("--choose 3: 2 edits pass: choose a number from 1 to 2.");
  expect(() => chosenOf(["a"], 2)).toThrow("--choose 2: one edit passes: choose a number from 1 to 1.");
});
