/** A row of a dataset in the HumanEvalPack schema, checked and turned into a Task. */

import { z } from "zod";
import { UserError } from "../../utils/errors.ts";
import type { Task } from "../../utils/task.ts";

/** The fields that are used; a row may have more. */
export const RowSchema = z.object({
  task_id: z.string().min(1),
  entry_point: z.string().regex(/^[\p{L}_][\p{L}\p{N}_]*$/u, "it must be the name of a function"),
  instruction: z.string(),
  declaration: z.string().min(1),
  buggy_solution: z.string(),
  canonical_solution: z.string(),
  example_test: z.string(),
  test: z.string().min(1),
  bug_type: z.string(),
  prompt: z.string().min(1),
});
export type Row = z.infer<typeof RowSchema>;

/** A row and where it stands, e.g. `tasks.jsonl, line 3`. */
export interface LocatedRow {
  where: string;
  row: Row;
}

/**
 * The tasks of a dataset, in the order of its rows.
 * @param name of the dataset, for messages
 * @throws UserError where there is no row, an id comes twice, or a row is in another language than Python
 */
export function toTasks(rows: readonly LocatedRow[], name: string): Task[] {
  if (rows.length === 0) throw new UserError(`${name} holds no tasks.`);
  const seen = new Map<string, string>();
  return rows.map(({ where, row }) => {
    const before = seen.get(row.task_id);
    if (before) throw new UserError(`${where}: task_id "${row.task_id}" is already used at ${before}.`);
    seen.set(row.task_id, where);
    refuseOtherLanguages(row.task_id, where);
    return toTask(row);
  });
}

const toTask = (row: Row): Task => ({
  id: row.task_id,
  entryPoint: row.entry_point,
  instruction: row.instruction,
  declaration: row.declaration,
  buggyCode: row.buggy_solution,
  epilogue: "",
  exampleTest: row.example_test,
  hiddenTest: row.test,
  documentedDeclaration: row.prompt,
  canonicalCode: row.canonical_solution,
  bugType: row.bug_type,
});

/** Languages of HumanEvalPack other than Python, as its task ids and its configurations call them. */
const OTHER_LANGUAGES = new Map([
  ["c++", "C++"],
  ["cpp", "C++"],
  ["go", "Go"],
  ["java", "Java"],
  ["javascript", "JavaScript"],
  ["js", "JavaScript"],
  ["rust", "Rust"],
]);

/** `js` → `JavaScript`; undefined for Python and for what is no language of HumanEvalPack. */
export const otherLanguage = (name: string): string | undefined => OTHER_LANGUAGES.get(name.toLowerCase());

function refuseOtherLanguages(taskId: string, where: string): void {
  const language = otherLanguage(taskId.split("/")[0] ?? "");
  if (language) throw new UserError(`${where}: ${taskId} is a task in ${language}; only Python tasks can be run.`);
}
