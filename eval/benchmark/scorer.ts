/** Scores an answer with the hidden tests. The only reader of `hiddenTest` while a benchmark runs. */

import type { JudgeJob, Outcome, Sandbox } from "../../utils/sandbox/types.ts";
import { helpersIn } from "../../utils/task/judged_tests.ts";
import type { Task } from "../../utils/task/task.ts";

export interface Score {
  passed: boolean;
  outcome: Exclude<Outcome, "sandbox_error">;
  /** What failed, for a person. It may quote hidden tests: never show it to a model. */
  explanation: string;
  /**
   * False for a program that does not compile, ends before its tests begin or lacks the function, and for a patch that
   * does not apply.
   */
  loaded?: boolean;
  /** Whether each separately reported part of the hidden test passed, such as the base inputs. */
  parts?: Record<string, boolean> | undefined;
  /**
   * Of a repository's task that is resolved: whether the whole suite of the fix still tells the answer from the
   * developer's program. Null: it could not be measured.
   */
  overfit?: boolean | null;
  /**
   * Of a patch that passes: which checks against forged passes could not be made, such as whether its tests can fail.
   * Absent: all were made.
   */
  unchecked?: string;
}

/** A score or an error of the harness, never both: what could not be judged is not a fail. */
export type ScoreResult = { score: Score } | { error: string };

/** As the reference harness: at most 10 s for one program and its tests. */
export const SCORE_TIMEOUT_MS = 10_000;

/** Of a sample without an answer. */
export const NO_ANSWER = "no program that loads was answered";

/**
 * Judges `program` by the hidden tests of `task`, in a process that the program cannot reach.
 * @param program complete source; null (nothing was answered) is a fail
 */
export async function scoreProgram(
  task: Task,
  program: string | null,
  sandbox: Sandbox,
  { timeoutMs, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<ScoreResult> {
  if (program === null) {
    return { score: { passed: false, outcome: "failed", explanation: NO_ANSWER } };
  }
  const job = scoringJob(task, program);
  const limits = { timeoutMs: timeoutMs ?? job.timeoutMs, signal };
  const { outcome, passed, explanation, loaded } = await sandbox.judge({ ...job, ...limits });
  if (outcome === "sandbox_error") return { error: explanation || "the sandbox gave no verdict" };
  const parts = await partsPassed(task, passed, (test) => sandbox.judge({ ...job, ...limits, test }));
  return { score: { passed, outcome, explanation, ...(!loaded && { loaded }), ...(parts && { parts }) } };
}

/**
 * Whether each part of the hidden test passed: all of them where the whole did. A part without a verdict is not told
 * of.
 */
async function partsPassed(
  { parts }: Task,
  passed: boolean,
  judge: (test: string) => Promise<{ outcome: Outcome; passed: boolean }>,
): Promise<Record<string, boolean> | undefined> {
  if (!parts) return undefined;
  const found: Record<string, boolean> = {};
  for (const [name, test] of Object.entries(parts)) {
    const verdict = passed ? null : await judge(test);
    if (verdict?.outcome !== "sandbox_error") found[name] = verdict?.passed ?? true;
  }
  return found;
}

/** How `program` is judged by the hidden test. */
export const scoringJob = (task: Task, program: string) =>
  ({
    program,
    language: task.language,
    entryPoint: task.entryPoint,
    test: task.hiddenTest,
    ...(task.judgeMode && { mode: task.judgeMode }),
    helpers: helpersIn(task, task.judgeMode ?? "isolated"),
    checks: task.hiddenChecks,
    timeoutMs: task.scoreTimeoutMs ?? SCORE_TIMEOUT_MS,
  }) satisfies JudgeJob;
