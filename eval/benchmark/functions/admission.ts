/** Which tasks of a dataset can be scored here: those whose own correct program passes the tests. */

import { pool } from "../../../utils/base/concurrency/pool.ts";
import type { JudgeJob, Sandbox } from "../../../utils/sandbox/types.ts";
import type { Task } from "../../../utils/task/task.ts";

/** A task that a dataset holds and that is not scored, and why. */
export interface OmittedTask {
  id: string;
  reason: string;
}

export interface Admission {
  tasks: Task[];
  leftOut: OmittedTask[];
}

/** Programs at a time. */
const WIDTH = 2;

/**
 * Runs `check` on every item, a few at a time.
 * @param check the task, or one sentence that says why it cannot be scored
 * @returns both kinds in the order of the items
 */
export async function admit<Item extends { id: string }>(
  items: readonly Item[],
  check: (item: Item) => Promise<Task | string>,
): Promise<Admission> {
  const found = new Map<Item, Task | string>();
  await pool(items, WIDTH, async (item) => void found.set(item, await check(item)));
  const admitted: Admission = { tasks: [], leftOut: [] };
  for (const item of items) {
    const result = found.get(item) ?? "it was not looked at";
    if (typeof result === "string") admitted.leftOut.push({ id: item.id, reason: result });
    else admitted.tasks.push(result);
  }
  return admitted;
}

/**
 * Why `program` does not pass `test`; null where it does. @throws Error where the sandbox gave no verdict for no fault
 * of theirs
 */
export async function shortcoming(sandbox: Sandbox, job: Omit<JudgeJob, "signal">): Promise<string | null> {
  const { outcome, passed, explanation } = await sandbox.judge(job);
  return passed ? null : `${outcome}${explanation && `: ${explanation}`}`;
}
