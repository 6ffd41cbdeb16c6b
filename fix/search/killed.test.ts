/** What has passed stays known where a search is ended in the middle, in the box. */
// @module-tag deep

import { afterAll, expect, test } from "vitest";
import { renderOutcome } from "../outcome/render.ts";
import { limitSearches, searchRepository } from "../testing/search.ts";

afterAll(limitSearches());

// Once an edit has passed, the next run of the tests does this: the search is in the middle then, however slow the machine.
const KILLS = "os.kill(os.getppid(), 9)";
const WAITS = "time.sleep(900)";
const inPython = (then: string) => ({
  "half.py": "def half(x):\n    return x / 3\n",
  "test_half.py": `import os
import time
from half import half


def test_half():
    if os.path.exists("passed"):
        ${then}
    assert [half(x) for x in (2, 6, 8)] == [1, 3, 4]


def test_zero():
    assert half(0) == 0
    if half(4) == 2:
        open("passed", "w").close()
`,
});

const MOCHA = {
  "package.json": '{ "devDependencies": { "mocha": "*" } }',
  "half.js": "exports.half = function half(x) {\n  return x / 3;\n};\n",
  "half.test.js": `const assert = require("node:assert");
const { execSync } = require("node:child_process");
const fs = require("node:fs");
const { half } = require("./half.js");
it("halves", () => {
  if (fs.existsSync("passed")) execSync(\`kill -9 \${process.pid}\`);
  assert.deepStrictEqual([2, 6, 8].map((x) => half(x)), [1, 3, 4]);
});
it("zero", () => {
  assert.strictEqual(half(0), 0);
  if (half(4) === 2) fs.writeFileSync("passed", "");
});
`,
};

test.each([
  ["pytest", inPython(KILLS), "pytest", "+    return x / 2"],
  ["mocha", MOCHA, "mocha half.test.js", "+  return x / 2;"],
])("%s: a search that is killed after its first pass keeps that edit", async (_, files, command, line) => {
  const { outcome, observations } = await searchRepository(files, { test: command, modules: files === MOCHA });
  expect(observations[0]).toMatch(/^1 edit passes\n.* half: its search did not come to its end$/m);
  expect(outcome).toMatchObject({
    outcome: "suggestion",
    doubts: expect.arrayContaining([expect.stringMatching(/not all/)]),
  });
  expect(outcome.diff).toContain(line);
});

test("an edit that has passed is in what an interruption leaves", async () => {
  const stop = new AbortController();
  const { outcome } = await searchRepository(inPython(WAITS), {
    test: "pytest",
    signal: stop.signal,
    say: (line) => {
      if (line.startsWith("passes: ")) stop.abort(new Error("interrupted"));
    },
  });
  expect(outcome).toMatchObject({ outcome: "interrupted", diff: expect.stringContaining("+    return x / 2") });
  expect(outcome.doubts).toEqual([expect.stringContaining("stopped")]);
  expect(renderOutcome(outcome)).toMatch(/^interrupted: the tests pass with this patch, which is a suggestion/m);
});
