/** For tests of the self-edit loop: tasks that take a moment. */

import { writeFileSync } from "node:fs";
import type { Task } from "../../../utils/task/task.ts";

/** A string that stands in hidden tests only. */
export const HIDDEN_MARK = "hidden_mark_4711";

/** Functions that subtract where they should add; the hidden tests know. */
export const signTasks = (count: number): Task[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `Sign/${i}`,
    language: "python",
    entryPoint: "f",
    instruction: `Add ${i + 1} to x.`,
    declaration: "def f(x):\n",
    documentedDeclaration: `def f(x):\n    """ Add ${i + 1} to x. """\n`,
    buggyCode: `    return x - ${i + 1}\n`,
    epilogue: "",
    exampleTest: "",
    hiddenTest: `${HIDDEN_MARK} = 1\nassert f(1) == ${i + 2}\nassert f(5) == ${i + 6}\n`,
    canonicalCode: `    return x + ${i + 1}\n`,
    bugType: "operator misuse",
  }));

/** As a dataset's file. */
export function writeSignTasks(file: string, count: number): void {
  const rows = signTasks(count).map((task) => ({
    task_id: task.id,
    entry_point: task.entryPoint,
    instruction: task.instruction,
    declaration: task.declaration,
    prompt: task.documentedDeclaration,
    buggy_solution: task.buggyCode,
    canonical_solution: task.canonicalCode,
    example_test: task.exampleTest,
    test: task.hiddenTest,
    bug_type: task.bugType,
  }));
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
}
