/** A sample: one attempt at a task within a run. Its identity, seed, file, and the work that it is. */

import { deriveSeed } from "../../utils/statistics/seed.ts";
import type { Task, VisibleTask } from "../../utils/task/task.ts";

/** Which attempt at which task, as results and file names say it. */
export interface SampleId {
  task_id: string;
  attempt: number;
}

/** A sample to be run, and its task's position in the dataset. */
export interface SampleJob {
  index: number;
  task: Task;
  /** What the protocol shows of the task. */
  visible: VisibleTask;
  attempt: number;
}

/** Identity of a sample within a run. */
export const sampleKey = ({ task_id, attempt }: SampleId): string => `${task_id}#${attempt}`;

/** The seed of one attempt: derived from `--seed`, the task's id and the number of the attempt. */
export const sampleSeed = (seed: number, { task, attempt }: Pick<SampleJob, "task" | "attempt">): number =>
  deriveSeed(seed, task.id, attempt);

/** `Python/0` and attempt 0 → `Python_0.0.json`. */
export const trajectoryFile = ({ task_id, attempt }: SampleId): string =>
  `${task_id.replace(/[^A-Za-z0-9._-]/g, "_")}.${attempt}.json`;
