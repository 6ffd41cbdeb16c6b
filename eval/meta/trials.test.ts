import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openForTests } from "../../utils/sandbox/testing/open.ts";
import { DEEP } from "../../utils/testing/repeats.ts";
import { BudgetReached } from "../run/cost/budget.ts";
import { SOLVE_PROMPT, writeAgent } from "./testing/mini_agent.ts";
import { signModel } from "./testing/sign_model.ts";
import { HIDDEN_MARK, signTasks } from "./testing/sign_tasks.ts";
import { findBox, openTestRun, temporaryFolder } from "./testing/test_run.ts";
import { Trials } from "./trials.ts";

const box = await findBox();
const signal = new AbortController().signal;

/** A workspace of the mini agent, which solves no task before its prompt tells it to check the sign. */
async function open(budget: { costUsd?: number } = {}) {
  if (!box) throw new Error("there is no box");
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const sandbox = await openForTests();
  const solver = signModel(() => ({}), new Set());
  const parts = {
    folder: folder.path,
    box,
    sandbox,
    agentSandbox: { ...sandbox },
    solver,
    tasks: signTasks(9),
    budget,
  };
  const { bench } = await openTestRun(parts);
  const workspace = join(folder.path, "workspace");
  writeAgent(workspace);
  const stopped: string[] = [];
  const trials = new Trials(workspace, bench, () => stopped.push("stopped"));
  const ids = (split: "dev" | "validation" | "sealed") => bench.samples(split).map(({ task }) => task.id);
  return { bench, workspace, trials, stopped, ids, state: bench.parts.log.state };
}

const improved = (workspace: string) => writeFileSync(join(workspace, SOLVE_PROMPT), "Check the sign.\n");

test.skipIf(!box)(
  "a try measures the workspace as it is, once a tree, is logged and paid, and shows no hidden test",
  DEEP,
  async () => {
    const { workspace, trials, ids, state } = await open();
    const [task = ""] = ids("dev");
    const before = await trials.tryTask(task, signal);
    expect(before.status).toBe("score 0 (failed)");
    improved(workspace);
    const after = await trials.tryTask(task, signal);
    expect(after.status).toBe("score 1 (passed)");
    expect(after.output).toContain("1 model call");
    expect([...state.measured.values()].map(({ task, split, score }) => [task, split, score])).toEqual([
      [task, "dev", 0],
      [task, "dev", 1],
    ]);
    const { costUsd } = state.spent;
    expect(costUsd).toBeGreaterThan(0);
    expect(await trials.tryTask(task, signal)).toEqual(after);
    expect(state.spent.costUsd).toBe(costUsd);
    expect(JSON.stringify([before, after])).not.toContain(HIDDEN_MARK);
  },
);

test.skipIf(!box)("tasks of other splits are refused in the same words as those that are none", DEEP, async () => {
  const { trials, ids, state } = await open();
  for (const task of [...ids("validation"), ...ids("sealed"), "Sign/99", "../dev"])
    expect(await trials.tryTask(task, signal)).toMatchObject({
      status: "refused",
      output: `There is no dev task ${task}. The tool archive lists them.`,
    });
  expect(state.measured.size).toBe(0);
});

test.skipIf(!box)("a workspace that fails the checks is not measured, and a step has 20 tries", DEEP, async () => {
  const { workspace, trials, ids, state } = await open();
  const [task = ""] = ids("dev");
  writeFileSync(join(workspace, "beside.txt"), "only agent/ and prompts/ may be there");
  for (let i = 0; i < 20; i += 1)
    expect(await trials.tryTask(task, signal)).toMatchObject({ status: "the checks fail" });
  expect(await trials.tryTask(task, signal)).toMatchObject({
    status: "refused",
    output: "All 20 tries of this step are made.",
  });
  expect(state.measured.size).toBe(0);
});

test.skipIf(!box)("where the budget is used up the editor is ended, and the step with it", DEEP, async () => {
  const { trials, stopped, ids, state } = await open({ costUsd: 0.001 });
  const [first = "", second = ""] = ids("dev");
  expect(await trials.tryTask(first, signal)).toMatchObject({ status: "score 0 (failed)" });
  expect(await trials.tryTask(second, signal)).toMatchObject({ status: "not measured" });
  expect([trials.failure, stopped, state.measured.size]).toEqual([expect.any(BudgetReached), ["stopped"], 1]);
});
