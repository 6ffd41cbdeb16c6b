/** What an agent can be measured on. HumanEvalFix is one of three; the others are made from a git repository. */

import type { Sandbox } from "../../utils/sandbox/types.ts";
import type { Task, VisibleTask } from "../../utils/task.ts";
import { scoreProgram } from "../scorer.ts";

/** From 0 to 1 and in a word how it came to that; or why it could not be scored. */
export type BenchmarkScore = { score: number; outcome: string } | { error: string };

export interface BenchmarkTask {
  id: string;
  /** What the agent gets. */
  visible: VisibleTask;
  /** Scores an answer, on the host, with what the agent never sees. */
  score(answer: string | null, sandbox: Sandbox, signal: AbortSignal): Promise<BenchmarkScore>;
}

/** Repair of a function, scored by its hidden tests. @param jobs each task with what the protocol shows of it */
export const repairBenchmark = (jobs: readonly { task: Task; visible: VisibleTask }[]): BenchmarkTask[] =>
  jobs.map(({ task, visible }) => ({
    id: task.id,
    visible,
    score: async (answer, sandbox, signal) => {
      const scored = await scoreProgram(task, answer, sandbox, { signal });
      if ("error" in scored) return scored;
      return { score: scored.score.passed ? 1 : 0, outcome: scored.score.outcome };
    },
  }));
