import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openSandbox } from "../../../utils/sandbox/sandbox.ts";
import { buggyProgram, toVisible } from "../../../utils/task/task.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { loadDataset } from "../../benchmark/find.ts";
import { checkTasks } from "../../benchmark/functions/check.ts";
import { scoreProgram } from "../../benchmark/scorer.ts";

const fileOf = (half: string) => fileURLToPath(new URL(`./${half}.jsonl`, import.meta.url));
const halves = await Promise.all(["a", "b"].map((half) => loadDataset(fileOf(half), { log: () => {} })));
const tasks = halves.flatMap((half) => half.tasks);

test("each of 132 functions is in one half", () => {
  expect(halves.map((half) => half.tasks.length)).toEqual([66, 66]);
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(132);
  expect(new Set(tasks.map(({ entryPoint }) => entryPoint)).size).toBe(132);
});

test("right programs pass all tests, buggy ones the hidden tests of no task", DEEP, async () => {
  await using sandbox = await openSandbox({ concurrency: 2 });
  const checked = await checkTasks(tasks, { sandbox, visible: toVisible, hiddenTestsHold: false, log: () => {} });
  expect(checked.filter(({ remarks }) => remarks.length > 0)).toEqual([]);
  const passing: string[] = [];
  for (const task of tasks) {
    const scored = await scoreProgram(task, buggyProgram(task), sandbox, { timeoutMs: 1000 });
    if (!("score" in scored) || scored.score.passed) passing.push(task.id);
  }
  expect(passing).toEqual([]);
});
