import { expect, test } from "vitest";
import { openForTests } from "../../../utils/sandbox/testing/open.ts";
import type { BenchmarkTask } from "../../benchmark/benchmark.ts";
import { referenceModel } from "../benchmark.ts";
import { type SolveOptions, solveSample } from "./solve.ts";
import type { Solver } from "./solver.ts";

const sandbox = await openForTests();
const model = await referenceModel("gold");

/** Runs until it is stopped, as the tests of a repository do. */
const untilStopped = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));

const task: BenchmarkTask = {
  id: "a",
  kind: "repair",
  assignment: { type: "question", text: "1 + 1", form: "an integer", isAnswer: () => true },
  reference: () => "2",
  score: (_, __, signal) => untilStopped(signal),
};
const solver: Solver = {
  repair: (_, { signal }) => untilStopped(signal),
  score: (_, __, signal) => untilStopped(signal),
};

test.each<[string, Partial<SolveOptions>]>([
  ["worked on", { solver }],
  ["scored", { reference: "gold" }],
])("a sample that is stopped while it is %s has no result, and so runs again on resume", async (_, options) => {
  const stop = new AbortController();
  const all = { model, sandbox, tools: [], limits: { maxIterations: 1, timeoutMs: 1000 }, seed: null, prices: null };
  const solved = solveSample({ index: 0, task, attempt: 0 }, { ...all, ...options, signal: stop.signal }, []);
  setImmediate(() => stop.abort(new Error("interrupted")));
  expect(await solved).toEqual({ result: null });
});
