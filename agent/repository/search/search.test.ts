/** The search in live tests, in the box: that it finds, what a bad candidate costs, and what it does where memory fills. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { openCommandBox } from "../../../utils/sandbox/command_box.ts";
import { openSandbox } from "../../../utils/sandbox/sandbox.ts";
import type { Sandbox } from "../../../utils/sandbox/types.ts";
import { PYTEST_ENVIRONMENT } from "../../../utils/testing/pytest_plugins.ts";
import { isSlow } from "../../../utils/testing/repeats.ts";
import { MODEL_KINDS } from "../../models/table.ts";
import { fixRepository } from "../fix.ts";
import { makeRepository, SCRIPT_FILES } from "../testing/repositories.ts";
import { readFindings } from "./findings.ts";
import { SEARCHERS } from "./searchers.ts";

/** Processor time for one function: less than users' have, and enough for these. */
const FUNCTION_SECONDS = 3;
const usual = Object.values(SEARCHERS).map((searcher) => [searcher, searcher.functionSeconds] as const);

let sandbox: Sandbox;
beforeAll(async () => {
  for (const [searcher] of usual) searcher.functionSeconds = FUNCTION_SECONDS;
  sandbox = await openSandbox({ concurrency: 1 });
});
afterAll(async () => {
  for (const [searcher, seconds] of usual) searcher.functionSeconds = seconds;
  await sandbox?.close();
});

const kind = MODEL_KINDS.find(({ name }) => name === "search");

/** Repairs by search alone. */
async function fix(files: Record<string, string>, command: { test: string; memoryMb?: number } = { test: "npm test" }) {
  using repository = makeRepository(files, true);
  const observations: string[] = [];
  if (!kind) throw new Error("no row of the table");
  const model = {
    ...(await kind.create("search", { temperature: 0, timeoutMs: 1, maxRetries: 0, log: () => {} })),
    kind,
  };
  const outcome = await fixRepository(
    {
      path: repository.path,
      ...command,
      issue: "",
      samples: 1,
      write: false,
      environment: PYTEST_ENVIRONMENT,
      maxIterations: 8,
      timeoutMs: 900_000,
      testSeconds: 60,
    },
    {
      openModel: async () => model,
      openSandbox: async () => sandbox,
      openBox: async () => await openCommandBox(),
      onStep: ({ observation }) => observations.push(`${observation.status}\n${observation.output}`),
    },
  );
  const findings = readFindings(observations[0] ?? "");
  return { outcome, observations, searched: findings?.functions ?? [], renewed: findings?.renewed };
}

const rates = (...lines: string[]) => `const assert = require("node:assert");
const { discounted, total } = require("../lib/rates");
describe("rates", () => {
  it("takes percents off", () => {
    assert.strictEqual(discounted(100, 20), 80);
    assert.strictEqual(discounted(50, 10), 45);
    assert.strictEqual(discounted(10, 90), 1);
  });
  it("adds up", (done) => {
    assert.strictEqual(total([1, 2.5]), 3.5);
    setTimeout(done, 1);
  });
${lines.join("\n")}
});
`;

// That it finds one shows the test of the memory, too.
test.skipIf(!isSlow)(
  "finds the edit that passes, confirms it in a process of its own, and says what it is",
  async () => {
    const { outcome, observations } = await fix({ ...SCRIPT_FILES, "test/rates.js": rates() });
    expect(outcome.outcome).toBe("fixed");
    expect(outcome.diff).toMatch(/^\+.*\/ 100\);$/m);
    const [, count = ""] = /^(\d+) edits pass/.exec(observations[0] ?? "") ?? [];
    expect(outcome.is_suggestion).toBe(Number(count) > 1 || /left for want of time/.test(observations[0] ?? ""));
  },
);

/** The issue's limit: processor time of a candidate that does not come back, in seconds. */
const MOST_HUNG_SECONDS = 2;

