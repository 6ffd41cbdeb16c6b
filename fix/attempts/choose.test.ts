// @module-tag ci

import { afterAll, beforeAll, expect, test } from "vitest";
import { noUsage } from "../../agent/run/usage.ts";
import { hasPytest } from "../../utils/testing/needs.ts";
import type { FileChange } from "../project/patch.ts";
import { makeRepository, PYTHON_FILES } from "../testing/repositories.ts";
import { prepareForTests } from "../testing/scripted.ts";
import type { Attempt } from "./attempt.ts";
import { choose } from "./choose.ts";
import type { Preparation } from "./prepare.ts";

const FILE = "shop/stock.py";
const before = PYTHON_FILES[FILE] ?? "";
const method = (body: string) => `${before}\n    def first(self):\n        ${body}\n`;
const RIGHT = method("return self.items[0] if self.items else None");
const WRONG = method("return self.items[0]");
const TEST: FileChange = {
  file: "tests/test_first.py",
  before: null,
  after: "from shop.stock import Shelf\n\n\ndef test_empty():\n    assert Shelf().first() is None\n",
};

const attempt = (after: string | null, accepted: boolean, tests: FileChange[] = []): Attempt => ({
  patch: { source: after === null ? [] : [{ file: FILE, before, after }], tests, updated: [], dropped: [] },
  candidates: [],
  said: "",
  verdict: {
    ...{ accepted, status: "", output: "", reproduced: tests.map(({ file }) => file) },
    ...{ doubts: [], unloaded: [], after: [], excuse: null },
  },
  trajectory: {
    taskId: "t",
    model: "m",
    stop: "answered",
    answer: after,
    verified: accepted,
    iterations: 1,
    steps: [],
    messages: [],
    usage: noUsage(),
    seconds: 0,
  },
});

const testPytest = test.skipIf(!(await hasPytest()));
let prepared: Preparation;
let repository: ReturnType<typeof makeRepository>;
beforeAll(async () => {
  repository = makeRepository(PYTHON_FILES);
  prepared = await prepareForTests(repository.path, "pytest tests");
});
afterAll(() => {
  prepared[Symbol.dispose]();
  repository[Symbol.dispose]();
});
/** With the place of what was chosen among the attempts. */
const chosen = async (attempts: Attempt[]) => {
  const found = await choose(attempts, prepared.base, prepared.suite);
  return found && { ...found, index: attempts.indexOf(found.chosen) };
};

testPytest("nothing that changed source: none", async () => {
  expect(await chosen([])).toBeNull();
  expect(await chosen([attempt(null, false)])).toBeNull();
});

testPytest("what the suite validates goes before what most agree on", async () => {
  const found = await chosen([attempt(WRONG, false), attempt(WRONG, false), attempt(RIGHT, true)]);
  expect(found).toMatchObject({ index: 2, others: [] });
  expect(found?.why).toMatch(/^1 of 3 attempts pass/);
});

testPytest(
  "of what is validated: the reproduction tests of all, then the majority but for blanks and comments, then the first",
  async () => {
    const byTests = await chosen([attempt(WRONG, true), attempt(WRONG, true), attempt(RIGHT, true, [TEST])]);
    expect(byTests?.index).toBe(2);
    expect(byTests?.why).toContain("1 of 1 new test passes");
    expect(byTests?.others).toHaveLength(1);
    const byVotes = await chosen([attempt(WRONG, true), attempt(RIGHT, true), attempt(`${RIGHT}\n# the same\n`, true)]);
    expect(byVotes?.index).toBe(1);
    expect(byVotes?.why).toContain("2 of 3 gave this patch");
    expect((await chosen([attempt(WRONG, true), attempt(RIGHT, true)]))?.index).toBe(0);
  },
);

testPytest("where none passes, what most agree on is shown, and said", async () => {
  const found = await chosen([attempt(WRONG, false), attempt(RIGHT, false), attempt(RIGHT, false)]);
  expect(found).toMatchObject({ index: 1, others: [] });
  expect(found?.why).toMatch(/^no attempt passes/);
});
