/** For tests of runs: what a scripted model server must know to answer the tasks of the built-in set. */

import type { FakeRequest } from "../../agent/models/testing/fake_openai.ts";
import type { Task } from "../../utils/task/task.ts";
import { loadDataset } from "../benchmark/find.ts";

export const { tasks: builtinTasks } = await loadDataset("builtin", { log: () => {} });

/** The task of a request: the one whose buggy body stands in the message that gave it. */
export function taskOf({ body }: FakeRequest): Task {
  const texts = body.messages.map(({ content }) => content ?? "");
  const given = texts.findLastIndex((text) => text.startsWith("Repair this function."));
  const task = builtinTasks.find(({ buggyCode }) => texts[given]?.includes(buggyCode.trimEnd()));
  if (!task) throw new Error("a request without a known task");
  return task;
}

/** Turns the model has taken on the task itself: assistant messages after the action that comes with it. */
export const turnsTaken = ({ body }: FakeRequest): number =>
  body.messages.length - 1 - body.messages.findLastIndex(({ content }) => content?.startsWith("Repair this function."));

export const finalAnswer = (code: string): string => `Thought: fixed.\nFinal Answer:\n\`\`\`python\n${code}\n\`\`\``;
export const right = (task: Task): string => finalAnswer(task.declaration + task.canonicalCode);
export const wrong = (task: Task): string => finalAnswer(task.declaration + task.buggyCode);
