/** The search in live mocha tests, in the box. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { openCommandBox } from "../../../utils/sandbox/command_box.ts";
import { openSandbox } from "../../../utils/sandbox/sandbox.ts";
import type { Sandbox } from "../../../utils/sandbox/types.ts";
import { isSlow } from "../../../utils/testing/repeats.ts";
import { MODEL_KINDS } from "../../models/table.ts";
import { fixRepository } from "../fix.ts";
import { makeRepository, SCRIPT_FILES } from "../testing/repositories.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox({ concurrency: 1 });
});
afterAll(() => sandbox?.close());

const kind = MODEL_KINDS.find(({ name }) => name === "search");

/** Repairs by search alone. */
async function fix(files: Record<string, string>) {
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
      test: "npm test",
      issue: "",
      samples: 1,
      write: false,
      environment: {},
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
  return { outcome, observations };
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

test("finds the edit that passes, confirms it in a process of its own, and says what it is", async () => {
  const { outcome, observations } = await fix({ ...SCRIPT_FILES, "test/rates.js": rates() });
  expect(outcome.outcome).toBe("fixed");
  expect(outcome.diff).toMatch(/^\+.*\/ 100\);$/m);
  const [, count = ""] = /^(\d+) edits pass/.exec(observations[0] ?? "") ?? [];
  expect(outcome.is_suggestion).toBe(Number(count) > 1 || /left for want of time/.test(observations[0] ?? ""));
});

// Twenty seconds of processor time, which `javascript.test.ts` of the search model spends on such functions, too.
test.skipIf(!isSlow)(
  "a candidate that never comes back ends its process alone: the next one goes on behind it",
  async () => {
    const { outcome, observations } = await fix({
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
    expect(observations[0]).toMatch(/isPlain: [1-9]\d* edits tried/);
  },
);
