/** The tests of a task as a judge needs them, which depends on the task's language. */

import type { JudgeMode } from "../languages/language.ts";
import { LANGUAGES } from "../languages/registry.ts";
import { buggyProgram, type VisibleTask } from "./task.ts";

/**
 * Source that the tests may use besides the function under test: the imports and helper functions of the declaration.
 * Tests take them from here and never from a candidate.
 */
export const testHelpers = ({ language, declaration, entryPoint }: VisibleTask): string =>
  LANGUAGES[language].testHelpers(declaration, entryPoint);

/** Whether the checks of a task must be counted with the correct program before an answer is judged by them. */
export const needsCount = ({ judgeMode, language }: VisibleTask): boolean =>
  judgeMode === "in_process" && LANGUAGES[language].runtime?.compiled !== undefined;

/**
 * The helpers that a judge adds to the tests. In the program's own interpreter (`in_process`) tests find the program's
 * names and get no helpers; in one process with a compiled program they use the task's declarations.
 */
export const helpersIn = (task: VisibleTask, mode: JudgeMode): string => {
  if (mode === "isolated") return testHelpers(task);
  return needsCount(task) ? buggyProgram(task) : "";
};

/** The visible tests as a judge takes them. */
export function visibleTests(task: VisibleTask, mode: JudgeMode = task.judgeMode ?? "isolated") {
  const { language, entryPoint, exampleTest: test, checks } = task;
  return { language, entryPoint, test, helpers: helpersIn(task, mode), mode, checks };
}

/** Limit of one run of the visible tests in CPU time, as in the reference harness's scoring. */
export const VISIBLE_TIMEOUT_MS = 10_000;

/** The judge's job that runs the visible tests of a task on a program. */
export const visibleJob = (task: VisibleTask, program: string) => ({
  ...visibleTests(task),
  program,
  timeoutMs: VISIBLE_TIMEOUT_MS,
});
