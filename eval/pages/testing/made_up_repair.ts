/** A repair of a user's own file as `mend repair` keeps one: made up, with text that wants to be markup. */

import { noUsage } from "../../../agent/run/usage.ts";
import { noOutcome } from "../../../fix/outcome/outcome.ts";
import { keepRepair } from "../../run/repairs/record.ts";
import { answerStep, messagesOf, uniform } from "./made_up_steps.ts";

const HOSTILE = "<img src=x onerror=alert(1)>";
const patch = (line: string) =>
  `diff --git a/half.py b/half.py\n--- a/half.py\n+++ b/half.py\n@@ -1,2 +1,2 @@\n def half(x):\n-    return x * 2\n+    return ${line}\n`;

/** @returns the folder of the run */
export function writeMadeUpRepair(folder: string): string {
  const answer = "def half(x):\n    return x / 2\n";
  const step = answerStep(1, answer, true, uniform(1), { hostile: HOSTILE });
  return keepRepair(folder, {
    target: "half.py",
    model: { name: "openai:made-up-7b", parameters: {} },
    limits: { max_iterations: 12 },
    seed: null,
    startedAt: new Date("2026-01-02T03:04:05Z"),
    again: "mend repair half.py --model openai:made-up-7b",
    attempts: [
      {
        taskId: "half.py",
        model: "openai:made-up-7b",
        stop: "answered",
        answer,
        verified: true,
        iterations: 1,
        steps: [step],
        messages: messagesOf([step], "def half(x):\n    return x * 2\n", HOSTILE),
        usage: noUsage(),
        seconds: 1,
      },
    ],
    outcome: {
      ...noOutcome,
      outcome: "suggestion",
      root: "/project",
      file: "half.py",
      function: "half",
      test_command: "pytest test_half.py",
      framework: "pytest",
      sandbox: "plain",
      model: "openai:made-up-7b",
      before: {
        passing: ["test_zero"],
        failing: [{ name: `test_half[${HOSTILE}]`, message: "assert 8 == 2" }],
        flaky: [],
        not_loaded: null,
      },
      after: [{ name: `test_half[${HOSTILE}]`, status: "passed" }],
      diff: patch("x / 2"),
      alternatives: [{ diff: patch("x // 2"), input: "(5)", gives: "2", repair_gives: "2.5" }],
      doubts: ["2 different edits pass the same tests: choose one, or add a test that tells them apart"],
      remarks: [`left out: ${HOSTILE}`],
    },
  });
}
