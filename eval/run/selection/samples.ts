/** Existing generations, read and matched with their tasks. */

import { z } from "zod";
import { readLocatedJsonl } from "../../../utils/data/jsonl.ts";
import { UserError } from "../../../utils/errors.ts";
import { assembleProgram } from "../../../utils/task/code_postprocess.ts";
import type { Task } from "../../../utils/task/task.ts";

const Line = z
  .object({
    task_id: z.string(),
    /** A complete program, run as it is. */
    solution: z.string().optional(),
    /** What follows the declaration: a body. */
    completion: z.string().optional(),
    attempt: z.number().int().nonnegative().optional(),
  })
  .refine((line) => line.solution !== undefined || line.completion !== undefined, {
    error: "a `solution` (whole program) or a `completion` (body) is needed",
    path: ["solution"],
  });

export interface Generation {
  task: Task;
  attempt: number;
  program: string;
}

/**
 * Reads `{"task_id","solution"}` lines (`completion` is accepted too; `.gz` is unpacked).
 * @throws UserError naming the line: torn, field missing, task unknown, or the same attempt twice
 */
export async function readGenerations(file: string, tasks: readonly Task[]): Promise<Generation[]> {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const next = new Map<string, number>();
  const seen = new Set<string>();
  return (await readLocatedJsonl(file, Line)).map(({ value, line }) => {
    const task = byId.get(value.task_id);
    if (!task) throw new UserError(`${file}, line ${line}: task_id "${value.task_id}" is not in the dataset.`);
    const attempt = value.attempt ?? next.get(task.id) ?? 0;
    next.set(task.id, attempt + 1);
    const key = `${task.id}#${attempt}`;
    if (seen.has(key))
      throw new UserError(`${file}, line ${line}: attempt ${attempt} of ${task.id} stands there twice.`);
    seen.add(key);
    return { task, attempt, program: value.solution ?? assembleProgram(task, value.completion ?? "") };
  });
}
