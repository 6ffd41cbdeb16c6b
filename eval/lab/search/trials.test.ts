import { expect, test } from "vitest";
import { openForTests } from "../../../utils/sandbox/testing/open.ts";
import type { Sandbox } from "../../../utils/sandbox/types.ts";
import { KNOWLEDGE } from "../../../utils/search/testing/knowledge.ts";
import { emptyTask } from "../../../utils/testing/empty_task.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { runTrials } from "./trials.ts";

const sandbox = await openForTests();

test("a task whose answers cannot be judged is an error of its own, and the others are measured", DEEP, async () => {
  const tests = "assert half(4) == 2\nassert half(10) == 5\n";
  const parts = { declaration: "def half(x):\n", buggyCode: "    return x * 2\n", entryPoint: "half" };
  const task = (id: string) => emptyTask({ id, ...parts, exampleTest: tests, hiddenTest: tests });
  const unjudged = "what cannot be judged";
  let judged = 0;
  const failing: Sandbox = {
    info: sandbox.info,
    run: (job) => sandbox.run(job),
    judge: async (job) => {
      const verdict = await sandbox.judge(job);
      judged += 1;
      return judged === 1 ? { ...verdict, passed: false, outcome: "sandbox_error", explanation: unjudged } : verdict;
    },
    judgeVisible: (job) => sandbox.judgeVisible(job),
    close: () => sandbox.close(),
    [Symbol.asyncDispose]: () => sandbox.close(),
  };
  const trials = await runTrials([task("first"), task("second")], {
    sandbox: failing,
    ...{ priors: KNOWLEDGE.priors, protocol: "tests", verdicts: new Map() },
  });
  expect(trials.map(({ error }) => error)).toEqual([unjudged, undefined]);
  expect(trials[0]?.candidates).toEqual([]);
  expect(trials[1]?.candidates[0]).toMatchObject({ passed: true });
});