test("mocha: a candidate that never comes back ends its process alone, soon; the next one goes on behind it", async () => {
  const { outcome, searched } = await fix({
    ...SCRIPT_FILES,
    "lib/rates.js": `exports.discounted = (price, percent) => price - (price * percent) / 100;
exports.total = (prices) => prices.reduce((sum, price) => sum + price, 0);
exports.isPlain = function isPlain(text) {
  return text.length > 9 || /^(a+)+$/.test("a".repeat(32) + text);
};
`,
    "test/rates.js": rates(
      '  it("is plain", () => assert.strictEqual(require("../lib/rates").isPlain("a longer text"), false));',
    ),
  });
  expect(outcome.before.failing).toEqual(["rates is plain"]);
  const [plain] = searched.filter(({ function: name }) => name === "isPlain");
  expect(plain?.hung).toBeGreaterThan(0);
  expect(plain?.hungSeconds).toBeLessThanOrEqual(MOST_HUNG_SECONDS);
  expect(plain?.tried).toBeGreaterThan(plain?.hung ?? 0);
});

test("pytest: a candidate that never comes back is ended soon; the next one goes on behind it", async () => {
  const files = {
    "count.py": "def steps(n):\n    done = 0\n    while done < n:\n        done += 1\n    return done - 1\n",
    "test_count.py":
      "from count import steps\n\n\ndef test_steps():\n    assert [steps(n) for n in (0, 3, 8)] == [0, 3, 8]\n",
  };
  const { searched } = await fix(files, { test: "pytest" });
  expect(searched[0]?.hung).toBeGreaterThan(0);
  expect(searched[0]?.hungSeconds).toBeLessThanOrEqual(MOST_HUNG_SECONDS);
  expect(searched[0]?.tried).toBeGreaterThan(searched[0]?.hung ?? 0);
});

test("mocha: modules that are never freed do not fill the memory: another process goes on", async () => {
  const files = {
    ...SCRIPT_FILES,
    "lib/rates.js": `globalThis.kept = [...(globalThis.kept ?? []), Buffer.alloc(4e6, 1)];
exports.isMany = function isMany(amount) {
  return amount > 10;
};
`,
    "test/rates.js": `const assert = require("node:assert");
const { isMany } = require("../lib/rates");
describe("rates", () => {
  it("is many", () => assert.deepStrictEqual([9, 10, 11].map(isMany), [false, true, true]));
});
`,
  };
  const { outcome, searched, renewed } = await fix(files, { test: "npm test", memoryMb: 1500 });
  expect(outcome.outcome).toBe("fixed");
  expect(renewed).toBeGreaterThan(0);
  expect(searched[0]?.tried).toBeGreaterThan(100);
});

const TYPED = `import type { Unit } from "./unit.ts";

type Half = {
  value: Unit;
};

export function half(x: Half["value"]): number {
  return x! / 3;
}
`;

test.each([
  ["mjs", "export function half(x) {\n  return x / 3;\n}\n", /^\+ {2}return x \/ 2;$/m],
  ["ts", TYPED, /^- {2}return x! \/ 3;\n\+ {2}return x! \/ 2;$/m],
])("node:test: a process for each edit, in .%s", async (end, program, repaired) => {
  const files = {
    "package.json": JSON.stringify({ name: "half", scripts: { test: `node --test test/half.test.${end}` } }),
    "lib/unit.ts": "export type Unit = number;\n",
    [`lib/half.${end}`]: program,
    [`test/half.test.${end}`]: `import assert from "node:assert";
import { test } from "node:test";
import { half } from "../lib/half.${end}";
test("halves", () => assert.deepStrictEqual([2, 6, 8].map((x) => half(x)), [1, 3, 4]));
test("zero", () => assert.strictEqual(half(0), 0));
`,
  };
  const { outcome, searched } = await fix(files);
  expect(outcome).toMatchObject({ outcome: "fixed", framework: "node:test", before: { failing: ["halves"] } });
  expect(outcome.diff).toMatch(repaired);
  expect(searched).toMatchObject([{ function: "half" }]);
});
