import { expect, test } from "vitest";
import { bugs, outcome, planted } from "./javascript.ts";

const row = {
  task_id: "JavaScript/0",
  declaration: "const f = (a) => {\n",
  canonical_solution: "  let n = 0;\n  for (const x of a) n += x;\n  return n;\n}\n",
  buggy_solution: "  return 0;\n}\n",
  example_test: "console.assert(f([1, 2]) === 3)\n",
  test: "console.assert(f([5]) === 5)\n",
};
const right = row.declaration + row.canonical_solution;

test("bugs of every kind are planted; each is a program that its visible test tells from the right one", () => {
  expect(new Set(bugs(right).map(({ kind }) => kind))).toEqual(new Set(["delete", "constant", "operator", "name"]));
  const tasks = planted([row], 1);
  expect(tasks.length).toBeGreaterThanOrEqual(3);
  for (const { declaration, buggy_solution } of tasks)
    expect(outcome(`${declaration}${buggy_solution}${row.example_test}`)).not.toMatch(
      /^(?:ok|SyntaxError|ReferenceError)$/,
    );
  expect(outcome(right + row.example_test + row.test)).toBe("ok");
});

test("the same seed plants the same bugs", () => {
  expect(planted([row], 7)).toEqual(planted([row], 7));
});
