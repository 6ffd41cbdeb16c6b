/** Rows that name another function than their program defines. */

import { LANGUAGES } from "../../utils/languages/registry.ts";
import { buggyProgram, type Task } from "../../utils/task.ts";
import type { Remark } from "./remarks.ts";

/** `tasks`, where a program does not define its entry point, with the one function of it that the hidden test calls. */
export function withCalledEntryPoints(tasks: readonly Task[]): { tasks: Task[]; remarks: Remark[] } {
  const remarks: Remark[] = [];
  const named = tasks.map((task) => {
    const called = calledInstead(task);
    if (called === null) return task;
    const reason = `it names ${task.entryPoint}, its program defines ${called}, which its tests call`;
    remarks.push({ id: task.id, kind: "entry_point", reason });
    return { ...task, entryPoint: called };
  });
  return { tasks: named, remarks };
}

/** Null where the program defines its entry point, and where its test calls none or several of its functions. */
function calledInstead(task: Task): string | null {
  const language = LANGUAGES[task.language];
  const program = buggyProgram(task);
  if (calls(task.hiddenTest, task.entryPoint) || language.partsAround(program, task.entryPoint)) return null;
  const called = [...new Set(language.definitions(program))].filter((name) => calls(task.hiddenTest, name));
  return called.length === 1 ? (called[0] ?? null) : null;
}

const calls = (test: string, name: string): boolean =>
  new RegExp(`(?<![\\p{L}\\p{N}_$.])${name.replaceAll("$", "\\$")}\\s*\\(`, "u").test(test);
