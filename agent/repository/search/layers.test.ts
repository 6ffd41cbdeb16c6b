/** The search in live tests under Landlock, where neither folders nor processes of this machine can be listed. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { openCommandBox } from "../../../utils/sandbox/command_box.ts";
import { openSandbox } from "../../../utils/sandbox/sandbox.ts";
import { PYTEST_ENVIRONMENT } from "../../../utils/testing/pytest_plugins.ts";
import { MODEL_KINDS } from "../../models/table.ts";
import { fixRepository } from "../fix.ts";
import { makeRepository } from "../testing/repositories.ts";
import { SEARCHERS } from "./searchers.ts";

const box = await openCommandBox({ layer: "landlock" }).catch((error: unknown) => {
  console.warn(`skipped: ${error}`);
  return null;
});
const kind = MODEL_KINDS.find(({ name }) => name === "search");

/** Less processor time for one function than users have, and enough for these. */
const usual = Object.values(SEARCHERS).map((searcher) => [searcher, searcher.functionSeconds] as const);
beforeAll(() => {
  for (const [searcher] of usual) searcher.functionSeconds = 1;
});
afterAll(() => {
  for (const [searcher, seconds] of usual) searcher.functionSeconds = seconds;
});

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

test.skipIf(!box).each([
  ["pytest", PYTHON, "pytest"],
  ["mocha", MOCHA, "mocha count.test.js"],
  ["node:test, a process for each edit", JAVASCRIPT, "node --test count.test.js"],
])("%s", async (_, files, command) => {
  using repository = makeRepository(files, files === MOCHA);
  await using sandbox = await openSandbox({ concurrency: 1 });
  const outcome = await fixRepository(
    {
      path: repository.path,
      test: command,
      issue: "",
      samples: 1,
      write: false,
      environment: PYTEST_ENVIRONMENT,
      maxIterations: 8,
      timeoutMs: 900_000,
      testSeconds: 60,
    },
    {
      openModel: async () => {
        if (!kind || !box) throw new Error("unreachable");
        return {
          ...(await kind.create("search", { temperature: 0, timeoutMs: 1, maxRetries: 0, log: () => {} })),
          kind,
        };
      },
      openSandbox: async () => sandbox,
      openBox: async () => {
        if (!box) throw new Error("unreachable");
        return box;
      },
    },
  );
  expect(outcome.outcome).toBe("fixed");
});
