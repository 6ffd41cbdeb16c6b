/** A folder of a larger repository: tests run there, and what they run may lie beside it. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { repositoryProject } from "../../utils/project/project.ts";
import { DEEP } from "../../utils/testing/repeats.ts";
import { planSuite } from "../project/suite.ts";
import { makeRepository } from "../testing/repositories.ts";
import { limitSearches, searchRepository } from "../testing/search.ts";

let unlimited: () => void;
beforeAll(async () => {
  unlimited = limitSearches();
});
afterAll(() => unlimited());

const PYTHON = {
  "services/a/counts.py": "def following(number):\n    return number + 2\n",
  "services/a/tests/test_counts.py":
    "from counts import following\n\n\ndef test_following():\n    assert [following(n) for n in (1, 5, -7)] == [2, 6, -6]\n",
  "services/b/counts.py": "def following(number):\n    return number\n",
};
const NODE = {
  "packages/core/index.js": "exports.add = (a, b) => a - b;\n",
  "packages/app/index.js": 'const { add } = require("../core");\nexports.total = (numbers) => numbers.reduce(add);\n',
  "packages/app/app.test.js": `const assert = require("node:assert");
const { test } = require("node:test");
const { total } = require("./index.js");
test("adds up", () => assert.deepStrictEqual([[1, 2], [5], [-4, 3, 9], [-2, 0]].map(total), [3, 5, 8, -2]));
`,
};

const SEARCHED = "%s in a folder of a repository: what ran is known, and searched";
type FunctionReport = [
  name: string,
  files: Record<string, string>,
  folder: string,
  command: string,
  at: string,
  edit: string,
];
test.each<FunctionReport>([
  [
    "pytest",
    PYTHON,
    "services/a",
    "python3 -m pytest tests",
    "services/a/counts.py",
    "line 2: return number + 2 → return number + 1",
  ],
  [
    "node:test",
    NODE,
    "packages/app",
    "node --test app.test.js",
    "packages/core/index.js",
    "line 1: exports.add = (a, b) => a - b; → exports.add = (a, b) => a + b;",
  ],
])(SEARCHED, DEEP, isSearched);

async function isSearched(...[, files, folder, command, at, edit]: FunctionReport): Promise<void> {
  const { outcome, observations } = await searchRepository(files, { folder, test: command, modules: false });
  const seen = outcome.suspects.find(({ file, name }) => file === at && name !== "(top level)");
  expect(seen?.reasons[0]).toBe("runs in 1 of 1 failing and 0 of 0 passing tests");
  expect(["fixed", "suggestion"]).toContain(outcome.outcome);
  expect(observations[0]).toContain(`${at}, ${edit}`);
}

test.each([
  ["npm test", "jest"],
  ["npm test -- -w 4", "jest"],
  ["npm run unit", "mocha"],
  ["npm run unit --workspace packages/core", undefined],
  ["npm test -w packages/core", undefined],
  ["npm test --workspaces", undefined],
  ["pnpm test -r", undefined],
])("%s: the script of the folder, unless it is one of other folders", (command, framework) => {
  const scripts = { test: "jest", unit: "mocha" };
  using repository = makeRepository({ "package.json": JSON.stringify({ scripts }) });
  const plan = planSuite(repositoryProject(repository.path, { layer: "bwrap" }), command);
  expect(plan.framework?.name).toBe(framework);
});
