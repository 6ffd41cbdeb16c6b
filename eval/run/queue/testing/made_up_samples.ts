/** For tests and figures: samples that nobody solves, and what came of them. */

import { builtinTasks } from "../../../testing/fake_repairer.ts";
import { scored } from "../../../testing/results.ts";
import { Spending } from "../../cost/spending.ts";
import { type Manifest, RUN_FORMAT } from "../../manifest.ts";
import type { Result } from "../../results.ts";
import { type SampleJob, sampleKey } from "../../sample.ts";

export const keyOf = ({ task, attempt }: SampleJob) => sampleKey({ task_id: task.id, attempt });

export function madeUpJobs(count: number): SampleJob[] {
  const [task] = builtinTasks;
  if (!task) throw new Error("there is no built-in task");
  return Array.from({ length: count }, (_, index) => {
    const own = { ...task, id: `Simulated/${index}` };
    return { index, task: own, visible: own, attempt: 0 };
  });
}

/** Of a run that hands them out. */
export const madeUpOptions = ({ onResult }: { onResult(): void }) => ({
  candidates: 1,
  spending: new Spending([]),
  signal: new AbortController().signal,
  fewShot: [],
  onResult,
  draining: () => false,
  key: "a secret of the simulation",
  offered: { spec: "search", temperature: 0, local: {} },
  note: () => {},
  onActivity: () => {},
});

export const resultOf = (id: string): Result => {
  const [task_id = "", attempt] = id.split("#");
  const sample = { index: Number(task_id.split("/")[1]), task_id, attempt: Number(attempt), bug_type: "value misuse" };
  return { ...scored(0, true), ...sample };
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
    candidates: 1,
    attempts: 1,
    samples: jobs.map(keyOf),
  },
  git_commit: null,
  started_at: new Date(0).toISOString(),
});
