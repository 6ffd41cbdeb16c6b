/** Functions as their tests use them: the one that they call, and whether they need its interpreter. */

import { LANGUAGES } from "../../../utils/languages/registry.ts";
import { buggyProgram, isProgram, type Task } from "../../../utils/task/task.ts";
import type { Remark } from "../remarks.ts";

/** Gives a task whose program does not define its entry point the one function of it that the hidden test calls. */
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

/** Null if the program defines its entry point, or its test calls none or several of its functions. */
function calledInstead(task: Task): string | null {
  if (isProgram(task)) return null;
  const language = LANGUAGES[task.language];
  const program = buggyProgram(task);
  if (calls(task, task.entryPoint) || language.partsAround(program, task.entryPoint)) return null;
  const called = [...new Set(language.definitions(program))].filter((name) => calls(task, name));
  return called.length === 1 ? (called[0] ?? null) : null;
}

const calls = ({ hiddenTest, language }: Task, name: string): boolean => {
  const before = LANGUAGES[language].callsOnObjects ? "[\\p{L}\\p{N}_$]" : "[\\p{L}\\p{N}_$.]";
  return new RegExp(`(?<!${before})${name.replaceAll("$", "\\$")}\\s*\\(`, "u").test(hiddenTest);
};

/** Has tasks judged in one process if values cannot cross between their program and their tests. */
export function withWays(tasks: readonly Task[]): { tasks: Task[]; remarks: Remark[] } {
  const remarks: Remark[] = [];
  const judged = tasks.map((task): Task => {
    const { language, entryPoint, declaration, judgeMode } = task;
    if (judgeMode) return task;
    const program = buggyProgram(task);
    const why = (test: string) =>
      LANGUAGES[language].whyInProcess?.({ entryPoint, declaration, program, test }) ?? null;
    const reason = why(task.hiddenTest) ?? why(task.exampleTest);
    if (reason === null) return task;
    remarks.push({ id: task.id, kind: "in_process", reason });
    return { ...task, judgeMode: "in_process" };
  });
  return { tasks: judged, remarks };
}
