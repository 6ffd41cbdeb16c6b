/** What the runner of Python's tests says of those that fail. */
// @module-tag ci

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/command.ts";
import { hasPytest } from "../../testing/needs.ts";
import { parseLines } from "../lines.ts";

const RUNNER = join(import.meta.dirname, "run_tests.py");

function reportOf(kind: "doctest" | "pytest", name: string, text: string) {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, name), text);
  const results = join(folder.path, "results");
  spawnSync("python3", ["-B", RUNNER, kind, results, name], { cwd: folder.path });
  return parseLines(readFileSync(results, "utf8").replaceAll(folder.path, "PLACE"));
}

test("an example of a docstring says what was expected and what came", () => {
  const report = reportOf(
    "doctest",
    "half.py",
    'def half(x):\n    """\n    >>> half(4)\n    2.0\n    """\n    return x * 2\n',
  );
  expect(report?.tests.map(({ message }) => message.split("\n").slice(1))).toEqual([
    ["Failed example: half(4)", "Expected: 2.0", "Got: 8"],
  ]);
});

test.skipIf(!(await hasPytest()))("a file that cannot be loaded says why, without pytest's own words", () => {
  const report = reportOf("pytest", "test_half.py", "from math import half\n");
  expect(report?.fatal?.split("\n")).toEqual([
    "ImportError while importing test module 'PLACE/test_half.py'.",
    "test_half.py:1: in <module>",
    "    from math import half",
    expect.stringMatching(/^E {3}ImportError: cannot import name 'half' from 'math'/),
  ]);
});
