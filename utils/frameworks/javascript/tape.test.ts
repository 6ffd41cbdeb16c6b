import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/command.ts";
import { tape } from "./runners.ts";

const RUNNER = fileURLToPath(new URL("./run_tape.cjs", import.meta.url));

/** What tape prints, written by programs that end as its tests do. */
function read(programs: Record<string, string>, ...patterns: string[]) {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, "test"));
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder.path, "test", name), text);
  const results = join(folder.path, "results");
  const { status } = spawnSync(process.execPath, [RUNNER, results, ...patterns], { cwd: folder.path });
  return { status, report: tape.parseResults(readFileSync(results, "utf8")) };
}

const prints = (text: string, code = 0) => `process.stdout.write(${JSON.stringify(text)}); process.exitCode = ${code};`;
const PASSES =
  "TAP version 13\n# adds\nok 1 should be strictly equal\nok 2 again\n# says 3\nok 3 (unnamed assert)\n\n1..3\n# tests 3\n# pass  3\n\n# ok\n";
const FAILS =
  "TAP version 13\n# adds\nok 1 first\nnot ok 2 should be strictly equal\n  ---\n    operator: equal\n    expected: 3\n    actual:   4\n    at: Test.<anonymous> (test/b.js:5:5)\n  ...\n# SKIP later\n# one day\nnot ok 3 not yet # TODO\n\n1..3\n# tests 3\n# pass  2\n# fail  1\n";

test("tests by file and title: what passes, what fails and why, what is to do or skipped is no fail", () => {
  const { status, report } = read({ "a.js": prints(PASSES), "b.js": prints(FAILS, 1) }, "test/*.js");
  expect(status).toBe(1);
  expect(report?.fatal).toBeNull();
  expect(report?.tests).toMatchObject([
    { name: "test/a.js > adds", status: "passed", file: "test/a.js" },
    { name: "test/a.js > says 3", status: "passed" },
    {
      name: "test/b.js > adds",
      status: "failed",
      message: expect.stringMatching(/strictly equal[\s\S]*expected: 3[\s\S]*actual: {3}4/),
    },
    { name: "test/b.js > one day", status: "passed" },
  ]);
});

test("a program that ends early fails the test under way; one that says nothing is told of", () => {
  const early = `${prints("TAP version 13\n# adds\nok 1 first\n")} throw new Error("it broke");`;
  const { report } = read({ "a.js": early, "b.js": 'throw new Error("no module");' }, "test/a.js", "./test/b.js");
  expect(report?.tests).toMatchObject([
    { name: "test/a.js > adds", status: "failed", message: expect.stringContaining("it broke") },
  ]);
  expect(report?.fatal).toMatch(/^test\/b\.js: .*/);
  expect(read({ "a.js": "" }, "test/a.js")).toMatchObject({ report: { fatal: "no tests were found", tests: [] } });
});

test("patterns take folders below, and no installed package", () => {
  const { report } = read({ "a.js": prints(PASSES) }, "**/*.js");
  expect(report?.tests).toHaveLength(2);
});
