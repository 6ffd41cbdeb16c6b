/** For tests of the self-edit loop: a box, and a run in a folder of its own, for one child of the mini agent. */

import { cpSync } from "node:fs";
import { join } from "node:path";
import { makeTemporaryFolder } from "../../../utils/base/files/temporary.ts";
import type { AgentSandbox, Sandbox } from "../../../utils/sandbox/types.ts";
import { type Task, toVisible } from "../../../utils/task/task.ts";
import { functionTask } from "../../benchmark/functions.ts";
import { Budget, type BudgetLimits } from "../../run/cost/budget.ts";
import { openArchive } from "../archive/archive.ts";
import { type AgentBox, openBox } from "../child/box.ts";
import { openBuilder } from "../child/build.ts";
import type { PricedModel } from "../child/model_proxy.ts";
import { splitTasks } from "../gates/splits.ts";
import { PAPER_UTILITY } from "../gates/utility.ts";
import { openLog } from "../log.ts";
import type { LoopOptions } from "../loop.ts";
import { Workbench } from "../workbench.ts";
import { writeAgent } from "./mini_agent.ts";

/** A folder that is removed with the scope that holds it. */
export const temporaryFolder = () => makeTemporaryFolder("meta");

/** A box, or null with a warning: such tests then skip. */
export async function findBox(): Promise<AgentBox | null> {
  try {
    return await openBox({ unsafe: false });
  } catch {
    console.warn("bubblewrap does not work here: the self-edit loop is not tested");
    return null;
  }
}

export interface TestRun {
  folder: string;
  /** Where programs are built; runs may share it. */
  builds?: string;
  box: AgentBox;
  /** Where answers are scored. */
  sandbox: Sandbox;
  /** Of agents alone. */
  agentSandbox: AgentSandbox;
  solver: PricedModel;
  tasks: Task[];
  budget?: BudgetLimits;
  protectedPaths?: string[];
  timeoutMs?: number;
}

/** A workbench and loop options as the command makes them, for one child of the mini agent. */
export async function openTestRun(run: TestRun): Promise<{ bench: Workbench; options: LoopOptions }> {
  const { folder, box, sandbox, agentSandbox, tasks, timeoutMs = 5_000 } = run;
  const seedAgent = join(folder, "seed-agent");
  writeAgent(seedAgent);
  const log = openLog(folder);
  const budget = new Budget(run.budget ?? {}, log.state.spent);
  const solver = { ...run.solver, budget };
  const bench = new Workbench({
    folder,
    log,
    archive: await openArchive(folder),
    builder: openBuilder(box, run.builds ?? join(folder, "builds")),
    evaluator: {
      box,
      sandbox,
      agentSandbox,
      priced: solver,
      examples: [],
      limits: { maxIterations: 5, timeoutMs, graceMs: 1_000 },
      seed: 0,
      hash: "test",
    },
    splits: splitTasks(tasks.map((task) => functionTask(task, toVisible(task)))),
    budget,
    concurrency: 3,
    signal: new AbortController().signal,
    draining: () => false,
  });
  const options: LoopOptions = {
    iterations: 1,
    seedAgent,
    select: "argmax",
    gates: {
      smokeTasks: 2,
      screenTasks: 10,
      screenLosses: 3,
      alpha: 0.05,
      family: 1,
      protectedPaths: run.protectedPaths ?? [],
    },
    step: {
      meta: solver,
      maxIterations: 10,
      timeoutMs: 120_000,
      caps: {},
      contextTokens: null,
      utility: PAPER_UTILITY,
    },
    onNoise: () => {},
    onBaseline: () => {},
    onJudged: () => {},
  };
  return { bench, options };
}

/** A run's folder as another run left it. */
export const copyRun = (from: string, to: string): void =>
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
