/** Runs a benchmark on this machine: solves every sample and puts each result on disk as it finishes. */

import { prepareExamples } from "../../agent/prompts.ts";
import { noUsage } from "../../agent/run/usage.ts";
import { pool } from "../../utils/base/concurrency/pool.ts";
import type { FewShotExample } from "../../utils/task/task.ts";
import { type Result, unfinished } from "./results.ts";
import type { SampleJob } from "./sample.ts";
import { type SolveOptions, solveSample } from "./solve/solve.ts";
import { type RunStore, trajectoryText } from "./store.ts";

export interface RunnerOptions extends SolveOptions {
  fewShot: readonly FewShotExample[];
  concurrency: number;
  /** Whether samples that ended with an error are run again. */
  retryErrors: boolean;
  /** Called for each result: those already on disk first, then as they finish. */
  onResult(result: Result, resumed: boolean): void;
  /** True once no further sample should be started. */
  draining(): boolean;
}

/**
 * Runs what the store does not hold yet.
 * @returns the failure of the model that ended the run early (a wrong key, a wrong address), or null
 */
export async function runSamples(jobs: readonly SampleJob[], store: RunStore, options: RunnerOptions) {
  const { sandbox, draining, onResult } = options;
  const todo = unfinished(jobs, store.results, options);
  if (todo.length === 0) return null;
  const examples = await prepareExamples(options.fewShot, sandbox);
  let fatal: string | null = null;
  const stopped = () => fatal !== null || draining() || options.signal.aborted;
  const work = async (job: SampleJob) => {
    const { result, trajectory, fatal: reason } = await solveSample(job, options, examples);
    if (trajectory) store.saveTrajectory({ task_id: job.task.id, attempt: job.attempt }, trajectoryText(trajectory));
    if (result) options.spending.finish(result, result.usage ?? noUsage());
    if (reason) fatal ??= reason;
    if (!result || reason) return;
    store.append(result);
    onResult(result, false);
  };
  await pool(todo, options.concurrency, work, stopped);
  return fatal;
}
