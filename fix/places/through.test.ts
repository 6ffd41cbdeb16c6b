/** Which failing tests run what is to be repaired: by these alone it is judged. */

import { expect, test } from "vitest";
import { withoutAside } from "../own_file/likely_entries.ts";
import { Kinds } from "../project/kinds.ts";
import { placesForAll, testsThrough } from "./through.ts";

const failing = ["a", "b", "c"].map((name) => ({ name, status: "failed" as const, message: "" }));
const kinds = new Kinds({ files: ["lib.py", "test_lib.py"], text: () => null }, ["test_lib.py"], []);
const evidence = (lines: Record<string, Record<string, number[]>>) => ({
  ...{ issue: "", failure: "", folder: "", passing: [] },
  failing: Object.entries(lines).map(([test, lines]) => ({ test, lines })),
});
const place = { file: "lib.py", start: 1, end: 4 };
const names = (tests: readonly { name: string }[]) => tests.map(({ name }) => name);

test("a test that runs only other source is past a function, and one that was not watched is neither", () => {
  const ran = evidence({ a: { "lib.py": [2] }, b: { "lib.py": [9], "test_lib.py": [3] }, c: { "test_lib.py": [6] } });
  const { through, past } = testsThrough([place], { baseline: { failing, kinds }, evidence: ran });
  expect([names(through), names(past)]).toEqual([["a"], ["b"]]);
  expect(testsThrough([place], { baseline: { failing, kinds }, evidence: null })).toEqual({ through: [], past: [] });
});

test("an edit where some failing tests run and others do not cannot make all pass", () => {
  const other = { file: "lib.py", start: 8, end: 9 };
  const forAll = (lines: Record<string, number[]>, isCompiled = false) => {
    const ran = evidence(Object.fromEntries(Object.entries(lines).map(([name, of]) => [name, { "lib.py": of }])));
    return placesForAll([place, other], (one) => one, { baseline: { failing, kinds }, evidence: ran }, { isCompiled });
  };
  expect(forAll({ a: [2], b: [2, 9], c: [1] })).toEqual([place]);
  expect(forAll({ a: [2], b: [9] }), "each runs in one").toEqual([]);
  expect(forAll({ a: [20], b: [2] }), "what runs in none is not searched beside these").toEqual([]);
  expect(forAll({ a: [20], b: [21] }), "by its words, say").toEqual([place, other]);
  const inOne = { a: [2], b: [2], c: [2] };
  expect(forAll(inOne), "it may run before the tests begin").toEqual([place, other]);
  expect(forAll(inOne, true), "that would have been counted").toEqual([place]);
  expect(forAll({ a: [2], b: [2], c: [] }, true), "one was not watched").toEqual([place, other]);
});

test("tests that need not pass are not shown, but where others share their lines or a class would be empty", () => {
  const text =
    "def test_a():\n    assert a()\n\ndef test_b(x):\n    assert b(x)\n\nclass TestC:\n    def test_c(self):\n        pass\n";
  const named = (...all: string[]) =>
    all.map((name) => ({ name: `test_lib.py::${name}`, status: "failed" as const, message: "" }));
  const shown = (aside: string[], others: string[]) =>
    withoutAside(
      { path: "test_lib.py", text },
      { baseline: { aside: named(...aside), failing: named(...others), passing: [] } },
    );
  expect(shown(["test_a"], ["test_b[1]"])).toBe(text.split("\n").slice(2).join("\n"));
  expect(shown(["test_b[2]"], ["test_b[1]"])).toBe(text);
  expect(shown(["TestC::test_c"], ["test_a"])).toBe(text);
});
