// @module-tag ci

import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { run } from "../../utils/testing/command.ts";
import { DEEP } from "../../utils/testing/repeats.ts";
import { uncomparedChoice } from "../attempts/attempt.ts";
import { repairOwnFile } from "../fix.ts";
import { askOn, settle, withValueTests } from "../outcome/ask.ts";
import type { Question } from "../scope/scope.ts";
import { LIMITS, searchParts } from "../testing/search.ts";
import { makeProject } from "./testing/project.ts";

const BUGGY = "def multiplied(a, b):\n    return a - b\n";
const TESTS = `from numbers_of import multiplied


def test_twos():
    assert multiplied(2, 2) == 4


def test_nothing():
    assert multiplied(0, 0) == 0
`;

const parts = searchParts();

async function repairAsked(answer: (question: Question) => number | null) {
  using folder = makeProject({ files: { "numbers_of.py": BUGGY, "test_numbers_of.py": TESTS } });
  const questions: Question[] = [];
  const said: string[] = [];
  const request = { ...LIMITS, write: true };
  const ask = async (question: Question) => {
    if (questions.push(question) === 1) expect(said.join("\n")).toMatch(/^patch 2:\n(?:.*\n)*\+ {4}return /m);
    return answer(question);
  };
  const say = (line: string) => said.push(line);
  const outcome = await repairOwnFile({ file: folder.at("numbers_of.py"), ...request }, { ...parts, say, ask });
  const read = (name: string) => readFileSync(folder.at(name), "utf8");
  const again = await repairOwnFile({ file: folder.at("numbers_of.py"), ...request, write: false }, parts);
  return { outcome, questions, again, program: read("numbers_of.py"), tests: read("test_numbers_of.py") };
}

test("what a person says is right chooses the edit and becomes a test", DEEP, async () => {
  const { outcome, questions, again, program, tests } = await repairAsked(({ text, values }) => {
    const [a = 0, b = 0] = [...text.matchAll(/-?\d+/g)].map(Number);
    return values.indexOf(String(a * b));
  });
  expect(questions.length).toBeGreaterThan(0);
  for (const { values } of questions) expect(new Set(values).size).toBeGreaterThan(1);
  expect(program).toContain("return a * b");
  expect(outcome.told.length).toBeGreaterThan(0);
  for (const told of outcome.told) expect(tests).toContain(`assert ${told}`);
  expect(tests.startsWith(TESTS.trimEnd())).toBe(true);
  expect(again).toMatchObject({ outcome: "nothing_to_repair" });
  expect(again.before.passing.length).toBe(2 + outcome.told.length);
});

test("what is left open changes nothing, and the edits are shown", DEEP, async () => {
  const { outcome, tests, program } = await repairAsked(() => null);
  expect([tests, program, outcome.written]).toEqual([TESTS, BUGGY, null]);
  expect(outcome.told).toEqual([]);
  expect(outcome.alternatives.length).toBeGreaterThan(0);
});

test("an answer that is no choice is asked again, with the reason; nothing typed is no answer", async () => {
  const question = { text: "What should f(1) give?", values: ["2", "3"] };
  const said: string[] = [];
  const typed = (text: string) => new PassThrough().end(text);
  expect(await askOn(typed("yes\n7\n2\n"), (text) => said.push(text))(question)).toBe(1);
  const prompt = "Type a number from 1 to 2, or press Enter to skip the question:";
  expect(said.join("\n")).toContain(
    `What should f(1) give?\n  1. 2\n  2. 3\n${prompt}\n"yes" is not one of the choices. ${prompt}\n"7" is not one of the choices. ${prompt}`,
  );
  for (const nothing of ["\n", ""]) expect(await askOn(typed(nothing), () => {})(question)).toBeNull();
});

test("edits that nothing tells apart are shown themselves", async () => {
  const choices = ["a > b", "a >= b"].map((after) => uncomparedChoice([{ file: "f.py", before: "", after }]));
  const questions: Question[] = [];
  const ask = async (question: Question) => questions.push(question);
  const settled = await settle({ choices, askable: [] }, "f", ask, ({ source }) => `line 1: ${source[0]?.after}`);
  expect(questions).toEqual([{ text: "Which is right?", values: ["line 1: a > b", "line 1: a >= b"] }]);
  expect(settled).toEqual({ left: [choices[1]], answers: [] });
});

const BOUND = {
  "age.js": "exports.isAdult = function isAdult(age) {\n  return age < 18;\n};\n",
  "age.test.js": `const { test } = require("node:test");
const assert = require("node:assert");
const { isAdult } = require("./age.js");
test("adult", () => {
  assert.equal(isAdult(30), true);
  assert.equal(isAdult(3), false);
});
`,
};

test("> and >= differ on the number itself, and the answer becomes a test", async () => {
  using folder = makeProject({ files: BOUND });
  const texts: string[] = [];
  const ask = async ({ text, values }: Question) => {
    texts.push(text);
    return values.indexOf("true");
  };
  const outcome = await repairOwnFile({ ...LIMITS, file: folder.at("age.js"), write: true }, { ...parts, ask });
  expect(texts[0]).toBe("What should isAdult(18) give?");
  expect(outcome.told[0]).toContain("(18) == true");
  expect(outcome.alternatives).toEqual([]);
  expect(readFileSync(folder.at("age.test.js"), "utf8")).toContain("told_1");
});

test("tests are written as their framework has them, before what starts them", () => {
  const told = [{ input: "(1)", value: "[2]" }];
  const cases =
    "import unittest\nimport m\n\n\nclass Old(unittest.TestCase):\n    def test_f(self):\n        self.assertEqual(m.f(0), [])\n\n\nif __name__ == '__main__':\n    unittest.main()\n";
  const written = withValueTests(cases, "unittest", "f", told) ?? "";
  expect(written).toContain("self.assertEqual(m.f(1), [2])");
  expect(written.indexOf("m.f(1)")).toBeLessThan(written.indexOf("__main__"));
  expect(withValueTests("from m import f\nassert f(0) == []\n", "asserts", "f", told)).toMatch(
    /^assert f\(1\) == \[2\]$/m,
  );
  expect(withValueTests(">>> f(0)\n", "doctest", "f", told)).toBeNull();
});

test("--ask without a terminal is an input error", DEEP, async () => {
  const { exitCode, stderr } = await run("mend repair", ["x.py", "--ask"], import.meta.dirname);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("--ask asks questions in a terminal")]);
});
