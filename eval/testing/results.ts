/** Results for tests of what counts them. */

import { noUsage } from "../../agent/run/usage.ts";
import type { Result, ScoredResult } from "../run/results.ts";

/** What a result has of its sample, before anything came of it. */
export const sample = (index: number) => ({ index, task_id: `T/${index}`, attempt: 0, bug_type: "value misuse" });

/** Its usage: 10 tokens in, as many out as its index says, half a dollar. */
export const scored = (index: number, passed: boolean, other: Partial<ScoredResult> = {}): Result => ({
  ...sample(index),
  passed,
  outcome: passed ? "passed" : "failed",
  explanation: "",
  verified: passed,
  stop: "answered",
  iterations: 2,
  format_errors: {},
  usage: { ...noUsage(), inputTokens: 10, outputTokens: index, costUsd: 0.5 },
  ...other,
});

export const failed = (index: number): Result => ({
  ...sample(index),
  error: { kind: "server", message: "it broke" },
});
