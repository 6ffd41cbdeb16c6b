/** Scores what an agent in a box left of a task. */

import type { Sandbox } from "../../utils/sandbox/types.ts";
import type { AgentResult, BenchmarkTask, FolderAssignment, SolveAssignment } from "../benchmark/benchmark.ts";
import type { Score } from "../benchmark/scorer.ts";

/** What an agent in a process of its own can be given. */
export type ChildAssignment = SolveAssignment | FolderAssignment;
export type ChildTask = BenchmarkTask<ChildAssignment>;

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
