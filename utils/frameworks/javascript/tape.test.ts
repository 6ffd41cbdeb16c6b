import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/command.ts";
import { modulesWith } from "../../testing/modules.ts";
import { DEEP } from "../../testing/repeats.ts";
import { tape } from "./runners.ts";

const RUNNER = fileURLToPath(new URL("./runner/run_tape.cjs", import.meta.url));

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

test("tests by file and title: what passes, what fails and why, what is to do or skipped is no fail", DEEP, () => {
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
    { name: "test/b.js > one day", status: "skipped" },
  ]);
});

test("a program that ends early fails the running test; one without output is reported", DEEP, () => {
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

test("programs that only print as tape does: a title that occurs again has a number", () => {
  const twice = "# adds\nok 1 a\n# adds\nnot ok 2 b\n# adds\nok 3 c\n";
  expect(read({ "a.js": prints(twice, 1) }, "test/a.js").report?.tests).toMatchObject([
    { name: "test/a.js > adds", title: "adds", status: "passed" },
    { name: "test/a.js > adds (2)", title: "adds", status: "failed" },
    { name: "test/a.js > adds (3)", status: "passed" },
  ]);
});

const modules = modulesWith("tape");

test("tape itself: names are unique and stay, whatever is nested, commented or printed beside", (context) => {
  if (modules === null) return context.skip("tape is not installed (name a folder that has it in MEND_TEST_MODULES)");
  const program = `const test = require(${JSON.stringify(join(modules, "tape"))});
test("same", (t) => { t.equal(1, 1); t.end(); });
test("same", (t) => { t.comment("hello"); console.log("# took " + process.hrtime.bigint()); t.equal(1, 2, "one is two"); t.end(); });
test("outer", (t) => {
  t.test("inner", (s) => { s.ok(true); s.end(); });
  t.test("inner", (s) => { s.plan(1); s.deepEqual({ a: 1 }, { a: 2 }); });
  t.end();
});
test("other", (t) => { t.plan(2); t.ok(1); t.test("inner", (s) => { s.ok(true); s.end(); }); });
test("breaks", () => { setTimeout(() => { throw new Error("it broke"); }, 1); });
test("never runs", (t) => { t.ok(true); t.end(); });
`;
  const { report, status } = read({ "a.js": program }, "test/a.js");
  expect({ status, fatal: report?.fatal }).toEqual({ status: 1, fatal: null });
  expect(report?.tests).toMatchObject(
    [
      { name: "test/a.js > same", title: "same", status: "passed" },
      { name: "test/a.js > same (2)", title: "same", status: "failed", message: /one is two\nexpected: 2\nactual: 1/ },
      { name: "test/a.js > outer > inner", title: "inner", status: "passed" },
      { name: "test/a.js > outer > inner (2)", status: "failed", message: /expected: \{ a: 2 \}/ },
      { name: "test/a.js > other", status: "passed" },
      { name: "test/a.js > other > inner", status: "passed" },
      { name: "test/a.js > breaks", status: "failed", message: /it broke/ },
    ].map((one) => ("message" in one ? { ...one, message: expect.stringMatching(one.message ?? "") } : one)),
  );
});
