// @module-tag deep
import { expect, test } from "vitest";
import { openSandbox } from "../../utils/sandbox/sandbox.ts";
import { functionTask } from "../benchmark/functions.ts";
import { splitTasks } from "./gates/splits.ts";
import { runLoop } from "./loop.ts";
import { describeOutcome } from "./outcome.ts";
import { SOLVE_PROMPT } from "./testing/mini_agent.ts";
import { signModel } from "./testing/sign_model.ts";
import { signTasks } from "./testing/sign_tasks.ts";
import { findBox, openTestRun, temporaryFolder } from "./testing/test_run.ts";

const box = await findBox();

test.skipIf(!box)("tasks that a child could forge decide nothing, and stand apart in the outcome", async () => {
  if (!box) return;
  using folder = temporaryFolder();
  await using sandbox = await openSandbox();
  await using agentSandbox = await openSandbox();
  const edits = [{ file: SOLVE_PROMPT, text: "Fix it, and check the sign.\n" }];
  const solver = signModel(() => ({ hypothesis: "This helps.", changes: "Changed it.", edits }), new Set());
  const parts = { folder: folder.path, box, sandbox, agentSandbox, solver, tasks: [], timeoutMs: 60_000 };
  const { bench, options } = await openTestRun(parts);
  const functions = signTasks(9).map((task, i) =>
    functionTask(i < 6 ? task : { ...task, judgeMode: "in_process" }, task),
  );
  bench.parts.splits = splitTasks(functions);
  await runLoop(bench, { ...options, gates: { ...options.gates, alpha: 0.5 } });
  const { state } = bench.parts.log;
  expect(state.champion).toBe(1);
  const { dev, validation, sealed, forgeable } = bench.parts.splits;
  expect([dev.length + validation.length + sealed.length, forgeable.length]).toEqual([6, 3]);
  expect(state.sealed?.tasks).toBe(sealed.length);
  const { line, text } = describeOutcome(state);
  expect(line.forgeable).toEqual({ tasks: 3, first: 0, champion: 1 });
  expect(text).toContain("On 3 tasks that an agent could forge, which decided nothing: A_0 0.0%, champion 100.0%.");
});
