import { expect, test } from "vitest";
import type { Benchmark } from "../benchmark.ts";
import { loadDataset } from "../dataset.ts";
import { functionBenchmark } from "../functions.ts";
import { matcher } from "./match.ts";

const dataset = await loadDataset("builtin", { log: () => {} });

/** A benchmark of these ids, where the last of `order` may be left out. */
function benchmarkOf(order: string[], leftOut: string[] = []): Benchmark {
  const [task] = dataset.tasks;
  if (!task) throw new Error("no task");
  const tasks = order.filter((id) => !leftOut.includes(id)).map((id) => ({ ...task, id }));
  const left = leftOut.map((id) => ({ id, reason: "it is bad" }));
  return functionBenchmark({ ...dataset, tasks, order, leftOut: left }, undefined);
}

function matched(benchmark: Benchmark, name: string | number, most = typeof name === "number" ? name : -1) {
  const match = matcher(benchmark, most);
  if (typeof match !== "function") return match.problem;
  const found = match(typeof name === "number" ? { position: name } : { id: name });
  return typeof found === "string" ? found : found.id;
}

test.each([
  ["Python/1", "Python/1"],
  ["python/1", "Python/1"],
  ["HumanEval/1", "Python/1"],
  ["HumanEval_1", "Python/1"],
  ["1", "Python/1"],
  ["HumanEval/9", "not in the dataset"],
  ["JavaScript/1", "not in the dataset"],
  ["Mbpp/1", "not in the dataset"],
  ["HumanEval/2", "left out"],
])("the id %s is %s", (id, expected) => {
  expect(matched(benchmarkOf(["Python/0", "Python/1", "Python/2"], ["Python/2"]), id)).toBe(expected);
});

test("HumanEval's numbers name no task where a dataset has them in two languages", () => {
  const both = benchmarkOf(["Python/1", "Go/1"]);
  expect(matched(both, "HumanEval/1")).toBe("not in the dataset");
  expect(matched(both, "Go/1")).toBe("Go/1");
  expect(matched(benchmarkOf(["HumanEval/1"]), "Python/1")).toBe("HumanEval/1");
  expect(matched(benchmarkOf(["Go/1"]), "HumanEval/1")).toBe("Go/1");
  expect(matched(benchmarkOf(["Builtin/1"]), "HumanEval/1")).toBe("not in the dataset");
});

test("a position is a row of the file, also of rows that are left out", () => {
  const whole = benchmarkOf(["Python/0", "Python/1", "Python/2"], ["Python/1"]);
  expect([0, 1, 2].map((position) => matched(whole, position, 2))).toEqual(["Python/0", "left out", "Python/2"]);
  expect(matched(whole, 0, 3)).toMatch(/4 lists .* 3 rows: give the dataset/);
});

test("of a part of a dataset a position is the number of its ids, or a row if there are as many", () => {
  const part = benchmarkOf(["Python/2", "Python/5"]);
  expect(matched(part, 5, 163)).toBe("Python/5");
  expect(matched(part, 4, 163)).toBe("not in the dataset");
  expect(matched(part, 1, 1)).toBe("Python/5");
  expect(matched(part, 2, 2)).toMatch(/3 lists .* 2 rows/);
});
