/** A pytest run that breaks down does not count, whatever it reported before. */
// @module-tag ci

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/command.ts";
import { hasPytest } from "../../testing/needs.ts";
import { ALSO_DEEP, quarter } from "../../testing/repeats.ts";
import { parseLines } from "../lines.ts";

const testPytest = test.skipIf(!(await hasPytest()));
const RUNNER = join(import.meta.dirname, "run_tests.py");
const TESTS = "def test_one():\n    assert 1\n\n\ndef test_two():\n    assert 0\n";
const raises = (hook: string) => `def ${hook}:\n    raise ValueError("no")\n`;

function reportOf(files: Record<string, string>, ...more: string[]) {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, "tests"));
  for (const [name, text] of Object.entries({ "tests/test_a.py": TESTS, ...files }))
    writeFileSync(join(folder.path, name), text);
  const results = join(folder.path, "results");
  spawnSync("python3", ["-B", RUNNER, "pytest", results, ...more, "tests"], { cwd: folder.path });
  return parseLines(readFileSync(results, "utf8"));
}

testPytest.each(
  quarter([
    ["pytest_configure(config)", "pytest_configure"],
    ["pytest_sessionstart(session)", "pytest_sessionstart"],
    ["pytest_collection_modifyitems(items)", "pytest_collection_modifyitems"],
    ["pytest_runtest_logreport(report)", "pytest_runtest_logreport"],
    ["pytest_sessionfinish(session)", "pytest_sessionfinish"],
    ["pytest_unconfigure(config)", "pytest_unconfigure"],
  ]),
)("a conftest.py that raises in %s", ALSO_DEEP, (hook, name) =>
  expect(reportOf({ "conftest.py": raises(hook) })?.broken).toBe(
    `INTERNALERROR> ValueError: no (${name} of conftest.py:2)`,
  ),
);

testPytest("a plugin is named as -p no: takes it", () => {
  const files = { "loud.py": raises("pytest_sessionfinish(session)") };
  expect(reportOf(files, "-p", "loud")?.broken).toBe(
    "INTERNALERROR> ValueError: no (pytest_sessionfinish of plugin loud: loud.py:2)",
  );
  expect(reportOf(files, "-p", "loud", "-p", "no:loud")).toMatchObject({ tests: [{}, {}] });
});

testPytest.each([
  [
    "an early exit",
    'import pytest\ndef pytest_runtest_logfinish():\n    pytest.exit("enough", 9)\n',
    /^pytest was ended by .*Exit: enough \(pytest_runtest_logfinish of conftest\.py:3\)$/,
  ],
  [
    "an exit code of its own",
    "def pytest_sessionfinish(session):\n    session.exitstatus = 7\n",
    /^pytest ended with exit code 7, which no result of tests has/,
  ],
  [
    "a wrong use",
    'import pytest\ndef pytest_sessionfinish():\n    raise pytest.UsageError("x")\n',
    /^pytest ended with exit code 4$/,
  ],
])("%s", (_, conftest, why) => expect(reportOf({ "conftest.py": conftest })?.broken).toMatch(why));

testPytest("tests that fail, are stopped at, or cannot be loaded are no breakdown", () => {
  expect(reportOf({})).toEqual({
    fatal: null,
    tests: [expect.anything(), expect.objectContaining({ status: "failed" })],
  });
  expect(reportOf({}, "-x")).not.toHaveProperty("broken");
  const unloaded = reportOf({ "tests/test_b.py": "import absent_package\n" });
  // What can be loaded runs all the same.
  expect(unloaded?.tests).toHaveLength(2);
  expect(unloaded?.fatal).toContain("absent_package");
});

testPytest("the first test alone, to see whether it works at all", () => {
  expect(reportOf({}, "--first-alone")?.tests.map(({ name }) => name)).toEqual(["tests/test_a.py::test_one"]);
});
