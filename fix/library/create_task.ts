/** A task from the plain things a program has at hand. */

import { z } from "zod";
import { UserError } from "../../utils/base/data/errors.ts";
import { parseRecord } from "../../utils/base/data/record.ts";
import { LANGUAGE_NAMES } from "../../utils/languages/language.ts";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import type { VisibleTask } from "../../utils/task/task.ts";

const TaskParts = z.strictObject({
  /** The program with the function to repair. */
  code: z.string(),
  /** Name of a top-level function or class in it. */
  entryPoint: z.string(),
  /** Assertions that call it. Default: none; then what loads and defines `entryPoint` is an answer, never verified. */
  tests: z.string().optional(),
  /** What it should do, in words. Default: what its name, docstring and tests say. */
  instruction: z.string().optional(),
  /** Default: Python. */
  language: z.enum(LANGUAGE_NAMES).optional(),
  id: z.string().optional(),
});
export type TaskParts = z.infer<typeof TaskParts>;

/** @throws UserError for a part that is missing or wrong, and if the code has no such top-level definition */
export function createTask(given: TaskParts): VisibleTask {
  const { code, entryPoint, tests = "", instruction, language = "python", id } = parseRecord(given, TaskParts, "task");
  const parts = LANGUAGES[language].partsAround(code, entryPoint);
  if (!parts) throw new UserError(`task: the code has no top-level function or class "${entryPoint}".`);
  return {
    id: id ?? entryPoint,
    language,
    entryPoint,
    instruction: instruction ?? `Repair \`${entryPoint}\` so that it does what its name, docstring and tests say.`,
    declaration: parts.declaration,
    buggyCode: parts.body,
    epilogue: parts.epilogue,
    exampleTest: tests,
  };
}
