import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import type { Benchmark } from "../benchmark.ts";
import { loadDataset } from "../find.ts";
import { functionBenchmark } from "../functions.ts";
import { readGenerations } from "./assign.ts";

const builtin = functionBenchmark(await loadDataset("builtin", { log: () => {} }), undefined);
const [task] = builtin.tasks;
if (!task) throw new Error("the built-in set is empty");

/** A dataset of three rows, where the second is left out and the third is no task. */
const BENCHMARK: Benchmark = {
  ...builtin,
  order: ["Python/0", "Python/1", "Python/2"],
  tasks: [{ ...task, id: "Python/0" }],
  remarks: [{ id: "Python/1", kind: "left_out", reason: "it is bad" }],
};

async function read(content: unknown, benchmark = BENCHMARK) {
  using folder = temporaryFolder();
  const file = join(folder.path, "s.json");
  writeFileSync(file, JSON.stringify(content));
  const { generations, unscored } = await readGenerations(file, benchmark);
  return { generations: generations.map(({ task: { id }, attempt }) => `${id}#${attempt}`), ...unscored };
}

test("samples by id: scored, of a row that is left out, of no row, and unreadable", async () => {
  const row = (task_id: string, more: object = {}) => ({ task_id, solution: "x", ...more });
  const rows = [row("HumanEval/0"), row("0"), row("HumanEval/1"), row("Python/2"), row("Python/0", { attempt: 1 })];
  expect(await read(rows)).toEqual({
    generations: ["Python/0#0", "Python/0#1"],
    leftOut: ["item 3: Python/1 is left out: it is bad"],
    otherTasks: ["Python/2"],
    unreadable: [{ place: "item 5", problem: "attempt 1 of Python/0 stands there twice" }],
  });
});

test("samples by position", async () => {
  expect(await read([["x", "y"], ["x"], ["x"]])).toEqual({
    generations: ["Python/0#0", "Python/0#1"],
    leftOut: ["item 2: Python/1 is left out: it is bad"],
    otherTasks: ["item 3"],
    unreadable: [],
  });
});

test("the rest of a program where the benchmark takes whole programs alone", async () => {
  const whole = { ...BENCHMARK, tasks: BENCHMARK.tasks.map(({ complete: _, ...rest }) => rest) };
  const rows = [{ task_id: "0", completion: "x" }];
  await expect(read(rows, whole)).rejects.toThrow("an answer to Python/0 is a whole `solution`, no `completion`");
});

test("the results of a run are no samples, and the message says how to get its answers", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "results.jsonl");
  writeFileSync(file, JSON.stringify({ task_id: "Python/0", passed: true }));
  await expect(readGenerations(file, BENCHMARK)).rejects.toThrow(/mend export RUN --format samples writes/);
});

test("a file without a sample to score: why, in one sentence", async () => {
  await expect(read([{ task_id: "HumanEval/1", solution: "x" }])).rejects.toThrow(
    /has no sample of a task that can be scored: item 1: Python\/1 is left out: it is bad\.$/,
  );
});
