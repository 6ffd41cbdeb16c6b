/**
 * A row of a dataset in the HumanEvalPack schema, checked and turned into a Task with the function that its tests call.
 */

import { z } from "zod";
import { UserError } from "../../utils/base/data/errors.ts";
import type { LanguageName } from "../../utils/languages/language.ts";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import { firstPart, KNOWN_TITLES, languageOfTask, unknownLanguage } from "../../utils/task/languages.ts";
import { buggyProgram, isProgram, type Task } from "../../utils/task/task.ts";
import type { LocatedRow } from "./files.ts";
import type { Remark } from "./remarks.ts";

/** The fields that are used; a row may have more. */
export const RowSchema = z.object({
  task_id: z.string().min(1),
  entry_point: z.string().regex(/^[\p{L}_$][\p{L}\p{N}_$]*$/u, "it must be the name of a function"),
  instruction: z.string(),
  declaration: z.string().min(1),
  buggy_solution: z.string(),
  canonical_solution: z.string(),
  example_test: z.string(),
  test: z.string(),
  bug_type: z.string(),
  prompt: z.string().min(1),
});
export type Row = z.infer<typeof RowSchema>;

/**
 * The tasks of a dataset, in the order of its rows.
 * @param name of the dataset, for messages
 * @throws UserError where there is no row, an id comes twice, or a row is in a language that cannot be run
 */
export function toTasks(rows: readonly LocatedRow<Row>[], name: string): Task[] {
  if (rows.length === 0) throw new UserError(`${name} holds no tasks.`);
  const seen = new Map<string, string>();
  return rows.map(({ where, row }) => {
    const before = seen.get(row.task_id);
    if (before) throw new UserError(`${where}: task_id "${row.task_id}" is already used at ${before}.`);
    seen.set(row.task_id, where);
    return toTask(row, languageOf(row.task_id, where));
  });
}

const toTask = (row: Row, language: LanguageName): Task => ({
  id: row.task_id,
  language,
  entryPoint: row.entry_point,
  instruction: row.instruction,
  declaration: LANGUAGES[language].declarationOf?.(row.prompt, row.entry_point, row.declaration) ?? row.declaration,
  buggyCode: row.buggy_solution,
  epilogue: "",
  // Rows of Rust have none, which HumanEvalPack writes as a text.
  exampleTest: row.example_test === "None" ? "" : row.example_test,
  hiddenTest: row.test,
  documentedDeclaration: row.prompt,
  canonicalCode: row.canonical_solution,
  bugType: row.bug_type,
});

function languageOf(taskId: string, where: string): LanguageName {
  const unknown = unknownLanguage(firstPart(taskId));
  if (unknown) throw new UserError(`${where}: ${taskId} is a task in ${unknown}; only ${KNOWN_TITLES} can be run.`);
  return languageOfTask(taskId).name;
}

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

/** `tasks`, where values cannot cross between their program and their tests, as such that are judged in one process. */
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
