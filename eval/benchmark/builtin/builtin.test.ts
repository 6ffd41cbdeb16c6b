/** Checks the built-in tasks with the judge that scores repairs. */
// @module-tag ci

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { parseJsonl } from "../../../utils/base/files/jsonl.ts";
import { openForTests } from "../../../utils/sandbox/testing/open.ts";
import type { Verdict } from "../../../utils/sandbox/types.ts";
import { testHelpers } from "../../../utils/task/judged_tests.ts";
import { buggyProgram, type Task } from "../../../utils/task/task.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { loadDataset } from "../find.ts";
import { scoreProgram } from "../scorer.ts";

const { tasks } = await loadDataset("builtin", { log: () => {} });
const { tasks: javascript } = await loadDataset(fileURLToPath(new URL("./javascript.jsonl", import.meta.url)), {
  log: () => {},
});
const FullRow = z.record(z.string(), z.string());
const file = new URL("./builtin.jsonl", import.meta.url);
const rows = parseJsonl(readFileSync(file, "utf8"), FullRow, "builtin.jsonl");

/** Plenty for every program that ends, on a loaded machine too. */
const TIMEOUT_MS = 3_000;
const endless = new Set(rows.filter((row) => row.failure_symptoms === "infinite loop").map((row) => row.task_id));

const sandbox = await openForTests();

const judgeVisible = (task: Task, program: string, timeoutMs = TIMEOUT_MS): Promise<Verdict> =>
  sandbox.judge({
    program,
    language: task.language,
    entryPoint: task.entryPoint,
    test: task.exampleTest,
    helpers: testHelpers(task),
    timeoutMs,
  });

async function passesHidden(task: Task, program: string, timeoutMs = TIMEOUT_MS): Promise<boolean> {
  const scored = await scoreProgram(task, program, sandbox, { timeoutMs });
  if ("error" in scored) throw new Error(scored.error);
  return scored.score.passed;
}

/** What the assertions of a test say, without the word `assert`. */
const assertions = (test: string): string[] =>
  [...test.matchAll(/^ {4}assert (.+)$/gm)].map(([, assertion = ""]) => assertion);

/** A program that knows the answers to the visible assertions by heart, and no others. */
function memorised(task: Task): string {
  const answers = assertions(task.exampleTest).map((assertion) => {
    const at = assertion.lastIndexOf(" == ");
    const args = assertion.slice(`${task.entryPoint}(`.length, at - 1);
    return `    if args == (${args},):\n        return ${assertion.slice(at + 4)}\n`;
  });
  return `def ${task.entryPoint}(*args):\n${answers.join("")}    return None\n`;
}

const named = (all: readonly Task[]) => all.map((task) => ({ name: `${task.id} ${task.entryPoint}`, task }));

describe.each(named(tasks))("$name", isSound);
describe.each(named(javascript))("$name", DEEP, isSound);

function isSound({ task }: { task: Task }): void {
  const isEndless = endless.has(task.id.replace("JavaScript", "Builtin"));
  test("the right body passes both tests", async () => {
    const program = task.declaration + task.canonicalCode;
    expect(await judgeVisible(task, program)).toMatchObject({ outcome: "passed" });
    expect(await passesHidden(task, program)).toBe(true);
  });

  test("the buggy body fails both tests", async () => {
    const timeoutMs = isEndless ? 200 : TIMEOUT_MS;
    const visible = await judgeVisible(task, buggyProgram(task), timeoutMs);
    expect(visible.outcome).toBe(isEndless ? "timeout" : "failed");
    expect(await passesHidden(task, buggyProgram(task), timeoutMs)).toBe(false);
  });
}

test.each(named(tasks))("$name: knowing the visible test by heart fails the hidden one", async ({ task }) => {
  expect(await judgeVisible(task, memorised(task))).toMatchObject({ outcome: "passed" });
  expect(await passesHidden(task, memorised(task))).toBe(false);
});

test("each JavaScript task is one of the Python tasks, and shows no hidden assertion", () => {
  const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  expect(javascript.map(({ entryPoint, bugType }) => [entryPoint, bugType])).toEqual(
    tasks.map(({ entryPoint, bugType }) => [camel(entryPoint), bugType]),
  );
  for (const task of javascript) {
    const asserted = [...task.hiddenTest.matchAll(/^ {2}console\.assert\((.+)\)$/gm)].map(([, one = ""]) => one);
    expect(asserted.length).toBeGreaterThan(2);
    const visible = task.instruction + task.exampleTest + buggyProgram(task);
    expect(asserted.filter((one) => visible.includes(one))).toEqual([]);
  }
});

test("every kind of bug comes several times", () => {
  const kinds = [
    "value misuse",
    "missing logic",
    "excess logic",
    "variable misuse",
    "operator misuse",
    "function misuse",
  ];
  const counts = kinds.map((kind) => tasks.filter(({ bugType }) => bugType === kind).length);
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(3);
  expect(counts.reduce((sum, count) => sum + count)).toBe(tasks.length);
  expect(tasks.length).toBeGreaterThanOrEqual(24);
});

test.each(["incorrect output", "stackoverflow", "infinite loop"])("some bugs show as: %s", (symptom) => {
  expect(rows.some((row) => row.failure_symptoms === symptom)).toBe(true);
});

test.each(rows.map((row) => ({ id: row.task_id, row })))(
  "$id has consistent fields and keeps its hidden test hidden",
  ({ row }) => {
    const { entry_point, signature, docstring, declaration, prompt, text, instruction, test: hidden, ...visible } = row;
    expect(signature?.startsWith(`${entry_point}(`)).toBe(true);
    expect(declaration?.endsWith(`def ${signature}:\n`)).toBe(true);
    expect(instruction).toBe(`Write a Python function \`${signature}\` to solve the following problem:\n${docstring}`);
    expect(text).toBe(docstring?.replace(/^(?=.)/gm, "    "));
    expect(prompt?.trimStart()).toBe(`${declaration}    """ ${text?.trimStart()}\n    """\n`);
    const shown = [declaration, prompt, text, instruction, ...Object.values(visible)].join("\n");
    const secrets = assertions(hidden ?? "");
    expect(secrets.length).toBeGreaterThanOrEqual(4);
    for (const secret of secrets) expect(shown).not.toContain(secret);
  },
);
