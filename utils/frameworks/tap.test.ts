import { expect, test } from "vitest";
import { DEEP } from "../testing/repeats.ts";
import { commandReport } from "./command_report.ts";
import { parseTap } from "./tap.ts";

const lines = (...all: string[]): string => `${all.join("\n")}\n`;
const told = (text: string, files = false) =>
  parseTap(text, files).tests.map(({ name, status }) => `${status} ${name}`);

/** As node-tap writes it to a file: files, tests in tests, what they assert. */
const NESTED = lines(
  "TAP version 14",
  "# Subtest: test/a.js",
  "    # Subtest: adds",
  "        ok 1 - should be equal",
  "        1..1",
  "    ok 1 - adds # time=2.377ms",
  "    ",
  "    # Subtest: outer",
  "        ok 1 - direct",
  "        # Subtest: inner",
  "            not ok 1 - one is two",
  "              ---",
  "              at:",
  "                line: 3",
  "              source: >",
  "                ok 7 - is no result",
  "              diff: |",
  "                -2",
  "                +1",
  "              ...",
  "            1..1",
  "            # failed 1 test",
  "        not ok 2 - inner # time=303.909ms",
  "        # Subtest: inner",
  "            ok 1 - not today # SKIP",
  "            not ok 2 - later # TODO",
  "            1..2",
  "        ok 3 - inner # time=0.839ms",
  "        1..3",
  "    not ok 2 - outer # time=408.048ms",
  "    ok 3 - skipped # SKIP why",
  "    ok 4 - should be equal",
  "    ok 5 - should be equal",
  "    1..5",
  "    # failed 1 of 5 tests",
  "not ok 1 - test/a.js # time=557.235ms",
  "  ---",
  "  exitCode: 1",
  "  ...",
  "",
  "# Subtest: test/c.js",
  "    1..0 # no tests found",
  "not ok 2 - test/c.js # time=672.885ms",
  "1..2",
  "# failed 2 of 2 tests",
);

test("nested tests have unique names; a file that fails as a whole is reported", () => {
  expect(told(NESTED, true)).toEqual([
    "passed test/a.js > adds",
    "failed test/a.js > outer > inner",
    "skipped test/a.js > outer > inner (2)",
    "passed test/a.js > outer",
    "skipped test/a.js > skipped",
    "passed test/a.js > should be equal",
    "passed test/a.js > should be equal (2)",
    "failed test/c.js",
  ]);
  const { tests, fatal, isSure, isPlanned } = parseTap(NESTED, true);
  expect(tests[1]).toMatchObject({ title: "inner", message: "one is two\nat:\nline: 3\ndiff: |\n-2\n+1" });
  expect({ fatal, isSure, isPlanned }).toEqual({ fatal: null, isSure: true, isPlanned: true });
});

test.each([
  [
    "mocha, QUnit, bats",
    lines("1..2", "ok 1 sum adds", "not ok 2 sum of # none", "# (in a.bats, line 3)", "# tests 2"),
  ],
  ["a version and titles with dashes", lines("TAP version 13", "ok 1 - sum adds", "not ok 2 - sum of # none", "1..2")],
  [
    "tests that announce themselves",
    lines(
      "TAP version 13",
      "# Subtest: sum adds",
      "ok 1 - sum adds",
      "  ---",
      "  duration_ms: 1",
      "  ...",
      "# Subtest: sum of # none",
      "not ok 2 - sum of # none",
      "1..2",
      "# suites 0",
      "# duration_ms 12.5",
    ),
  ],
  [
    "comments as titles",
    lines(
      "TAP version 13",
      "# sum adds",
      "ok 1 equal",
      "ok 2 equal",
      "# sum of # none",
      "ok 3 x",
      "not ok 4 y",
      "",
      "1..4",
      "# tests 4",
      "# pass  3",
      "# fail  1",
    ),
  ],
  [
    "tests that begin with their result",
    lines(
      "ok 1 - sum adds {",
      "    ok 1 - x",
      "    1..1",
      "}",
      "not ok 2 - sum of # none {",
      "    not ok 1 - x",
      "}",
      "1..2",
    ),
  ],
  [
    "lines of others around it",
    lines(
      "",
      "> p@1.0.0 test",
      "> made-up",
      "",
      "TAP version 13",
      "ok 1 - sum adds",
      "hello",
      "not ok 2 - sum of # none",
      "1..2",
      "okay",
    ),
  ],
])("%s", (_, text) => {
  const { tests, fatal, isSure } = parseTap(text);
  expect(tests.map(({ name, status }) => [name, status])).toEqual([
    ["sum adds", "passed"],
    ["sum of # none", "failed"],
  ]);
  expect({ fatal, isSure }).toEqual({ fatal: null, isSure: true });
});

test("a report that is cut off, given up, or lacks tests is incomplete", () => {
  expect(parseTap(lines("TAP version 13", "1..3", "ok 1 a"))).toMatchObject({ fatal: "only 1 of 3 tests ran" });
  expect(parseTap(lines("TAP version 13", "ok 1 a", "Bail out! no more"))).toMatchObject({
    fatal: "Bail out! no more",
  });
  const cut = lines("TAP version 14", "# Subtest: outer", "    # Subtest: inner", "        ok 1 - x");
  expect(parseTap(cut)).toMatchObject({
    isPlanned: false,
    underWay: { name: "outer > inner", title: "inner" },
    tests: [{ name: "outer > inner", status: "passed" }],
  });
});

test.each(["", "ok", "all is ok 1\n", "ok 1 of 3 done\nnot ok\n", "# title\n", "1..3\n", "# Subtest: x\n"])(
  "%j is nothing that is surely TAP",
  (text) => {
    expect(parseTap(text).isSure).toBe(false);
  },
);

test("hostile texts cost little: endless indentation, many tests, no end of a diagnostic", DEEP, () => {
  const deep = Array.from({ length: 3000 }, (_, i) => `${" ".repeat(4 * i)}# Subtest: x\n${" ".repeat(4 * i)}ok 1 - x`);
  expect(parseTap(deep.join("\n")).tests.length).toBeLessThan(100);
  const many = Array.from({ length: 150_000 }, (_, i) => `ok ${i} same`);
  expect(parseTap([...many, "  ---", ...many].join("\n")).tests.at(-1)?.name).toBe("same (150000)");
});

test("a command is judged by its TAP and its exit code together, else by its exit code alone", () => {
  const ended = (stdout: string, exitCode: number | null) => commandReport("npx it", { stdout, exitCode }, "it said");
  const passes = lines("TAP version 13", "ok 1 - a", "ok 2 - b", "1..2");
  expect(ended(passes, 0)).toMatchObject({ fatal: null, tests: [{ name: "a" }, { name: "b", status: "passed" }] });
  expect(ended(passes, 1)).toMatchObject({ fatal: "npx it ended with exit code 1" });
  expect(ended(passes.replace("1..2\n", ""), 0).fatal).toMatch(/before it told/);
  const early = lines("TAP version 13", "# a", "ok 1 x", "# b");
  expect(ended(early, 7).tests).toMatchObject([
    { name: "a", status: "passed" },
    { name: "b", status: "failed", message: "npx it ended with exit code 7" },
  ]);
  expect(ended("fine\n", 0)).toEqual({ fatal: null, tests: [{ name: "npx it", status: "passed", message: "" }] });
  expect(ended("bad\n", 3).tests).toMatchObject([{ status: "failed", message: "exit code 3\nit said" }]);
  expect(ended("bad\n", null).tests).toMatchObject([{ status: "failed", message: "exit code unknown\nit said" }]);
});
