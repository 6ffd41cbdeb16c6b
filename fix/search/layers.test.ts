/** The search in live tests under Landlock, where neither folders nor processes of this machine can be listed. */
// @module-tag deep

import { afterAll, expect, test } from "vitest";
import { openCommandBox } from "../../utils/sandbox/command/command_box.ts";
import { limitSearches, PASSES, searchRepository } from "../testing/search.ts";

const layer = "landlock";
const isThere = await openCommandBox({ layer }).then(
  () => true,
  (error: unknown) => {
    console.warn(`skipped: ${error}`);
    return false;
  },
);

afterAll(limitSearches({ edits: 300 }));

const PYTHON = {
  "count.py": "def steps(n):\n    return n + 1\n",
  "test_count.py":
    "from count import steps\n\n\ndef test_steps():\n    assert [steps(n) for n in (0, 3, 8)] == [0, 3, 8]\n",
};

const JAVASCRIPT = {
  "package.json": "{}",
  "count.js": "exports.left = function left(n, taken) {\n  return n + taken;\n};\n",
  "count.test.js": `const test = require("node:test");
const assert = require("node:assert");
const { left } = require("./count.js");
test("what is left", () => assert.deepStrictEqual([left(3, 1), left(8, 8), left(5, 0)], [2, 0, 5]));
`,
};

const MOCHA = {
  ...JAVASCRIPT,
  "package.json": '{ "devDependencies": { "mocha": "*" } }',
  "count.test.js": JAVASCRIPT["count.test.js"].replace('const test = require("node:test")', "const test = it"),
};

const ONCE = {
  ...JAVASCRIPT,
  "count.test.js": `${JAVASCRIPT["count.test.js"]}test("once in a process", () => {
  assert.strictEqual(globalThis.once, undefined);
  globalThis.once = true;
});
`,
};

test.skipIf(!isThere).each([
  ["pytest", PYTHON, "pytest"],
  ["mocha", MOCHA, "mocha count.test.js"],
  ["node:test", JAVASCRIPT, "node --test count.test.js"],
  ["node:test, a process for each edit", ONCE, "node --test count.test.js"],
])("%s", async (_, files, command) => {
  const { outcome } = await searchRepository(files, { test: command, modules: files === MOCHA, layer });
  expect(outcome.outcome).toMatch(PASSES);
});
