import { expect, test } from "vitest";
import { applyEdit, onlyRemoves } from "./result.ts";

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
