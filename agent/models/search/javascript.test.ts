// @module-tag ci

import { transformSync } from "esbuild";
import { describe, expect, test } from "vitest";
import { openForTests } from "../../../utils/sandbox/testing/open.ts";
import { javascriptScript } from "../../../utils/search/javascript/bundle.ts";
import { EXAMPLES } from "../../../utils/search/javascript/testing/examples.ts";
import { printedInEngine, request, searchIn } from "../../../utils/search/javascript/testing/searches.ts";
import type { SearchRequest } from "../../../utils/search/request.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { ownKnowledge } from "../../tools/search_edits.ts";

const sandbox = await openForTests();

const search = (asked: SearchRequest, script?: Parameters<typeof searchIn>[2]) => searchIn(sandbox, asked, script);

const MAX =
  "const f = (numbers) => {\n  let best = null;\n  for (const n of numbers) {\n    if (best === null || n < best) best = n;\n  }\n  return best;\n}\n";
const RIGHT = MAX.replace("n < best", "n > best");
const largest = "console.assert(f([1, 5, 2]) === 5)\nconsole.assert(f([]) === null)\n";

/** All edits of programs. */
const listed = (() => {
  const input = { ...request("", ""), priors: ownKnowledge().priors, all: EXAMPLES };
  const stdout = printedInEngine(`
    const { language, ...task } = ${JSON.stringify(input)};
    (async () => {
      for (const { program, tests } of task.all) {
        const search = new Search({ ...task, program, tests }, task.priors, { beat: new Int32Array(2), avoided: [], mustEnd: () => false });
        await search.begin();
        const all = [...search.list.all()].map(({ one: { operator, splices } }) => [operator, splice(program, splices)]);
        console.log(JSON.stringify(all.filter(([, text]) => text !== null)));
      }
    })();`);
  return stdout
    .trim()
    .split("\n")
    .map((line): [string, string][] => JSON.parse(line));
})();

/** A program without its layout; null if it is none. */
function minified(text: string): string | null {
  try {
    return transformSync(text, { minify: true, logLevel: "silent" }).code;
  } catch {
    return null;
  }
}

test.each(EXAMPLES.map((example, i) => ({ ...example, i })))(
  "$operator: $program → $repaired",
  ({ operator, repaired, i }) => {
    const made = listed[i]?.filter(([name]) => name === operator).map(([, text]) => minified(text));
    expect(made).toContain(minified(repaired));
  },
);

describe("visible tests guide, whatever they are written for", () => {
  const program = "export function f(text) {\n  return text.trimStart();\n}\n";
  const styles = {
    "plain assertions":
      'import assert from "node:assert";\nimport { f } from "./f.mjs";\nassert.strictEqual(f(" a "), "a");\nassert.equal(f("b  "), "b");\n',
    "node:test":
      'import { test } from "node:test";\nimport assert from "node:assert/strict";\nimport * as lib from "../src/f.mjs";\ntest("f", async (t) => {\n  await t.test("trims", () => assert.equal(lib.f(" a "), "a"));\n  assert.deepEqual([lib.f("b ")], ["b"]);\n});\n',
    mocha:
      'const { expect } = require("chai");\nconst { f } = require("./f");\ndescribe("f", function () {\n  let given;\n  beforeEach(() => { given = " a "; });\n  it("trims", function (done) { expect(f(given)).to.equal("a"); done(); });\n  it("again", () => expect([f("b ")]).to.deep.equal(["b"]));\n});\n',
    "jest and vitest":
      'import { expect, test } from "vitest";\nimport { f } from "./f";\ntest.each([[" a ", "a"], ["b ", "b"]])("trims", (given, wanted) => {\n  expect(f(given)).toBe(wanted);\n});\ntest("throws", () => expect(() => f(null)).toThrow(TypeError));\n',
    tape: 'const test = require("tape");\nconst { f } = require("./f.js");\ntest("f", (t) => {\n  t.plan(2);\n  t.equal(f(" a "), "a");\n  t.equal(f("b "), "b");\n  t.end();\n});\n',
  };
  test.each(Object.entries(styles))("%s", DEEP, async (_, tests) => {
    expect((await search(request(program, tests))).programs[0]).toBe(program.replace("trimStart", "trim"));
  });
});

test("without tests it uses the examples of the instruction", DEEP, async () => {
  const { programs } = await search(
    request(MAX, "", { instruction: "Return the largest.\n>>> f([1, 5, 2])\n5\n\nf([]) => null" }),
  );
  expect(programs[0]).toBe(RIGHT);
});

test("waits for promises and timers without the clock", DEEP, async () => {
  const program =
    "const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));\nasync function f(n) {\n  await wait(3_600_000);\n  return n - 1;\n}\n";
  const { programs } = await search(
    request(
      program,
      "(async () => {})();\nconst test = async () => {\n  console.assert((await f(1)) === 2);\n  console.assert((await f(5)) === 6);\n};\ntest();\n",
    ),
  );
  expect(programs[0]).toContain("return n + 1;");
});

