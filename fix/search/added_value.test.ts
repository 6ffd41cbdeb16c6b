import { expect, test } from "vitest";
import { addedValue } from "./added_value.ts";

const CODE = "def add(self, item):\n    if item < 0:\n        return\n    self.items.append(item)\n";

test.each([
  ["a condition more", CODE.replace("    self", "    if item > 1:\n        self"), "item > 1"],
  ["one more in a condition", CODE.replace("item < 0", "item < 0 or item == 7"), "item == 7"],
  ["another value in a condition", CODE.replace("item < 0", "item < 1"), null],
  ["a number more to calculate with", CODE.replace("append(item)", "append(item * 2)"), "* 2"],
  ["one more", CODE.replace("append(item)", "append(item + 1)"), null],
  ["another operator", CODE.replace("<", "<="), null],
  ["another statement", CODE.replace("append(item)", "append(-item)"), null],
  ["the same condition once more", CODE.replace("    self", "    if item < 0:\n        self"), null],
])("%s is recognised by its text", (_, after, condition) => {
  const said = addedValue([{ file: "bag.py", before: CODE, after }]);
  if (condition === null) expect(said).toBeNull();
  else expect(said).toContain(`\`${condition}\``);
});
