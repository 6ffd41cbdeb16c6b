/** What an agent can be measured on: functions, repairs of repositories, and tasks that are made from a git repository. */

import type { TestsVerdict } from "../../agent/tools/run_tests.ts";
import type { Observation } from "../../agent/tools/tool.ts";
import type { Sandbox } from "../../utils/sandbox/types.ts";
import { correctProgram, type Task, type VisibleTask } from "../../utils/task/task.ts";
import { type Score, scoreProgram } from "../benchmark/scorer.ts";

/** A score from 0 to 1, with a word on how it came about; or why there is none. */
export type BenchmarkScore = { score: number; outcome: string } | { error: string };

/** What an agent gets: a function to repair, or a folder of files with an instruction. */
export type Assignment =
  | { type: "solve"; visible: VisibleTask }
  | {
      type: "work";
      /** Puts the files into an empty folder. @returns what the agent is asked to do */
      prepare(folder: string, signal: AbortSignal): Promise<string>;
      /** Absent where there is nothing to run. */
      tests?: FolderTests;
    };

/** Tests that the host runs, in a box of their own, on the folder as it is while an agent works in it. */
export interface FolderTests {
  /** @param input of the tool `run_tests` */
  run(folder: string, input: Record<string, unknown>, signal: AbortSignal): Promise<Observation>;
  /** Whether they agree with what was changed. */
  verify(folder: string, signal: AbortSignal): Promise<TestsVerdict>;
}

/** What an agent left: its answer, and for `work` the folder. */
export interface Left {
  answer: string | null;
  workspace: string | null;
}

export interface BenchmarkTask {
  id: string;
  /**
   * Who could write the score: with `apart` nothing that the agent left runs where it is made, with `shared` the agent's code
   * shares a process with the tests and could forge a pass. The latter decide nothing, see `splitTasks`.
   */
  verdict: "apart" | "shared";
  assignment: Assignment;
  /** Scores what was left, on the host, with what the agent never sees. */
  score(left: Left, sandbox: Sandbox, signal: AbortSignal): Promise<BenchmarkScore>;
}

/** Repair of a function, scored by its hidden tests. @param jobs each task with what the protocol shows of it */
export const repairBenchmark = (jobs: readonly { task: Task; visible: VisibleTask }[]): BenchmarkTask[] =>
  jobs.map(({ task, visible }) => ({
    id: task.id,
    verdict: task.judgeMode === undefined ? "apart" : "shared",
    assignment: { type: "solve", visible },
    score: async ({ answer }, sandbox, signal) => {
      const scored = await scoreAnswer(task, answer, sandbox, signal);
      return "error" in scored ? scored : { score: scored.score.passed ? 1 : 0, outcome: scored.outcome };
    },
  }));

/**
 * Scores what an agent in a box answered. Where the right program gets its verdict, an answer that no judge can look at is
 * wrong: no agent stops a run with one.
 */
export async function scoreAnswer(
  task: Task,
  answer: string | null,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<{ error: string } | { score: Score; outcome: string }> {
  const scored = await scoreProgram(task, answer, sandbox, { signal });
  if ("score" in scored) return { ...scored, outcome: scored.score.outcome };
  const right = await scoreProgram(task, correctProgram(task), sandbox, { signal });
  if ("error" in right || !right.score.passed) return scored;
  const score: Score = { passed: false, outcome: "failed", explanation: `no judge can look at it: ${scored.error}` };
  return { score, outcome: "unjudgeable" };
}
