/** Trajectories for fine-tuning: JSON lines in the chat format of OpenAI's fine-tuning files, `{"messages": [...]}`. */

import { type Run, readTrajectory } from "../load_run.ts";
import { isScored, type ScoredResult } from "../results.ts";

export interface MessagesOptions {
  /** Every trajectory that was written, whatever came of it. Default: accepted ones that passed the hidden tests. */
  all: boolean;
}

export interface ExportedMessages {
  lines: string[];
  /** Samples that were not taken, by reason. */
  notTaken: Record<string, number>;
}

/**
 * One line a sample. Taken is a trajectory whose answer the visible tests accepted and the hidden tests passed: what only
 * passed the visible ones teaches wrong repairs. The last message is then the accepted answer.
 */
export function messages(run: Run, { all }: MessagesOptions): ExportedMessages {
  const exported: ExportedMessages = { lines: [], notTaken: {} };
  const skip = (reason: string) => {
    exported.notTaken[reason] = (exported.notTaken[reason] ?? 0) + 1;
  };
  for (const result of run.results) {
    const reason = all ? null : objection(isScored(result) ? result : null);
    const read = reason ? null : readTrajectory(run.folder, result);
    if (!read || "missing" in read) skip(reason ?? "without a readable trajectory");
    else {
      const { trajectory } = read;
      const { task_id, attempt } = result;
      const passed = isScored(result) ? result.passed : null;
      const metadata = { task_id, attempt, model: trajectory.model, stop: trajectory.stop, passed };
      exported.lines.push(JSON.stringify({ messages: trajectory.messages, metadata }));
    }
  }
  return exported;
}

function objection(result: ScoredResult | null): string | null {
  if (!result) return "ended with an error";
  if (!result.passed) return "did not pass the hidden tests";
  return result.verified && result.stop === "answered" ? null : "never accepted by the visible tests";
}
