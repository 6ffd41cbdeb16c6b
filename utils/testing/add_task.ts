/** For tests: a task that a word repairs, and what a model answers to it. */

import type { VisibleTask } from "../task/task.ts";

export const ADD_TASK: VisibleTask = {
  id: "T/0",
  language: "python",
  entryPoint: "add",
  instruction: "Return a + b.",
  declaration: "def add(a, b):\n",
  buggyCode: "    return a - b\n",
  epilogue: "",
  exampleTest: "assert add(2, 3) == 5\n",
};

/** @param body what the function returns, e.g. `a + b` */
export const answerToAdd = (body: string, thought = "so."): string =>
  `Thought: ${thought}\nFinal Answer:\n\`\`\`python\ndef add(a, b):\n    return ${body}\n\`\`\``;
