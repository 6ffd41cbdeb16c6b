/** What has passed stays known where a search is ended in the middle, in the box. */
// @module-tag deep

import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSandbox } from "../../../utils/sandbox/sandbox.ts";
import type { Sandbox } from "../../../utils/sandbox/types.ts";
import { limitSearches, searchRepository } from "../testing/search.ts";

let sandbox: Sandbox;
let unlimited: () => void;
beforeAll(async () => {
  unlimited = limitSearches();
  sandbox = await openSandbox({ concurrency: 1 });
});
afterAll(async () => {
  unlimited();
  await sandbox?.close();
});

// Once an edit has passed, the tests wait: the search is in the middle then, however slow the machine.
const PYTHON = {
  "half.py": "def half(x):\n    return x / 3\n",
  "test_half.py": `import os
import time
from half import half


def test_half():
    if os.path.exists("passed"):
        time.sleep(900)
    assert [half(x) for x in (2, 6, 8)] == [1, 3, 4]


def test_zero():
    assert half(0) == 0
    if half(4) == 2:
        open("passed", "w").close()
`,
};

const MOCHA = {
  "package.json": '{ "devDependencies": { "mocha": "*" } }',
  "half.js": "exports.half = function half(x) {\n  return x / 3;\n};\n",
  "half.test.js": `const assert = require("node:assert");
const fs = require("node:fs");
const { half } = require("./half.js");
it("halves", () => {
  if (fs.existsSync("passed")) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  assert.deepStrictEqual([2, 6, 8].map((x) => half(x)), [1, 3, 4]);
});
it("zero", () => {
  assert.strictEqual(half(0), 0);
  if (half(4) === 2) fs.writeFileSync("passed", "");
});
`,
};

/** Ends the processes of ours that this file runs in. */
function kill(script: string): number {
  const numbers = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const read = (pid: string, name: string) => {
    try {
      return readFileSync(`/proc/${pid}/${name}`, "utf8");
    } catch {
      return "";
    }
  };
  const parentOf = (pid: string) => / \S (\d+) /.exec(read(pid, "stat").replace(/^.*\)/s, ")"))?.[1] ?? "0";
  const isOurs = (pid: string): boolean => pid === String(process.pid) || (Number(pid) > 1 && isOurs(parentOf(pid)));
  const found = numbers.filter((pid) => {
    const [, option, file = ""] = read(pid, "cmdline").split("\0");
    return /^-[rB]$/.test(option ?? "") && file.endsWith(script) && isOurs(pid);
  });
  for (const pid of found) process.kill(Number(pid), "SIGKILL");
  return found.length;
}

test.each([
  ["pytest", PYTHON, "pytest", "/search.py", "+    return x / 2"],
  ["mocha", MOCHA, "mocha half.test.js", "/warm_mocha.cjs", "+  return x / 2;"],
])("%s: a search that is killed after its first pass keeps that edit", async (_, files, command, script, line) => {
  let killed = 0;
  const { outcome, observations } = await searchRepository(files, {
    sandbox,
    test: command,
    modules: files === MOCHA,
    say: (said) => {
      if (said.startsWith("passes: ") && killed === 0) killed = kill(script);
    },
  });
  expect(killed).toBeGreaterThan(0);
  expect(observations[0]).toMatch(/^1 edits pass\n.* half: its search did not come to its end$/m);
  expect(outcome).toMatchObject({ outcome: "fixed", is_suggestion: true, doubts: [expect.stringMatching(/not all/)] });
  expect(outcome.diff).toContain(line);
});

test("an edit that has passed is in what an interruption leaves", async () => {
  const stop = new AbortController();
  const { outcome } = await searchRepository(PYTHON, {
    sandbox,
    test: "pytest",
    signal: stop.signal,
    say: (line) => {
      if (line.startsWith("passes: ")) stop.abort(new Error("interrupted"));
    },
  });
  expect(outcome).toMatchObject({ outcome: "interrupted", diff: "" });
  expect(outcome.alternatives).toEqual([expect.stringContaining("+    return x / 2")]);
});
