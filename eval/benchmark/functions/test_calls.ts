/** Functions as their tests use them: the one that they call, and whether they need its interpreter. */

import { LANGUAGES } from "../../../utils/languages/registry.ts";
import { buggyProgram, isProgram, type Task } from "../../../utils/task/task.ts";
import type { Remark } from "../remarks.ts";

/**
 * Gives a task whose program does not define its entry point the one function of it that the hidden test calls, and has
 * tasks judged in one process if values cannot cross between their program and their tests.
 */
export function asTested(given: readonly Task[]): { tasks: Task[]; remarks: Remark[] } {
  const remarks: Remark[] = [];
  const tasks = given.map((task): Task => {
    const called = calledInstead(task);
    const named = called === null ? task : { ...task, entryPoint: called };
    if (called !== null) {
      const reason = `it names ${task.entryPoint}, its program defines ${called}, which its tests call`;
      remarks.push({ id: task.id, kind: "entry_point", reason });
    }
    const shared = named.judgeMode ? null : whyInProcess(named);
    if (shared === null) return named;
    remarks.push({ id: task.id, kind: "in_process", reason: shared });
    return { ...named, judgeMode: "in_process" };
  });
  return { tasks, remarks };
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

function whyInProcess(task: Task): string | null {
  const { language, entryPoint, declaration, hiddenTest, exampleTest } = task;
  const program = buggyProgram(task);
  const why = (test: string) => LANGUAGES[language].whyInProcess?.({ entryPoint, declaration, program, test }) ?? null;
  return why(hiddenTest) ?? why(exampleTest);
}
