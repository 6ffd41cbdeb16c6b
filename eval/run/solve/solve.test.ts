import { expect, test } from "vitest";
import type { Trajectory } from "../../../agent/run/trajectory.ts";
import { noUsage } from "../../../agent/run/usage.ts";
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

const options = { model, sandbox, tools: [], limits: { maxIterations: 1, timeoutMs: 1000 }, seed: null, prices: null };
const signal = new AbortController().signal;

test("a conversation that overflows the model's context is a fail, a server that is too slow is an error", async () => {
  const ended = (kind: "context_length" | "timeout", { fatal = false, message = "", modelCalls = 1 } = {}) => {
    const error = { kind, message: message || kind, fatal };
    const trajectory: Trajectory = {
      ...{ taskId: "a", model: model.name, stop: "error", error, answer: null, verified: false, iterations: 2 },
      ...{ steps: [], messages: [], usage: { ...noUsage(), modelCalls }, seconds: 0 },
    };
    const score = { passed: false, outcome: "failed" as const, explanation: "no answer" };
    const solver: Solver = { repair: async () => trajectory, score: async () => ({ score }) };
    return solveSample({ index: 0, task, attempt: 0 }, { ...options, solver, signal }, []);
  };
  expect((await ended("context_length")).result).toMatchObject({
    passed: false,
    stop: "context_length",
    iterations: 2,
  });
  expect((await ended("timeout")).result).toMatchObject({ error: { kind: "timeout" } });
  expect(await ended("context_length", { fatal: true })).toMatchObject({
    result: { error: {} },
    fatal: "context_length",
  });
  const message = "'max_tokens' is too large: 100000. This model's maximum context length is 4096 tokens";
  expect((await ended("context_length", { message })).result).toMatchObject({ stop: "context_length" });
  expect((await ended("context_length", { message, modelCalls: 0 })).result).toMatchObject({
    error: { kind: "context_length" },
  });
});

test.each<[string, Partial<SolveOptions>]>([
  ["worked on", { solver }],
  ["scored", { reference: "gold" }],
])("a sample that is stopped while it is %s has no result, and so runs again on resume", async (_, more) => {
  const stop = new AbortController();
  const solved = solveSample({ index: 0, task, attempt: 0 }, { ...options, ...more, signal: stop.signal }, []);
  setImmediate(() => stop.abort(new Error("interrupted")));
  expect(await solved).toEqual({ result: null });
});
