// @module-tag deep

import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { makeRepository } from "../../../fix/testing/repositories.ts";
import { run } from "../../../utils/testing/command.ts";

const FILES = {
  "half.py": "def half(x):\n    return x * 2\n",
  "test_half.py":
    "import unittest\nfrom half import half\n\n\nclass Half(unittest.TestCase):\n    def test_half(self):\n        self.assertEqual(half(4), 2)\n\n    def test_odd(self):\n        self.assertEqual(half(5), 3)\n",
};
const edit = { file: "half.py", old: "x * 2", new: "x / 2" };

test("what does not pass is no patch: stdout is empty, the JSON has it, and a line is printed for each turn", async () => {
  using repository = makeRepository(FILES);
  const rules = [
    { turn: 1, reply: `Action: replace_text\nAction Input: ${JSON.stringify(edit)}` },
    { reply: "Final Answer: half of it" },
  ];
  writeFileSync(repository.at("rules.json"), JSON.stringify(rules));
  const command = [".", "--test", "python3 -m unittest", "--model", "script:rules.json", "--max-iterations", "2"];
  const { exitCode, stdout, stderr } = await run("mend fix", command, repository.path);
  expect(exitCode, stderr).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toMatch(
    /^turn 1: edit half\.py: ok \([\d.]+ s\)\nturn 2: answer refused: 1 of 2 tests fail \(\S*test\S*\) \([\d.]+ s\)$/m,
  );
  expect(stderr).toMatch(/^2 model calls; the server does not report tokens$/m);
  expect(stderr).toMatch(/^unfinished repair: The patch is kept in \S+: /m);
  const asJson = await run("mend fix", [...command, "--json"], repository.path);
  expect(JSON.parse(asJson.stdout)).toMatchObject({
    outcome: "not_fixed",
    best: { passing: 1, of: 2, diff: expect.stringContaining("x / 2") },
  });
});

test.each([
  ["a packed file", gzipSync("half is wrong")],
  ["text in Latin-1", Buffer.from("f\xfcr x", "latin1")],
])("--issue: %s is refused in a sentence", async (_, bytes) => {
  using repository = makeRepository(FILES);
  writeFileSync(repository.at("issue"), bytes);
  const command = [".", "--test", "python3 -m unittest", "--issue", "issue", "--model", "search"];
  const { exitCode, stderr } = await run("mend fix", command, repository.path);
  expect([exitCode, stderr]).toEqual([2, "error: --issue issue: the file is not UTF-8 text.\n"]);
});
