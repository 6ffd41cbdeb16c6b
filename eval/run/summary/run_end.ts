/** What stands at the end of a run for a person: the tasks to look at, and the commands that come next. */

import { basename } from "node:path";
import { calledAs } from "../../../utils/program/called_as.ts";
import { plural } from "../../../utils/text/format.ts";
import { isScored, type Result } from "../results.ts";
import { taskScores } from "./task_scores.ts";

const MOST_TASKS = 12;
const MOST_ERRORS = 3;
const COLUMN = 9;

/**
 * @param results the latest of each sample, @param resume the command that goes on with the run; null where it is complete
 */
export function renderEnd(
  results: readonly Result[],
  { folder, resume }: { folder: string; resume: string | null },
): string {
  const tasks = taskScores(results);
  const failed = tasks.filter(({ samples, passed }) => samples > 0 && passed === 0);
  const errors = results.flatMap((result) => (isScored(result) ? [] : `${result.task_id}: ${result.error.message}`));
  const name = basename(folder);
  const next = [
    ...(results.length > 0 ? [`${calledAs("eval/report.ts", "report")} ${name}`] : []),
    calledAs("eval/view.ts", "view"),
    ...(resume === null ? [] : [resume]),
  ];
  const rows: [string, readonly string[]][] = [
    ["failed", failed.length > 0 ? [listed(failed.map(({ taskId }) => taskId))] : []],
    ["errors", [...errors.slice(0, MOST_ERRORS), ...more(errors.length - MOST_ERRORS, "error")]],
    ["next", next],
  ];
  return rows
    .flatMap(([label, lines]) => lines.map((line, i) => (i === 0 ? label : "").padEnd(COLUMN) + line))
    .join("\n");
}

const listed = (ids: readonly string[]): string =>
  [ids.slice(0, MOST_TASKS).join(", "), ...more(ids.length - MOST_TASKS, "task")].join(" ");
const more = (n: number, noun: string): string[] => (n > 0 ? [`and ${plural(n, `more ${noun}`)}`] : []);
