/** A small benchmark of your own: the model sees the visible tests, and the hidden ones score it. */

import { createModel, createSandbox, createTask, repair, verify } from "mend";

const TASKS = [
  {
    entryPoint: "largest",
    code: "def largest(items):\n    return min(items)\n",
    visible: "assert largest([1, 3, 2]) == 3",
    hidden: "assert largest([-5, -2]) == -2\nassert largest([7]) == 7",
  },
  {
    entryPoint: "is_even",
    code: "def is_even(n):\n    return n % 2 == 1\n",
    visible: "assert is_even(4)",
    hidden: "assert not is_even(7)\nassert is_even(0)",
  },
];

await using sandbox = await createSandbox();
const model = await createModel();
let passed = 0;
for (const { entryPoint, code, visible, hidden } of TASKS) {
  const task = createTask({ code, entryPoint, tests: visible });
  // Else a program that passes the visible tests is returned as it is, whatever the hidden ones say.
  const options = { repairPassing: true, maxIterations: 6, timeoutMs: 120_000 };
  const { answer } = await repair(task, { model, sandbox, ...options });
  const scored = answer === null ? null : await verify({ ...task, exampleTest: hidden }, answer, { sandbox });
  passed += Number(scored?.accepted ?? false);
  console.log(`${entryPoint}: ${scored?.observation.status ?? "no answer"}`);
}
console.log(`pass@1: ${passed}/${TASKS.length}`);
await model.close();
