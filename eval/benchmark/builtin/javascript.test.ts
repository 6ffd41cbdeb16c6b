/** Checks the built-in JavaScript tasks with the judge that scores repairs. */

import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSandbox } from "../../../utils/sandbox/sandbox.ts";
import type { Sandbox } from "../../../utils/sandbox/types.ts";
import { testHelpers } from "../../../utils/task/judged_tests.ts";
import { buggyProgram, type Task } from "../../../utils/task/task.ts";
import { DEEP, isSlow } from "../../../utils/testing/repeats.ts";
import { loadDataset } from "../find.ts";

const { tasks } = await loadDataset(fileURLToPath(new URL("./javascript.jsonl", import.meta.url)), { log: () => {} });
const python = (await loadDataset("builtin", { log: () => {} })).tasks;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox({ concurrency: 2 });
});
afterAll(() => sandbox?.close());

const passes = async (task: Task, program: string, test: string): Promise<boolean> =>
  (
    await sandbox.judge({
      program,
      language: "javascript",
      entryPoint: task.entryPoint,
      test,
      helpers: testHelpers(task),
      timeoutMs: 1_000,
    })
  ).passed;

test("each is one of the built-in Python tasks with the same kind of bug", () => {
  const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  expect(tasks.map(({ entryPoint, bugType }) => [entryPoint, bugType])).toEqual(
    python.map(({ entryPoint, bugType }) => [camel(entryPoint), bugType]),
  );
});

test.each(tasks.map((task) => ({ name: `${task.id} ${task.entryPoint}`, task })))(
  "$name: the right body passes both tests, the buggy one none, and no hidden assertion is visible",
  DEEP,
  async ({ task }) => {
    const right = task.declaration + task.canonicalCode;
    // A run of the dataset checks the visible ones, too, and leaves out what does not pass.
    for (const test of isSlow ? [task.hiddenTest, task.exampleTest] : [task.hiddenTest]) {
      expect(await passes(task, right, test)).toBe(true);
      expect(await passes(task, buggyProgram(task), test)).toBe(false);
    }
    const asserted = [...task.hiddenTest.matchAll(/^ {2}console\.assert\((.+)\)$/gm)].map(([, one = ""]) => one);
    expect(asserted.length).toBeGreaterThan(2);
    const visible = task.instruction + task.exampleTest + buggyProgram(task);
    expect(asserted.filter((one) => visible.includes(one))).toEqual([]);
  },
);
