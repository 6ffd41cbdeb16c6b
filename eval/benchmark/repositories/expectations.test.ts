import { expect, test } from "vitest";
import type { TestResult, TestStatus } from "../../../utils/frameworks/framework.ts";
import { expectedOf } from "./expectations.ts";

const FILE = "test/a.js";
const one = (name: string, status: TestStatus): TestResult => ({
  ...{ name: `${FILE} > ${name}`, title: name.replace(/ \(\d\)$|^.* > /g, ""), status, file: FILE },
  message: status === "passed" ? "" : "should be equal\nexpected: 3",
});
/** @param ends of each test before the fix and with it; null: it is not there */
function compared(
  ends: Record<string, [TestStatus | null, TestStatus | null]>,
  failToPass: string[],
  passToPass: string[] = [],
) {
  const run = (at: 0 | 1) =>
    new Map(
      Object.entries(ends).flatMap(([name, both]) => {
        const status = both[at];
        return status === null ? [] : [[`${FILE} > ${name}`, one(name, status)] as const];
      }),
    );
  const found = expectedOf({ failToPass, passToPass }, { before: run(0), after: run(1) });
  if (typeof found === "string") return found;
  const names = (tests: readonly TestResult[]) => tests.map(({ name }) => name.replace(`${FILE} > `, ""));
  return { failing: names(found.failing), passing: names(found.passing), remark: found.remark };
}

const FIXED = ["failed", "passed"] as [TestStatus, TestStatus];
const STAYS = ["passed", "passed"] as [TestStatus, TestStatus];
const BROKEN = ["failed", "failed"] as [TestStatus, TestStatus];
const NEW = [null, "passed"] as [null, TestStatus];

test("names that the run has itself", () => {
  const ends = { a: FIXED, b: STAYS, c: STAYS };
  expect(compared(ends, [`${FILE} > a`], [`${FILE} > b`])).toEqual({ failing: ["a"], passing: ["b"], remark: "" });
});

test("tests with the same title are matched by how they end", () => {
  const ends = { works: STAYS, "works (2)": FIXED };
  const both = { failing: ["works (2)"], passing: ["works"], remark: "" };
  expect(compared(ends, [`${FILE} > works`], [`${FILE} > works`])).toEqual(both);
  expect(compared(ends, ["works"])).toEqual(both);
  expect(compared({ works: FIXED, "works (2)": BROKEN }, ["works"])).toMatchObject({ failing: ["works"], passing: [] });
});

test("a name of PASS_TO_PASS may mean a part of a test that is repaired", () => {
  expect(compared({ "outer > inner": FIXED }, ["inner"], ["outer"])).toEqual({
    ...{ failing: ["outer > inner"], passing: [], remark: "" },
  });
});

test("tests that are not there before the fix have their names from the run with it", () => {
  expect(compared({ a: NEW, b: STAYS }, ["a"], ["b"])).toEqual({ failing: ["a"], passing: ["b"], remark: "" });
});

test("where a name means no test, tests that end in this way and have no name stand in for it", () => {
  const ends = { a: FIXED, b: STAYS, c: BROKEN };
  const found = compared(ends, ["first"], ["second", "third"]);
  expect(found).toMatchObject({ failing: ["a"], passing: ["b"] });
  expect(found).toMatchObject({
    remark:
      '"first", "second", "third" with the developer\'s patch expected passed, got no such test; ' +
      "2 other tests stand in for what is not there",
  });
  // Tests that a name means stand in for no other.
  expect(compared({ a: FIXED, b: FIXED }, ["a", "gone"])).toMatchObject({ failing: ["a", "b"] });
  expect(compared({ a: FIXED, b: STAYS }, ["a", "gone"])).toMatchObject({
    ...{ failing: ["a"], passing: [] },
    remark: '"gone" with the developer\'s patch expected passed, got no such test',
  });
});

test("what ends otherwise than the row says is named, and the rest counts", () => {
  const ends = {
    a: FIXED,
    still: STAYS,
    never: BROKEN,
    bad: BROKEN,
    worse: ["passed", "failed"] as [TestStatus, TestStatus],
  };
  expect(compared(ends, ["a", "still", "never"], ["bad", "worse"])).toEqual({
    failing: ["a"],
    passing: [],
    remark:
      '"still" (test/a.js > still) expected failed, got passed; ' +
      '"never" (test/a.js > never), "worse" (test/a.js > worse) with the developer\'s patch expected passed, ' +
      'got failed (should be equal); "bad" (test/a.js > bad) expected passed, got failed (should be equal)',
  });
});

test("a test that is skipped both times is ignored", () => {
  expect(compared({ a: FIXED, b: ["skipped", "skipped"] }, ["a"], ["b"])).toEqual({
    ...{ failing: ["a"], passing: [], remark: "" },
  });
});

test("a row is refused if none of its tests fails before the fix and passes with it", () => {
  expect(compared({ a: STAYS, b: STAYS }, ["a"], ["b"])).toBe('"a" (test/a.js > a) expected failed, got passed');
  expect(compared({ a: BROKEN }, ["a"])).toMatch(/^"a" .* with the developer's patch expected passed, got failed/);
  expect(compared({ b: STAYS }, ["gone"])).toMatch(/^"gone" with .* got no such test$/);
  // A test of PASS_TO_PASS that fails before the fix is not a test of FAIL_TO_PASS.
  expect(compared({ a: STAYS, b: FIXED }, ["a"], ["b"])).toBe(
    '"a" (test/a.js > a) expected failed, got passed; "b" (test/a.js > b) expected passed, got failed (should be equal)',
  );
});

test("a finding that several tests share is named once, behind their names, and the rest is counted", () => {
  const ends = Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [name, STAYS] as const));
  expect(compared({ ...ends, f: FIXED }, ["f", "a", "b", "c", "d", "e"])).toMatchObject({
    remark: '"a" (test/a.js > a), "b" (test/a.js > b), "c" (test/a.js > c) and 2 more expected failed, got passed',
  });
});
