/** Wrong programs that tests which look less closely would take for right. */

import { describe, expect, test } from "vitest";
import { DEEP } from "../testing/repeats.ts";
import { openForTests } from "./testing/open.ts";

const sandbox = await openForTests();

describe("a StopIteration of the program does not end the tests", () => {
  const judge = (program: string, test: string) => sandbox.judge({ program, test, entryPoint: "f", timeoutMs: 5000 });
  const WRONG = "def f(x):\n    raise StopIteration\n";

  test.each([
    ["all over a map", "assert all(map(lambda case: f(case[0]) == case[1], [(1, 2), (5, 6)]))"],
    ["a loop over a map", "for result in map(f, [1, 5]):\n    assert result in (2, 6)"],
    ["an iterator that calls it", "for result in iter(lambda: f(1), None):\n    assert result == 2"],
  ])("%s", DEEP, async (_, test) => {
    const { outcome, explanation } = await judge(WRONG, test);
    expect({ outcome, explanation }).toEqual({
      outcome: "failed",
      explanation: expect.stringContaining("StopIteration"),
    });
  });

  test("tests that name it get it", async () => {
    const expected = "try: f(1)\nexcept StopIteration as stop: assert stop.value == 7\nelse: assert False";
    expect(await judge("def f(x):\n    raise StopIteration(7)\n", expected)).toMatchObject({ passed: true });
  });
});

describe("what is not plain is equal to nothing in JavaScript, however loosely it is compared", () => {
  const judge = (value: string, test: string) =>
    sandbox.judge({
      language: "javascript",
      program: `const f = () => (${value});`,
      test: `const assert = require("assert");\n${test}`,
      entryPoint: "f",
      timeoutMs: 10_000,
    });

  test.each([
    ["a function", "() => 1"],
    ["a promise", "Promise.resolve(3)"],
    ["a symbol", "Symbol('x')"],
    ["a regular expression", "/x/"],
  ])("%s", DEEP, async (_, value) => {
    for (const test of ["assert.deepEqual(f(), {});", "assert.deepEqual([f()], [{}]);", "assert.deepEqual(f(), f());"])
      expect(await judge(value, test)).toMatchObject({ outcome: "failed" });
  });

  test("handed back to the program it fails the tests: no program makes itself impossible to judge", async () => {
    const [first, second] = await Promise.all(["f(f());", "f(() => 1);"].map((test) => judge("() => 1", test)));
    expect(first).toMatchObject({ outcome: "failed", explanation: expect.stringContaining("not plain") });
    expect(second).toMatchObject({ outcome: "sandbox_error" });
  });

  test("a plain object is compared as ever", async () => {
    expect(await judge("{}", "assert.deepEqual(f(), {}); assert.deepEqual(f(), f());")).toMatchObject({ passed: true });
  });
});

test("an exception's name chooses among the errors of JavaScript, and nothing else", async () => {
  const program = "const f = () => { const error = new Error('x'); error.name = '__proto__'; throw error; };";
  const test = "try { f(); } catch (error) { console.assert(error.message === 'x' && error.name === '__proto__'); }";
  expect(
    await sandbox.judge({ language: "javascript", program, test, entryPoint: "f", timeoutMs: 10_000 }),
  ).toMatchObject({ passed: true });
});
