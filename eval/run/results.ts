/** A sample, one attempt at a task, and its line in `results.jsonl`: it has a score or an error, never both. */

import { createHash } from "node:crypto";
import { z } from "zod";
import type { Step, Trajectory } from "../../agent/run/trajectory.ts";
import { addUsage, noUsage, Usage } from "../../agent/run/usage.ts";
import { deriveSeed } from "../../utils/base/statistics/seed.ts";
import type { BenchmarkTask } from "../benchmark/benchmark.ts";

/** Which attempt at which task, as results and file names say it. */
export interface SampleId {
  task_id: string;
  attempt: number;
}

/** A sample to be run, and its task's position in the benchmark. */
export interface SampleJob {
  index: number;
  task: BenchmarkTask;
  attempt: number;
}

/** Identity of a sample within a run. */
export const sampleKey = ({ task_id, attempt }: SampleId): string => `${task_id}#${attempt}`;

/** The seed of one attempt: derived from `--seed`, the task's id and the number of the attempt. */
export const sampleSeed = (
  seed: number,
  { task, attempt }: { task: Pick<BenchmarkTask, "id">; attempt: number },
): number => deriveSeed(seed, task.id, attempt);

/**
 * `Python/0` and attempt 0 → `Python_0.0.json`. An id that is too long for a file's name, or has other characters, gets
 * its hash added.
 */
export function trajectoryFile({ task_id, attempt }: SampleId): string {
  const name = task_id.replace(/[^A-Za-z0-9._-]/g, "_");
  if (/^[A-Za-z0-9._/-]{1,150}$/.test(task_id)) return `${name}.${attempt}.json`;
  const hash = createHash("sha256").update(task_id).digest("hex").slice(0, 16);
  return `${name.slice(0, 100)}-${hash}.${attempt}.json`;
}

/** Two samples, by their keys, that would share a file; null where each has its own. */
export function sharedFile(keys: readonly string[]): [string, string] | null {
  const known = new Map<string, string>();
  for (const key of keys) {
    const at = key.lastIndexOf("#");
    const file = trajectoryFile({ task_id: key.slice(0, at), attempt: Number(key.slice(at + 1)) });
    const other = known.get(file);
    if (other !== undefined) return [other, key];
    known.set(file, key);
  }
  return null;
}

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
  /** Replies by the dialect that read them, see `formOf`; `strict` is the format itself. Absent: not counted. */
  dialects: z.record(z.string(), z.number()).optional(),
  /** Replies by the model and fingerprint that the server names; absent where it names none. */
  answered_by: z.record(z.string(), z.number()).optional(),
  /** Replies that ended at the length limit; absent where there are none. */
  cut_off: z.number().int().optional(),
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

/** Whether only `--retry-errors` runs the sample again. */
export const isKeptError = (result: Result): boolean => !isScored(result) && !isUnpaid(result);

/**
 * The latest line of each sample, in the order of the tasks: a retried error is replaced by what came later. Its usage
 * is that of all lines of the sample, since each was paid for.
 */
export function latest(lines: readonly Result[]): Result[] {
  const bySample = new Map<string, Result>();
  for (const line of lines) {
    const spent = bySample.get(sampleKey(line))?.usage;
    bySample.set(sampleKey(line), spent ? { ...line, usage: addUsage(spent, line.usage ?? noUsage()) } : line);
  }
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
    if (isUnpaid(result) || (retryErrors && isKeptError(result))) continue;
    finished.add(sampleKey(result));
    onResult(result, true);
  }
  return jobs.filter(({ task, attempt }) => !finished.has(sampleKey({ task_id: task.id, attempt })));
}

/** Tools whose refusal means that an edit was not written as it has to be. */
const EDITS: readonly string[] = ["edit", "create"];

type RepliesKey = "format_errors" | "dialects" | "answered_by" | "cut_off";

/** The replies of a trajectory. */
export function repliesIn(trajectory: Trajectory): Pick<ScoredResult, RepliesKey> {
  const cutOff = trajectory.steps.filter(({ finishReason }) => finishReason === "length").length;
  const answeredBy = countReplies(trajectory, (step) => step.answeredBy);
  return {
    format_errors: countReplies(trajectory, malformation),
    dialects: countReplies(trajectory, formOf),
    ...(Object.keys(answeredBy).length > 0 && { answered_by: answeredBy }),
    ...(cutOff > 0 && { cut_off: cutOff }),
  };
}

/** The dialect of a reply; native replies are calls, or the answer beside them. */
const formOf = ({ reply, dialect }: Step): string | undefined =>
  dialect === "native" ? (reply.kind === "act" ? "tool_call" : "answer") : dialect;

/** Why a reply was not as it has to be: it could not be read, or its edit does not fit the file. */
function malformation({ reply, observation }: Step): string | undefined {
  if (reply.kind === "malformed") return reply.error;
  return reply.kind === "act" && EDITS.includes(reply.tool) && observation.status === "refused" ? "edit" : undefined;
}

/** By what `kindOf` says of their turn. */
function countReplies({ steps }: Trajectory, kindOf: (step: Step) => string | undefined): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const step of steps) {
    const kind = kindOf(step);
    if (kind !== undefined) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}
