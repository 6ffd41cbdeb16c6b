/** The task: a buggy function, what it should do, and the tests that say whether a repair is right. */

import { z } from "zod";
import { LANGUAGE_NAMES } from "../languages/language.ts";

/** Everything an agent may see of a task. Nothing else of a task ever enters `agent/`. */
export const VisibleTask = z.object({
  id: z.string(),
  /** What program and tests are written in. */
  language: z.enum(LANGUAGE_NAMES),
  /** Name of the function to repair; the tests call it. */
  entryPoint: z.string(),
  /** What the function should do, in words. */
  instruction: z.string(),
  /** Imports, helpers and the `def` line: the text before the function's body. */
  declaration: z.string(),
  /** The buggy body. `declaration + buggyCode + epilogue` is the buggy program. */
  buggyCode: z.string(),
  /** What follows the function in its file; empty for benchmark tasks. */
  epilogue: z.string(),
  /** The visible test; empty where the task has none. */
  exampleTest: z.string(),
  /**
   * `in_process`: the isolated judge cannot carry what its tests pass; they share an interpreter with the program,
   * which is weaker. `stdin`: it is a program that reads its input and prints, and its tests are cases (`StdinCase`),
   * one a line.
   */
  judgeMode: z.enum(["in_process", "stdin"]).optional(),
  /** Where a compiled program is judged `in_process`: how many checks of the example test the correct one reaches. */
  checks: z.number().optional(),
});
export type VisibleTask = z.infer<typeof VisibleTask>;

/** A task with what only the scorer may see. */
export const Task = VisibleTask.extend({
  hiddenTest: z.string(),
  /** As `checks`, of the hidden test. */
  hiddenChecks: z.number().optional(),
  /** The declaration with the docstring, as the function's author wrote it. */
  documentedDeclaration: z.string(),
  /** The correct body; empty where the correct program differs from the buggy one elsewhere too. */
  canonicalCode: z.string(),
  /** The whole correct program, where `canonicalCode` cannot give it. */
  correctSource: z.string().optional(),
  bugType: z.string(),
  /** Parts of the hidden test that have results of their own, by name. */
  parts: z.record(z.string(), z.string()).optional(),
  /** Limit in milliseconds for the hidden test, where it needs more than others do. */
  scoreTimeoutMs: z.number().optional(),
});
export type Task = z.infer<typeof Task>;

/** A solved task shown to the model as an example: visible material and the right body, never a hidden test. */
export const FewShotExample = VisibleTask.extend({ canonicalCode: z.string() });
export type FewShotExample = z.infer<typeof FewShotExample>;

/**
 * The part of a task that an agent may see: the fields that the schema names, so a field added to Task stays hidden.
 */
export const toVisible = (task: Task): VisibleTask => VisibleTask.parse(task);

/** Whether it is a program that reads its input and prints, rather than a function. */
export const isProgram = ({ judgeMode }: Pick<VisibleTask, "judgeMode">): boolean => judgeMode === "stdin";

/** The buggy program as one text. */
export const buggyProgram = (task: VisibleTask): string => task.declaration + task.buggyCode + task.epilogue;

/** Whether the function is to be written: there is no buggy body to begin from. */
export const isToWrite = ({ buggyCode }: VisibleTask): boolean => buggyCode.trim() === "";

/** The correct program as one text; null where the dataset has none. */
export const correctProgram = ({ correctSource, declaration, canonicalCode, epilogue }: Task): string | null =>
  correctSource ?? (canonicalCode.trim() === "" ? null : declaration + canonicalCode + epilogue);

/** Whether any visible test says what is right. */
export const hasTests = ({ exampleTest }: Pick<VisibleTask, "exampleTest">): boolean => exampleTest.trim() !== "";
