/** Tests that wait for real timers: the search gives them the time that they need by the clock. */

import { expect, test } from "vitest";
import { installedModules } from "../../utils/testing/modules.ts";
import { DEEP } from "../../utils/testing/repeats.ts";
import { limitSearches, searchRepository } from "../testing/search.ts";

/** Longer than the search lets a candidate wait where nothing speaks for more. */
const LONG_MS = 700;
const WAIT = `const wait = (ms) => new Promise((done) => setTimeout(done, ms));\n`;
const SOURCE = `${WAIT}exports.isAdult = async function isAdult(age) {\n  await wait(${LONG_MS});\n  return age > 18;\n};\n`;
const CALL =
  '  const { isAdult } = require("./age");\n  require("assert").deepEqual(await Promise.all([isAdult(17), isAdult(18)]), [false, true]);\n';

interface Case {
  version?: string;
  command: string;
  file: string;
  text: string;
}

const CASES: Record<string, Case> = {
  vitest: {
    command: "vitest run",
    file: "age.test.mjs",
    text: 'import { expect, it } from "vitest";\nimport { isAdult } from "./age.js";\nit("is adult", async () => expect(await Promise.all([isAdult(17), isAdult(18)])).toEqual([false, true]));\n',
  },
  mocha: { command: "mocha test.js", file: "test.js", text: `it("is adult", async () => {\n${CALL}});\n` },
  "node:test": {
    command: "node --test age.test.js",
    file: "age.test.js",
    text: `require("node:test")("is adult", async () => {\n${CALL}});\n`,
  },
  tape: {
    version: "5.9.0",
    command: "tape test.js",
    file: "test.js",
    text: `const { isAdult } = require("./age");\nrequire("tape")("is adult", async (t) => t.deepEqual(await Promise.all([isAdult(17), isAdult(18)]), [false, true]));\n`,
  },
  jest: {
    version: "29.7.0",
    command: "jest",
    file: "age.test.js",
    text: `it("is adult", async () => {\n${CALL}});\n`,
  },
};

test.for(Object.entries(CASES))(
  "%s: code that waits longer than most is repaired",
  DEEP,
  async ([name, one], { skip }) => {
    const modules = one.version === undefined || installedModules(name, one.version);
    if (modules === null) return skip(`${name} is not installed (name a folder that has it in MEND_TEST_MODULES)`);
    const asBefore = limitSearches({ edits: 20 });
    const { outcome, searched } = await searchRepository(
      {
        "package.json": JSON.stringify({ devDependencies: { [name]: "*" } }),
        "age.js": name === "vitest" ? SOURCE.replace("exports.isAdult = async", "export async") : SOURCE,
        [one.file]: one.text,
      },
      { test: one.command, modules },
    ).finally(asBefore);
    expect(outcome.diff).toMatch(/^- {2}return age > 18;\n\+ {2}return /m);
    expect(searched[0]?.late).toBe(0);
  },
);

test("an edit that is the first to wait long is tried again with more time", DEEP, async () => {
  const asBefore = limitSearches({ edits: 40 });
  const { outcome } = await searchRepository(
    {
      "package.json": "{}",
      "total.js": `${WAIT}exports.total = async function total(times) {
  let sum = 0;
  for (let i = 1; i < times.length; i++) {
    await wait(times[i]);
    sum += times[i];
  }
  return sum;
};
`,
      "total.test.js": `require("node:test")("total", async () => {
  const { total } = require("./total");
  require("assert").strictEqual(await total([${LONG_MS}]), ${LONG_MS});
  require("assert").strictEqual(await total([1, 2]), 3);
});
`,
    },
    { test: "node --test total.test.js" },
  ).finally(asBefore);
  expect(outcome.diff).toMatch(/^\+ {2}for \(let i = 0; i < times.length; i\+\+\) \{$/m);
});
