/** For tests: a task with defaults for all fields that are not given. */

import type { Task } from "../task/task.ts";

export const emptyTask = (given: Partial<Task>): Task => ({
  id: "t/1",
  language: "python",
  entryPoint: "f",
  instruction: "",
  declaration: "",
  documentedDeclaration: "",
  buggyCode: "",
  epilogue: "",
  exampleTest: "",
  hiddenTest: "",
  canonicalCode: "",
  bugType: "",
  ...given,
});
