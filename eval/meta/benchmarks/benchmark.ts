/** What a child agent can be measured on: tasks of benchmarks that it is given as a prompt or as a folder of files. */

import { UserError } from "../../../utils/base/data/errors.ts";
import type { Sandbox } from "../../../utils/sandbox/types.ts";
import {
  type AgentResult,
  type BenchmarkTask,
  type FolderAssignment,
  type SolveAssignment,
  shareOf,
} from "../../benchmark/benchmark.ts";
import type { FunctionTask } from "../../benchmark/functions.ts";
import type { Score } from "../../benchmark/scorer.ts";

/** What a process of its own can be given. */
export type ChildAssignment = SolveAssignment | FolderAssignment;
export type ChildTask = BenchmarkTask<ChildAssignment>;

/** A score from 0 to 1, with a word on how it came about; or why there is none. */
export type ChildScore = { score: number; outcome: string } | { error: string };

/** @throws UserError for a task that is none */
export const functionsOf = (jobs: readonly { task: BenchmarkTask }[]): FunctionTask[] =>
  jobs.map(({ task }) => {
    if (isFunction(task)) return task;
    throw new UserError(`${task.id} is not a function, and the loop takes functions from --dataset.`);
  });

const isFunction = (task: BenchmarkTask): task is FunctionTask =>
  task.assignment.type === "solve" && task.function !== undefined;

/** A score from 0 to 1 for what an agent in a box left. */
export async function scoreLeft(
  task: ChildTask,
  left: AgentResult,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<ChildScore> {
  const scored = await scoreAnswer(task, left, sandbox, signal);
  return "error" in scored ? scored : { score: shareOf(scored.score), outcome: scored.outcome };
}

/**
 * Scores what an agent in a box left. Where the right program gets its verdict, an answer that no judge can look at is
 * wrong: no agent stops a run with one.
 */
export async function scoreAnswer(
  task: BenchmarkTask,
  left: AgentResult,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<{ error: string } | { score: Score; outcome: string }> {
  const scored = await task.score(left, sandbox, signal);
  if ("score" in scored) return { ...scored, outcome: scored.score.outcome };
  if (task.assignment.type !== "solve") return scored;
  const right = await task.score({ answer: task.reference("gold") }, sandbox, signal);
  if ("error" in right || !right.score.passed) return scored;
  const score: Score = { passed: false, outcome: "failed", explanation: `no judge can look at it: ${scored.error}` };
  return { score, outcome: "unjudgeable" };
}
