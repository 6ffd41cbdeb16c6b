/** Samples without a score, by what is behind it: many tasks often fail for one reason, each in words of its own. */

import { isScored, type Result } from "../results.ts";

export interface ErrorCause {
  kind: string;
  samples: number;
  /** Ids of the tasks, each once, in the order of the results. */
  tasks: string[];
  /** Of the first sample, whole. */
  message: string;
}

/** @param results the latest of each sample; @returns the largest group first */
export function errorCauses(results: readonly Result[]): ErrorCause[] {
  const causes = new Map<string, ErrorCause>();
  for (const result of results) {
    if (isScored(result)) continue;
    const { kind, message } = result.error;
    const key = `${kind} ${causeIn(message, result.task_id)}`;
    const cause = causes.get(key) ?? { kind, samples: 0, tasks: [], message };
    causes.set(key, cause);
    cause.samples += 1;
    if (!cause.tasks.includes(result.task_id)) cause.tasks.push(result.task_id);
  }
  return [...causes.values()].sort((a, b) => b.samples - a.samples);
}

/** Of `where: what: why` and so on the rest is of one task. */
const MOST_CLAUSES = 3;
/**
 * What differs from task to task though the reason is the same: values that mend quotes, files, hashes and amounts.
 * What is in single quotes is what Node.js and Python miss, and that is the reason.
 */
const DETAILS = [
  /"[^"]*"/g,
  /(?:[\w.@-]*\/)+[\w.-]*\.\w+(?:::\S+)?(?::\d+)*|\/\w[\w.-]*\/\S*/g,
  /\b[0-9a-f]{7,64}\b/g,
  /(?<!\b(?:code|HTTP|status|signal|error) )\b\d[\d.,]*/g,
];

/** A message without what is of its task alone. */
function causeIn(message: string, taskId: string): string {
  const [line = ""] = message.replaceAll(taskId, "…").split("\n", 1);
  const plain = DETAILS.reduce((text, detail) => text.replace(detail, "…"), line);
  return plain.split(/: |; /).slice(0, MOST_CLAUSES).join(": ");
}
