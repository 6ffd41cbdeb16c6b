import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { VisibleTask } from "../task/task.ts";
import { Countdown } from "./countdown.ts";
import type { AgentSandbox, RunResult } from "./types.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const RESULT: RunResult = {
  status: "exited",
  exitCode: 0,
  stdout: "",
  stderr: "",
  truncated: false,
  explanation: "",
  durationMs: 0,
};

/** A sandbox whose programs take as long as their code says, in milliseconds. */
const sandbox: AgentSandbox = {
  run: ({ code }) => new Promise((resolve) => setTimeout(() => resolve(RESULT), Number(code))),
  judgeVisible: () => Promise.reject(new Error("judges nothing")),
};
const task: VisibleTask = {
  id: "Made/0",
  language: "python",
  entryPoint: "f",
  instruction: "",
  declaration: "",
  buggyCode: "",
  epilogue: "",
  exampleTest: "",
};
const job = (ms: number) => ({ code: `${ms}`, timeoutMs: 1 });

test("the clock stands still while jobs run, two at once too, and goes on after them", async () => {
  const ended = vi.fn();
  using clock = new Countdown(100).start(ended);
  const paused = clock.pausedBy(sandbox);
  await vi.advanceTimersByTimeAsync(60);
  const jobs = [paused.run(job(5000)), paused.run(job(9000))];
  await vi.advanceTimersByTimeAsync(9000);
  await Promise.all(jobs);
  await expect(paused.judgeVisible({ task, program: "", timeoutMs: 1 })).rejects.toThrow();
  expect(clock.elapsedMs).toBe(60);
  await vi.advanceTimersByTimeAsync(39);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toHaveBeenCalledTimes(1);
});

test("with untrusted jobs, pauses of the clock are limited", async () => {
  const ended = vi.fn();
  using clock = new Countdown(100, { maxUncountedMs: 300 }).start(ended);
  const paused = clock.pausedBy(sandbox);
  void paused.run(job(200));
  await vi.advanceTimersByTimeAsync(200);
  expect(clock.elapsedMs).toBe(0);
  void paused.run(job(1e6));
  await vi.advanceTimersByTimeAsync(199);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toHaveBeenCalledTimes(1);
  expect(clock.elapsedMs).toBe(100);
});

test("the time in which a process waits for a CPU does not count", async () => {
  const ended = vi.fn();
  let starved = 0;
  using clock = new Countdown(5000, { starvedMs: () => starved }).start(ended);
  for (let second = 0; second < 40; second++) {
    // Nine tenths of the time another process runs.
    starved += 900;
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(clock.elapsedMs).toBeCloseTo(4000);
  expect(ended).not.toHaveBeenCalled();
  starved = 0;
  await vi.advanceTimersByTimeAsync(1000);
  expect(ended).toHaveBeenCalledTimes(1);
});

test("disposed, it ends nothing", async () => {
  const ended = vi.fn();
  {
    using _ = new Countdown(100).start(ended);
  }
  await vi.advanceTimersByTimeAsync(1000);
  expect(ended).not.toHaveBeenCalled();
});