/** Functions that never end, take all memory or end their process, and so do most edits of them. */
const HOSTILE = {
  "an endless loop": "function f(n) {\n  let i = 0;\n  while (i < n) i -= 1;\n  return i;\n}\n",
  "a list that doubles": "function f(n) {\n  let list = [1];\n  while (n) list = [...list, ...list];\n  return 3;\n}\n",
  "a text that doubles": "function f(n) {\n  let text = 'a';\n  for (;;) text = `$" + "{text}$" + "{text}`;\n}\n",
  "an expression that never ends": "function f(n) {\n  return /^(a+)+$/.test('a'.repeat(n * 20) + 'b') ? 3 : 4;\n}\n",
  "an end of the process": "function f(n) {\n  if (n === 3) process.exit(0);\n  return n + 1;\n}\n",
  "a promise that nothing keeps": "async function f(n) {\n  await new Promise(() => {});\n  return n + 1;\n}\n",
};

test.each(Object.entries(HOSTILE))("%s does not take the search along", DEEP, async (_, program) => {
  const tests = "const test = async () => {\n  console.assert((await f(3)) === 3);\n};\ntest();\n";
  const { status, tried, cutOff } = await search(
    request(program, tests, { steps: 150, cpuSeconds: 1 }),
    javascriptScript,
  );
  expect(["found", "none", "exhausted"]).toContain(status);
  expect(tried > 5 || cutOff).toBe(true);
});

test("a program that writes over a built-in spoils neither the search nor the programs after it", DEEP, async () => {
  const program =
    "function f(height, limit) {\n  let count = 0;\n  while (height > limit) {\n    height = Math.floor(height / 2);\n    count -= 1;\n  }\n  Math += 1;\n  return count;\n}\n";
  const { tried, programs } = await search(
    request(program, "console.assert(f(9, 4) === 1);\nconsole.assert(f(90, 10) === 4);\n"),
  );
  expect(tried).toBeGreaterThan(20);
  expect(programs[0]).toBe(program.replace("count -= 1", "count += 1"));
});

test("a program does not find the names that another one made", () => {
  const made = printedInEngine(`
    meter.left = 9;
    const load = (text) => {
      const program = new Program(new Source(text, "f"));
      return program.load(program.compiled([])).defined.f();
    };
    console.log(load("kept = 1;\\nfunction f() { return kept; }"), load("function f() { return typeof kept; }"));`);
  expect(made.trim()).toBe("1 undefined");
});

test("of edits that pass and do different things it tells an input that shows it", async () => {
  const { others = [] } = await search(
    request("function f(a, b) {\n  return a - b;\n}\n", "console.assert(f(2, 2) === 4);\n"),
  );
  expect(others.length).toBeGreaterThan(0);
  for (const { input, gives, best_gives } of others) {
    expect(input).toMatch(/^\(-?\d+, -?\d+\)$/);
    expect(gives).not.toBe(best_gives);
  }
});

test("arguments for which only the edit throws come along", async () => {
  const program = "const f = (words, i) => words[i - 1].length\n";
  const tests = 'console.assert(f(["a", "bb", "ccc"], 1) === 2)\nconsole.assert(f(["a", "bb", "ccc"], 0) === 1)';
  const [best] = (await search(request(program, tests))).best;
  expect(best).toMatchObject({ breaks: '(["a"], 1)' });
});

test("offsets are in code points", DEEP, async () => {
  const program = `const mark = "😀";\n${MAX}`;
  expect((await search(request(program, largest))).programs[0]).toBe(program.replace("n < best", "n > best"));
});

test.each([
  [
    "a neighbour",
    'import { g } from "./g.js";\nexport function f(n) {\n  return g(n);\n}\n',
    largest,
    /it imports \.\/g\.js, which a search does not have/,
  ],
  [
    "a text that does not parse",
    "function f(n) {\n  return (n;\n}\n",
    largest,
    /can be tried: Unexpected token \(2:\d+\)/,
  ],
  ["another function", "function g() {}\n", largest, /does not define f/],
  ["no test", MAX, "", /none of its visible tests can be read/],
])("says why it cannot search: %s", async (_, program, tests, reason) => {
  expect(await search(request(program, tests))).toMatchObject({
    status: "unreadable",
    explanation: expect.stringMatching(reason),
  });
});

test("one operator for another comes before what only counts steps at the same place", DEEP, async () => {
  const program =
    "function f(marks) {\n  const kept = [...marks].sort((a, b) => a - b).slice(1, -1);\n  return kept.reduce((sum, mark) => sum + mark, 0) * kept.length;\n}\n";
  const tests = "console.assert(f([6, 7, 9]) === 7);\nconsole.assert(f([8, 5, 8, 9, 10]) === 25 / 3);\n";
  expect((await search(request(program, tests))).programs[0]).toBe(program.replace(" * kept", " / kept"));
});

test("a copy is another value than what it is a copy of", DEEP, async () => {
  const program = "function f(list) {\n  const first = list.sort((a, b) => a - b)[0];\n  return [first, ...list];\n}\n";
  const tests = "console.assert(String(f([3, 1])) === '1,3,1');\nconsole.assert(String(f([2, 5, 1])) === '1,2,5,1');\n";
  const { programs } = await search(request(program, tests, { keep: 50 }));
  expect(programs.some((text) => /(?:\[\.\.\.list\]|list\.slice\(\))\.sort|list\.toSorted/.test(text))).toBe(true);
});
