/** Results for tests of what counts them. */

import { noUsage } from "../../agent/run/usage.ts";
import { type Manifest, RUN_FORMAT } from "../run/manifest.ts";
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

/** Of a run with these samples, such as `T/0#0`. */
export const manifestOf = (samples: string[], decides: Partial<Manifest["decides"]> = {}): Manifest => ({
  v: RUN_FORMAT,
  decides: {
    protocol: "example",
    shown: "instruction, buggy code, example test",
    model: { name: "search", parameters: {} },
    dataset: { name: "made-up.jsonl", sha256: "0".repeat(64) },
    few_shot: { from: "dataset", task_ids: [] },
    tools: ["code_interpreter"],
    limits: { max_iterations: 15, timeout_ms: 600_000 },
    seed: null,
    prices: null,
    sandbox: { layer: "bwrap", python: "3.11.7" },
    code: "0".repeat(64),
    attempts: 1,
    samples,
    ...decides,
  },
  git_commit: null,
  started_at: "2026-01-02T03:04:05.000Z",
});
