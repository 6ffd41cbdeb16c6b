/** Which statements of visible tests become checks. */

import { expect, test } from "vitest";
import { DEEP } from "../../testing/repeats.ts";
import { printedInEngine } from "./testing/searches.ts";

/** The text of each check. */
const checksOf = (tests: string, entry: string): string[] =>
  JSON.parse(
    printedInEngine(`const { checks } = readTests(${JSON.stringify(tests)}, ${JSON.stringify(entry)});
      console.log(JSON.stringify(checks.map(({ text }) => text)));`),
  );

const lines = (...all: string[]): string => all.join("\n");

test("each assertion of the function is a check of its own, and what is done with its value is one", DEEP, () => {
  const tests = `const assert = require("node:assert");
    const data = [1, 2];
    assert.equal(f(data), 3);
    assert.equal(f([]), 0);
    const result = f([4]);
    assert.equal(result, 4);`;
  expect(checksOf(tests, "f")).toEqual([
    "assert.equal(f(data), 3);",
    "assert.equal(f([]), 0);",
    lines("const result = f([4]);", "assert.equal(result, 4);"),
  ]);
});

test("an assertion about a changed argument or a callback stays in one check with the call", () => {
  const tests = `import { test } from "node:test";
    test("sorts in its place", () => {
      const list = [2, 1];
      order(list);
      assert.deepEqual(list, [1, 2]);
      assert.equal(order([]), undefined);
    });
    test("calls back", () => {
      const seen = [];
      const tell = (value) => seen.push(value);
      order([3], tell);
      assert.deepEqual(seen, [3]);
    });`;
  expect(checksOf(tests, "order")).toEqual([
    "assert.equal(order([]), undefined);",
    lines("const list = [2, 1];", "order(list);", "assert.deepEqual(list, [1, 2]);"),
    lines(
      "const seen = [];",
      "const tell = (value) => seen.push(value);",
      "order([3], tell);",
      "assert.deepEqual(seen, [3]);",
    ),
  ]);
});

test("what happens between the steps of a test happens there", () => {
  const tests = `test("ends", () => {
      let time = 100;
      const seen = [];
      const box = new Box(() => time, seen).set("a", 5);
      assert.equal(box.get("a"), 5);
      time = 105;
      clock.tick(5);
      const expected = [];
      assert.equal(box.get("a"), undefined);
      assert.equal(new Box(() => time).size, 0);
    });`;
  expect(checksOf(tests, "Box")).toEqual([
    lines(
      "let time = 100;",
      "const seen = [];",
      "const expected = [];",
      'const box = new Box(() => time, seen).set("a", 5);',
      'assert.equal(box.get("a"), 5);',
      "time = 105;",
      "clock.tick(5);",
      'assert.equal(box.get("a"), undefined);',
      "assert.equal(new Box(() => time).size, 0);",
    ),
  ]);
});

test("what is made before each test is asserted of in each", () => {
  const tests = `describe("Stack", () => {
      let stack;
      beforeEach(() => {
        stack = new Stack();
      });
      it("gives the last one", () => {
        stack.push(1);
        expect(stack.pop()).toBe(1);
      });
      it("begins empty", () => {
        expect(stack.size).toBe(0);
      });
    });`;
  const made = lines("let stack;", "stack = new Stack();");
  expect(checksOf(tests, "Stack")).toEqual([
    lines(made, "stack.push(1);", "expect(stack.pop()).toBe(1);"),
    lines(made, "expect(stack.size).toBe(0);"),
  ]);
});

test("an assertion about nothing that a test has made is not a check", () => {
  const tests = `import { expect } from "vitest";
    expect.assertions(1);
    console.assert(1 === 1);
    expect(f(1)).toBe(2);`;
  expect(checksOf(tests, "f")).toEqual(["expect(f(1)).toBe(2);"]);
});
