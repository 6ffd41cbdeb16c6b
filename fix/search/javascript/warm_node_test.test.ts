/** The search in tests of node:test that stay in one process. */
// @module-tag ci

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ownKnowledge } from "../../../agent/tools/search_edits.ts";
import { javascriptEdits } from "../../../utils/search/javascript/bundle.ts";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { ALSO_DEEP, quarter } from "../../../utils/testing/repeats.ts";

const SCRIPT = join(import.meta.dirname, "warm_node_test.cjs");

/** A module that counts its calls: it works in few runs unless each has it anew. */
const BODY = `
let calls = 0;
function discounted(price, percent) {
  calls += 1;
  if (calls > 20) throw new Error("used up");
  return price - (price * percent) / 10;
}
const later = (value, told) => setTimeout(() => told(null, value), 2);
`;

const TESTS = `
describe("rates", () => {
  let price;
  beforeEach(() => {
    price = 100;
  });
  it("takes percents off", async () => {
    await null;
    assert.strictEqual(discounted(price, 20), 80);
    assert.strictEqual(discounted(50, 10), 45);
    price = 0;
  });
  describe("with others", () => it("takes nothing off", () => assert.strictEqual(discounted(price, 0), price)));
  it.skip("is not run", () => assert.fail());
});
test("later", async (t) => {
  await t.test("told", (_, done) => later(1, done));
  await t.test("mocked", (t) => {
    t.mock.method(Math, "abs", () => 5);
    assert.strictEqual(Math.abs(-1), 5);
  });
  assert.strictEqual(Math.abs(-1), 1);
});
`;

const KINDS = {
  CommonJS: {
    "package.json": "{}",
    "lib/rates.js": `${BODY}module.exports = { discounted, later };\n`,
    "test/rates.test.js": `const { test, describe, it, beforeEach } = require("node:test");
const assert = require("node:assert");
const { discounted, later } = require("../lib/rates");
${TESTS}`,
  },
  "ES modules": {
    "package.json": '{"type":"module"}',
    "lib/rates.js": `${BODY}export { discounted, later };\n`,
    "test/rates.test.js": `import test, { describe, it, beforeEach } from "node:test";
import assert from "node:assert";
import { discounted, later } from "../lib/rates.js";
${TESTS}`,
  },
};

test.each(quarter(Object.entries(KINDS)))(
  "one process tries edits in %s, and tests are run as node:test does",
  ALSO_DEEP,
  (_, files) => {
    using folder = temporaryFolder();
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder.path, name)), { recursive: true });
      writeFileSync(join(folder.path, name), text);
    }
    const job = {
      engine: javascriptEdits(ownKnowledge().javascript),
      priors: ownKnowledge().priors,
      instruction: "",
      failing: ["rates > takes percents off"],
      passing: ["rates > with others > takes nothing off", "later", "later > told", "later > mocked"],
      files: ["test/rates.test.js"],
      keep: 1,
      most: 1000,
      margin: 3,
      suiteSeconds: 60,
      from: { function: 0, number: 0, tried: 0, cpu: 0, limit: null },
      functions: [{ file: "lib/rates.js", name: "discounted", start: 3, end: 7, seconds: 600 }],
    };
    const out = join(folder.path, "out");
    const { stderr } = spawnSync(process.execPath, [SCRIPT, "test/rates.test.js"], {
      cwd: folder.path,
      env: { ...process.env, MEND_SEARCH: out },
      input: JSON.stringify(job),
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    const rows = readFileSync(out, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter((row) => !("going" in row));
    expect(rows).toMatchObject([
      { file: "lib/rates.js", from: 6, text: expect.stringContaining("/ 100;") },
      { function: "discounted", tried: expect.any(Number) },
      { done: true },
    ]);
    expect(rows.at(-1)).not.toHaveProperty("why");
    // The file is as it was.
    expect(readFileSync(join(folder.path, "lib/rates.js"), "utf8")).toBe(files["lib/rates.js"]);
  },
);
