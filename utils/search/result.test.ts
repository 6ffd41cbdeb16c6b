import { expect, test } from "vitest";
import { applyEdit, changedLines, describeEdit, onlyRemoves } from "./result.ts";

test("splices are applied by code points, in any order, and may insert at one place", () => {
  const edit: [number, number, string][] = [
    [3, 4, "Y"],
    [1, 2, "X"],
    [5, 5, "!"],
  ];
  expect(applyEdit("😀a😀b", edit)).toBe("😀X😀Y!");
});

test.each([
  ["return f(x)\n", "return x\n", true],
  ["x += 2\nreturn x\n", "return x\n", true],
  ["while x:\n    x += 2\n", "while x:\n    pass\n", true],
  ["break;\nreturn x;\n", "return x;\n", true],
  ["return text.trim();\n", "return text;\n", true],
  ["return x + 1\n", "return x\n", false],
  ["return !x;\n", "return x;\n", false],
  ["return f(x)\n", "return g(x)\n", false],
  ["return f(x) + 1\n", "return x - 1\n", false],
  ["return x\n", "return f(x)\n", false],
])("of %j and %j: whether a call or a statement is taken away and nothing written is %s", (before, after, removes) => {
  expect(onlyRemoves(before, after)).toBe(removes);
});

test.each([
  ["if x < 0:\n    return 1\n", "if x > 0:\n    return 1\n", "line 1: if x < 0: → if x > 0:"],
  ["a\n  b;\n", "a\n  b;\n  c;\n", "line 3: adds c;"],
  ["a\n  b;\n  c;\n", "a\n  c;\n", "line 2: removes b;"],
  ["a = 1\nb = 2\nc = 3\n", "a = 2\nb = 2\nc = 1\n", "line 1: a = 1 … c = 3 → a = 2 … c = 1"],
  ["x = a\n", "if a:\n    x = a\n", "line 1: x = a → if a: x = a"],
  [
    `const total = ${"price + ".repeat(12)}tax - fee;\n`,
    `const total = ${"price + ".repeat(12)}tax + fee;\n`,
    "line 1: …price + price + tax - fee; → …price + price + tax + fee;",
  ],
])("an edit is shown as the lines that it changes: %j, %j", (before, after, shown) => {
  expect(describeEdit(changedLines(before, after))).toBe(shown);
});
