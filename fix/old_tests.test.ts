// @module-tag ci

import { expect, test } from "vitest";
import { DEEP } from "../utils/testing/repeats.ts";
import { renderOutcome } from "./outcome/render.ts";
import { makeRepository } from "./testing/repositories.ts";
import { fixRequest, scriptedFix } from "./testing/scripted.ts";

const HEAD = `const { test } = require("node:test");
const assert = require("node:assert");
const { excess, name } = require("../lib/messages.cjs");
`;
const OLD = 'test("says how many", () => assert.equal(excess(["a", "b"]), "too many: 2."));\n';
const FILES = {
  "lib/messages.cjs": 'exports.excess = (words) => "too many: " + words.length + ".";\nexports.name = () => "m";\n',
  "test/old.test.cjs": HEAD + OLD,
  "test/name.test.cjs": `${HEAD}test("has a name", () => assert.equal(name(), "m"));\n`,
};
const ISSUE = "The message about too many words should list the words: `too many: 2: a, b.`";
const call = (tool: string, input: object) => `Action: ${tool}\nAction Input: ${JSON.stringify(input)}`;
const FIX = call("edit", {
  path: "lib/messages.cjs",
  old: 'length + "."',
  new: 'length + ": " + words.join(", ") + "."',
});
const UPDATE = call("edit", { path: "test/old.test.cjs", old: '"too many: 2."', new: '"too many: 2: a, b."' });
const REASON = "the old test asserts the message that the issue changes";
const DONE = { reply: `Final Answer: ${REASON}` };
const WORD = `these tests passed before and fail now: says how many; the model's reason: ${REASON}`;

function fix(rules: object[], more: object = {}, files: Record<string, string> = FILES, modules = false) {
  const repository = makeRepository(files, modules);
  const wanted = fixRequest(repository.path, {
    ...{ test: "node --test test/*.test.cjs", issue: ISSUE, environment: {}, maxIterations: 5, ...more },
  });
  return { ...scriptedFix(wanted, rules), repository };
}
const statuses = ({ steps }: ReturnType<typeof fix>) => steps.map(({ observation }) => observation.status);

test("a patch that fails a test of the old behaviour is a suggestion where the model insists", async () => {
  const run = fix([{ turn: 1, reply: FIX }, DONE]);
  using _ = run.repository;
  const found = await run.outcome;
  expect(statuses(run)).toEqual(["ok", "1 test that passed before fails", "it passes the tests"]);
  expect(run.steps[1]?.observation.output).toContain("answer once more and say why");
  expect(found).toMatchObject({ outcome: "suggestion", contradicted: ["says how many"] });
  expect(found.doubts).toContain(WORD);
  expect(found.diff).toContain("words.join");
  expect(renderOutcome(found)).toMatch(/^1 other test passes$/m);
});

test("a patch whose author updates the test is a suggestion at once, and --keep-tests keeps the update", async () => {
  const runTests = { turn: 3, reply: call("run_tests", {}) };
  const run = fix([{ turn: 1, reply: FIX }, { turn: 2, reply: UPDATE }, runTests, DONE], { keepTests: true });
  using _ = run.repository;
  const found = await run.outcome;
  expect(statuses(run)).toEqual(["ok", "ok", "1 of 2 tests fail", "it passes the tests"]);
  expect(run.steps[2]?.observation.output).toContain(
    "test/old.test.cjs ran without your update; with it 1 of 1 failing test passes",
  );
  expect(found).toMatchObject({ outcome: "suggestion", doubts: expect.arrayContaining([WORD]), dropped: [] });
  expect(found.diff).toContain("+++ b/test/old.test.cjs");
});

test(
  "without an issue, and where another test fails, nothing is excused, and the patch is not lost",
  DEEP,
  async () => {
    const files = {
      ...FILES,
      "test/old.test.cjs": `${HEAD}${OLD}test("lists", () => assert.match(excess(["q"]), /q/));\n`,
    };
    const run = fix([{ turn: 1, reply: FIX }, DONE], { issue: "" }, files);
    using _ = run.repository;
    const found = await run.outcome;
    expect(found).toMatchObject({ outcome: "not_fixed", unfinished: expect.stringContaining("words.join") });
  },
);

test("a run that ends early with the change as it does without it is not the patch's fault", DEEP, async () => {
  const ends = `const { excess } = require("../lib/messages.cjs");
it("ends the runner", () => {
  console.error(new Error(excess([])).stack.replace(/.*/, "Error: ended"));
  process.exit(1);
});
`;
  const files = { "lib/messages.cjs": FILES["lib/messages.cjs"], "test/old.test.cjs": ends };
  const run = fix([{ turn: 1, reply: FIX }, DONE], { test: "mocha test/old.test.cjs" }, files, true);
  using _ = run.repository;
  const found = await run.outcome;
  expect(statuses(run)).toEqual(["ok", "the run ended before the tests did", "the run ended before the tests did"]);
  expect(found).toMatchObject({
    outcome: "suggestion",
    doubts: expect.arrayContaining([expect.stringMatching(/^the tests do not run, with the change and without it: /)]),
  });
  expect(found.diff).toContain("words.join");
});
