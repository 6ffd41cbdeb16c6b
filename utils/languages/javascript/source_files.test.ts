/** Which lines of a file of tests belong to a test. */

import { expect, test } from "vitest";
import { LANGUAGES } from "../registry.ts";

const { testLines } = LANGUAGES.javascript.files;
const TEXT = `test("one line", () => assert.equal(f(1), 2));
test("several", () => {
  assert.equal(f(2), 3);
});
test("the last", () => assert.equal(f(3), 4));
`;

test("a test on one line takes no other along, and one of several ends with its brace", () => {
  expect(testLines(TEXT, "one line")).toEqual({ start: 1, end: 1 });
  expect(testLines(TEXT, "several")).toEqual({ start: 2, end: 4 });
  expect(testLines(TEXT, "a file > the last")).toEqual({ start: 5, end: 5 });
  expect(testLines(TEXT, "another")).toBe(null);
});
