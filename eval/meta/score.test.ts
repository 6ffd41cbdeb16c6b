import { expect, test } from "vitest";
import { openForTests } from "../../utils/sandbox/testing/open.ts";
import { type Task, toVisible } from "../../utils/task/task.ts";
import { functionTask } from "../benchmark/functions.ts";
import { scoreAnswer } from "./evaluate.ts";
import { signTasks } from "./testing/sign_tasks.ts";

const signal = new AbortController().signal;
const HUGE = "def f(x):\n    return [x] * 2_000_000\n";

async function score(changes: Partial<Task>, answer: string) {
  const [task] = signTasks(1).map((one) => ({ ...one, ...changes }));
  if (!task) throw new Error("there is no task");
  const sandbox = await openForTests();
  return await scoreAnswer(functionTask(task, toVisible(task)), answer, sandbox, signal);
}

test("an answer that no judge can look at is a wrong one, where the right program gets its verdict", async () => {
  expect(await score({ hiddenTest: "assert f(1) + 0 == 2" }, HUGE)).toMatchObject({
    score: { passed: false },
    outcome: "unjudgeable",
  });
});

test("where the tests cannot judge any answer it is an error, whatever the answer", async () => {
  expect(await score({ hiddenTest: "assert f(1) ==" }, HUGE)).toEqual({ error: expect.stringContaining("compile") });
  expect(await score({ hiddenTest: "assert f(1) + 0 == 2", canonicalCode: "" }, HUGE)).toHaveProperty("error");
});
