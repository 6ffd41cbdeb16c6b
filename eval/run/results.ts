/** One line of `results.jsonl`: what one sample came to. A line has a score or an error, never both. */

import { z } from "zod";
import { Usage } from "../../agent/run/usage.ts";
import { type SampleJob, sampleKey } from "./sample.ts";

const Sample = {
  index: z.number().int(),
  task_id: z.string(),
  attempt: z.number().int(),
  /** The seed that the model was sent; absent where none was sent. */
  seed: z.number().int().optional(),
  bug_type: z.string(),
};

const ScoredResult = z.object({
  ...Sample,
  passed: z.boolean(),
  outcome: z.enum(["passed", "failed", "timeout", "crashed", "forged"]),
  explanation: z.string(),
  /** See `Score`; absent where the hidden test has no parts. */
  parts: z.record(z.string(), z.boolean()).optional(),
  /** See `Score`; absent of functions and of what did not pass. */
  overfit: z.boolean().nullable().optional(),
  /** See `Score`; absent of functions and of what was checked. */
  unchecked: z.string().optional(),
  /** Why the answer is called a suggestion; absent where it is called a repair. */
  doubt: z.string().optional(),
  /** Present where the tests shared an interpreter with the program, which is weaker. */
  judge: z.literal("in_process").optional(),
  /** Whether the answer passed the visible verification. */
  verified: z.boolean(),
  stop: z.string(),
  iterations: z.number().int(),
  /** Unreadable replies by kind. */
  format_errors: z.record(z.string(), z.number()),
  /** Replies by the dialect that read them, `strict` for the format itself; absent where they were not counted. */
  dialects: z.record(z.string(), z.number()).optional(),
  usage: Usage,
});

const FailedResult = z.object({
  ...Sample,
  error: z.object({ kind: z.string(), message: z.string() }),
  /** What it used up to the error. */
  usage: Usage.optional(),
});

/** Files have `stop_reason`, and `stop` as version 0.2 had it. */
const withStop = (row: unknown): unknown =>
  typeof row === "object" && row !== null && "stop_reason" in row ? { ...row, stop: row.stop_reason } : row;

export const Result = z.union([z.preprocess(withStop, ScoredResult), FailedResult]);
export type Result = z.infer<typeof Result>;
export type ScoredResult = z.infer<typeof ScoredResult>;

export const isScored = (result: Result): result is ScoredResult => "passed" in result;

/** A line as it is written. `stop` goes with version 0.4. */
export const written = (result: Result) => (isScored(result) ? { ...result, stop_reason: result.stop } : result);

/** Whether the budget ended before the sample did: it is run again where there is more. */
export const isUnpaid = (result: Result): boolean => !isScored(result) && result.error.kind === "budget";

/** The latest line of each sample, in the order of the tasks: a retried error is replaced by what came later. */
export function latest(lines: readonly Result[]): Result[] {
  const bySample = new Map(lines.map((line) => [sampleKey(line), line]));
  return [...bySample.values()].sort((a, b) => a.index - b.index || a.attempt - b.attempt);
}

/** Tells `onResult` of the samples that have a line, and returns the others. */
export function unfinished(
  jobs: readonly SampleJob[],
  lines: readonly Result[],
  { retryErrors, onResult }: { retryErrors: boolean; onResult(result: Result, resumed: boolean): void },
): SampleJob[] {
  const finished = new Set<string>();
  for (const result of latest(lines)) {
    if (!isScored(result) && (retryErrors || isUnpaid(result))) continue;
    finished.add(sampleKey(result));
    onResult(result, true);
  }
  return jobs.filter(({ task, attempt }) => !finished.has(sampleKey({ task_id: task.id, attempt })));
}
