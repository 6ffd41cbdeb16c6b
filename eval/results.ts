/** One line of `results.jsonl`: what one sample came to. A line has a score or an error, never both. */

import { z } from "zod";
import { wilson } from "../utils/stats.ts";
import { addUsage, noUsage, type Usage } from "../utils/usage.ts";

export const UsageSchema: z.ZodType<Usage> = z.object({
  inputTokens: z.number().nullable(),
  cachedInputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  modelCalls: z.number(),
  toolCalls: z.number(),
  seconds: z.number(),
  costUsd: z.number().nullable(),
});

const Sample = { index: z.number().int(), task_id: z.string(), attempt: z.number().int(), bug_type: z.string() };

const ScoredResult = z.object({
  ...Sample,
  passed: z.boolean(),
  outcome: z.enum(["passed", "failed", "timeout", "crashed", "forged"]),
  explanation: z.string(),
  /** Whether the answer passed the visible verification. */
  verified: z.boolean(),
  stop: z.string(),
  iterations: z.number().int(),
  /** Unreadable replies by kind. */
  format_errors: z.record(z.string(), z.number()),
  usage: UsageSchema,
});

const FailedResult = z.object({ ...Sample, error: z.object({ kind: z.string(), message: z.string() }) });

export const ResultSchema = z.union([ScoredResult, FailedResult]);
export type Result = z.infer<typeof ResultSchema>;
export type ScoredResult = z.infer<typeof ScoredResult>;

export const isScored = (result: Result): result is ScoredResult => "passed" in result;

/** Identity of a sample within a run. */
export const sampleKey = ({ task_id, attempt }: { task_id: string; attempt: number }): string =>
  `${task_id}#${attempt}`;

/** The latest line of each sample, in the order of the tasks: a retried error is replaced by what came later. */
export function latest(lines: readonly Result[]): Result[] {
  const bySample = new Map(lines.map((line) => [sampleKey(line), line]));
  return [...bySample.values()].sort((a, b) => a.index - b.index || a.attempt - b.attempt);
}

export interface Summary {
  /** Scored samples: what the score is about. */
  num: number;
  successes: number;
  /** `successes / num`; null where nothing was scored. */
  value: number | null;
  /** Wilson 95% interval of `value`; null where nothing was scored. */
  interval: [number, number] | null;
  /** Samples without a score. */
  errors: number;
  /** True where every sample of the run has a score. */
  complete: boolean;
  usage: Usage;
}

/** Folds results into pass@1. @param expected samples the run should have */
export function summarize(lines: readonly Result[], expected: number): Summary {
  const results = latest(lines);
  const scored = results.filter(isScored);
  const successes = scored.filter(({ passed }) => passed).length;
  const num = scored.length;
  return {
    num,
    successes,
    value: num === 0 ? null : successes / num,
    interval: num === 0 ? null : wilson(successes, num),
    errors: results.length - num,
    complete: num === expected,
    usage: scored.map(({ usage }) => usage).reduce(addUsage, noUsage()),
  };
}
