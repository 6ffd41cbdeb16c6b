/** For tests and figures: made-up samples and their results. */

import { functionTask } from "../../../benchmark/functions.ts";
import { builtinTasks } from "../../../testing/fake_repairer.ts";
import { scored } from "../../../testing/results.ts";
import { Budget } from "../../cost/budget.ts";
import { type Manifest, RUN_FORMAT } from "../../manifest.ts";
import type { Result } from "../../results.ts";
import { type SampleJob, sampleKey } from "../../results.ts";

export const keyOf = ({ task, attempt }: SampleJob) => sampleKey({ task_id: task.id, attempt });

/** Attempts at each task, all of one object, as `--samples` makes them. */
const ATTEMPTS = 100;

export function madeUpJobs(count: number): SampleJob[] {
  const [task] = builtinTasks;
  if (!task) throw new Error("there is no built-in task");
  const tasks = Array.from({ length: Math.ceil(count / ATTEMPTS) }, (_, i) => {
    const own = { ...task, id: `Simulated/${i}`, bugType: PASSED.bug_type };
    return functionTask(own, own);
  });
  return tasks.flatMap((own, index) =>
    Array.from({ length: Math.min(ATTEMPTS, count - index * ATTEMPTS) }, (_, attempt) => {
      return { index, task: own, attempt };
    }),
  );
}

/** Of a run that hands them out. */
export const madeUpOptions = ({ onResult }: { onResult(): void }) => ({
  budget: new Budget({}),
  signal: new AbortController().signal,
  fewShot: [],
  onResult,
  draining: () => false,
  key: "a secret of the simulation",
  offered: { spec: "search", temperature: 0, local: {} },
  note: () => {},
  onActivity: () => {},
});

const PASSED = scored(0, true);

export const resultOf = (id: string): Result => {
  const [task_id = "", attempt] = id.split("#");
  return { ...PASSED, index: Number(task_id.split("/")[1]), task_id, attempt: Number(attempt) };
};

export const manifestOf = (jobs: readonly SampleJob[]): Manifest => ({
  v: RUN_FORMAT,
  decides: {
    protocol: "example",
    shown: "",
    model: { name: "simulated", parameters: {} },
    dataset: { name: "simulated", sha256: "" },
    few_shot: { from: "dataset", task_ids: [] },
    tools: [],
    limits: { max_iterations: 1, timeout_ms: 1 },
    seed: null,
    prices: null,
    sandbox: { layer: "bwrap", python: "3.11" },
    code: "",
    attempts: 1,
    samples: jobs.map(keyOf),
  },
  git_commit: null,
  started_at: new Date(0).toISOString(),
});
