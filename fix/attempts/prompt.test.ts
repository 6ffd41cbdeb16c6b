/** What a server of a model is sent of a repair of a repository. */
// @module-tag ci

import { expect, test } from "vitest";
import { connectTo } from "../../agent/models/testing/calls.ts";
import { type FakeReply, startFakeOpenAI } from "../../agent/models/testing/fake_openai.ts";
import { openCommandBox } from "../../utils/sandbox/command/command_box.ts";
import { openForTests } from "../../utils/sandbox/testing/open.ts";
import { hasPytest } from "../../utils/testing/needs.ts";
import { fixRepository } from "../fix.ts";
import { makeRepository } from "../testing/repositories.ts";
import { fixRequest } from "../testing/scripted.ts";

const FILES = {
  "shelf/__init__.py": "",
  "shelf/stock.py": `class Shelf(object):
    def __init__(self, count):
        self.count = count

    def is_low(self):
        return self.count > 3
`,
  "tests/test_stock.py": `import pytest

from shelf.stock import Shelf


@pytest.mark.parametrize("count", range(3))
def test_low(count):
    assert Shelf(count).is_low()


@pytest.mark.parametrize("count", range(4, 10))
def test_full(count):
    assert not Shelf(count).is_low()
`,
};
const EDIT = { path: "shelf/stock.py", old: "count > 3", new: "count < 3" };
const call = (name: string, args: object) => ({ name, args: JSON.stringify(args) });

/** What was sent to a model that replies so, and the outcome. */
async function repairedBy(replies: readonly FakeReply[], files = FILES, issue = "") {
  using repository = makeRepository(files);
  await using server = await startFakeOpenAI({ reply: (_, turn) => replies[turn] ?? "" });
  const outcome = await fixRepository(
    { ...fixRequest(repository.path), issue },
    {
      openModel: () => connectTo(server.url),
      openSandbox: openForTests,
      openBox: openCommandBox,
      say: () => {},
    },
  );
  return {
    outcome,
    sent: server.requests.map(({ body: { messages } }) => messages.map(({ content }) => content ?? "")),
  };
}

test.skipIf(!(await hasPytest()))(
  "the first message says how long the tests take, names each that fails, and shows the class of a method",
  async () => {
    const { sent } = await repairedBy([{ toolCalls: [call("edit", EDIT)] }, "The comparison was the wrong way round."]);
    const [system = "", task = ""] = sent[0] ?? [];
    expect(system).toContain("All tests check it.");
    expect(task).toMatch(/^Run with `pytest tests` \([\d.]+ s, Python 3[.\d]+\): 9 fail, 0 pass\. These fail:$/m);
    expect(task).toMatch(/^and 3 more: (?:tests\/test_stock\.py::test_\w+\[\d\](?:, |$)){3}$/m);
    expect(task).toMatch(/\n## Map\nshelf\/stock\.py\n {2}1 class Shelf\(object\)\n {4}\d def /);
    expect(sent[1]?.at(-1), "no word that says nothing").toMatch(/^--- a\/shelf\/stock\.py\n/);
  },
);

test.skipIf(!(await hasPytest()))("edits and the answer to them need one reply", async () => {
  const answer = call("submit", { answer: "The comparison was the wrong way round." });
  const { sent, outcome } = await repairedBy([{ toolCalls: [call("edit", EDIT), answer] }]);
  expect([sent.length, outcome.outcome]).toEqual([1, "fixed"]);
});

test.skipIf(!(await hasPytest()))("an edit that is refused keeps the answer behind it from being taken", async () => {
  const edits = [call("edit", EDIT), call("edit", { ...EDIT, old: "count >= 3" })];
  const answer = call("submit", { answer: "Both comparisons were wrong." });
  const { sent, outcome } = await repairedBy([{ toolCalls: [...edits, answer] }, "One was."]);
  expect(sent[1]?.at(-1)).toMatch(/^Your answer is not accepted: not checked\nA call before it .* was refused\./);
  expect([sent.length, outcome.outcome]).toEqual([2, "fixed"]);
});

test.skipIf(!(await hasPytest()))("an empty reply is answered with the tools and the way to submit", async () => {
  const answer = call("submit", { answer: "The comparison was the wrong way round." });
  const { sent } = await repairedBy(["", { toolCalls: [call("edit", EDIT), answer] }]);
  expect(sent[1]?.at(-1)).toMatch(/^Your reply was empty; call one of .*\brun_tests\b.*, or submit your answer\.$/);
});

test.skipIf(!(await hasPytest()))("where no test fails, places come with the tests of their files", async () => {
  const passing = { ...FILES, "tests/test_stock.py": "def test_nothing():\n    pass\n" };
  const { sent } = await repairedBy(["nothing"], passing, "A full shelf is said to be low.");
  expect(sent[0]?.join("\n")).toMatch(/^1\. shelf\/stock\.py:.* — .*; tests in tests\/test_stock\.py$/m);
});

test.skipIf(!(await hasPytest()))("of tests that need not pass only the first are named", async () => {
  const { sent } = await repairedBy(["nothing"], FILES, "A shelf needs a method `is_empty`.");
  const task = sent[0]?.join("\n") ?? "";
  expect(task).toMatch(/^9 fail before your change, too, and need not pass/m);
  expect(task.match(/^- tests\/test_stock\.py/gm)).toHaveLength(6);
  expect(task).toMatch(/^and 3 more$/m);
});
