/** A sample: one attempt at a task within a run. Its identity, seed, file, and the work that it is. */

import { createHash } from "node:crypto";
import { deriveSeed } from "../../utils/base/statistics/seed.ts";
import type { BenchmarkTask } from "../benchmark/benchmark.ts";

/** Which attempt at which task, as results and file names say it. */
export interface SampleId {
  task_id: string;
  attempt: number;
}

/** A sample to be run, and its task's position in the benchmark. */
export interface SampleJob {
  index: number;
  task: BenchmarkTask;
  attempt: number;
}

/** Identity of a sample within a run. */
export const sampleKey = ({ task_id, attempt }: SampleId): string => `${task_id}#${attempt}`;

/** The seed of one attempt: derived from `--seed`, the task's id and the number of the attempt. */
export const sampleSeed = (
  seed: number,
  { task, attempt }: { task: Pick<BenchmarkTask, "id">; attempt: number },
): number => deriveSeed(seed, task.id, attempt);

/**
 * `Python/0` and attempt 0 → `Python_0.0.json`. An id that is too long for a file's name, or has other characters, gets
 * its hash added.
 */
export function trajectoryFile({ task_id, attempt }: SampleId): string {
  const name = task_id.replace(/[^A-Za-z0-9._-]/g, "_");
  if (/^[A-Za-z0-9._/-]{1,150}$/.test(task_id)) return `${name}.${attempt}.json`;
  const hash = createHash("sha256").update(task_id).digest("hex").slice(0, 16);
  return `${name.slice(0, 100)}-${hash}.${attempt}.json`;
}

/** Two samples, by their keys, that would share a file; null where each has its own. */
export function sharedFile(keys: readonly string[]): [string, string] | null {
  const known = new Map<string, string>();
  for (const key of keys) {
    const at = key.lastIndexOf("#");
    const file = trajectoryFile({ task_id: key.slice(0, at), attempt: Number(key.slice(at + 1)) });
    const other = known.get(file);
    if (other !== undefined) return [other, key];
    known.set(file, key);
  }
  return null;
}
