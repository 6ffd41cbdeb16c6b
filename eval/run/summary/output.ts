/** What `pass1` prints: JSON lines for programs, a sentence and what comes next for a person. */

import { basename, join } from "node:path";
import { count, percent, percentAndInterval, percentWithin, plural } from "../../../utils/base/text/format.ts";
import { inLine, listed } from "../../../utils/base/text/text.ts";
import { calledAs } from "../../../utils/program/called_as.ts";
import { PROTOCOL_NAMES } from "../../benchmark/functions/protocol.ts";
import { datasetName, type Manifest, solverName } from "../manifest.ts";
import { isScored, type Result } from "../results.ts";
import { errorCauses } from "./causes.ts";
import type { Summary } from "./summary.ts";
import { type Estimate, taskScores } from "./task_scores.ts";

/** One sample. @param samples of each task: where there are several, the line says which */
export function itemLine(result: Result, samples: number) {
  const { index, task_id } = result;
  const which = { index, task_id, attempt: samples > 1 ? result.attempt : undefined };
  return isScored(result) ? { ...which, pass: result.passed } : { ...which, error: result.error.message };
}

/** The same for a person: `passed  Builtin/3`. */
export function itemText(result: Result, samples: number): string {
  const which = `${result.task_id}${samples > 1 ? `, attempt ${result.attempt + 1}` : ""}`;
  if (!isScored(result)) return `${"error".padEnd(COLUMN)}${which}: ${inLine(result.error.message, MESSAGE_CHARS)}`;
  return `${(result.passed ? "passed" : "failed").padEnd(COLUMN)}${which}`;
}

/** For each task: n samples have a score, c of them passed. */
export const taskLines = ({ tasks }: Summary) =>
  tasks.map(({ index, taskId, samples, passed, errors }) => ({
    index,
    task_id: taskId,
    n: samples,
    c: passed,
    errors,
  }));

/** The last line of a run. */
export function headline({ decides }: Manifest, summary: Summary, seconds: number) {
  const { num, samples, successes, value, interval, passAtK, parts, errors, complete, usage } = summary;
  const several = { samples, pass_at_k: passAtK };
  return {
    metric: "pass@1",
    num,
    successes,
    value,
    interval,
    ...(decides.attempts > 1 ? several : {}),
    ...(parts && { parts: Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part.value])) }),
    well_formed: summary.wellFormed,
    cut_off_replies: summary.cutOff,
    errors,
    ...(summary.ifErrorsFail !== null && { value_if_errors_fail: summary.ifErrorsFail }),
    complete,
    model: decides.model.name,
    ...(summary.answeredBy.length > 0 && { answered_by: summary.answeredBy }),
    ...(decides.agent && { agent: decides.agent.name }),
    protocol: decides.protocol,
    shown: shownIn(decides),
    tool_calls: decides.model.parameters.toolCalls,
    dataset: decides.dataset.name,
    left_out: decides.dataset.left_out?.length ?? 0,
    already_passes: decides.dataset.already_passes?.length ?? 0,
    few_shot_k: decides.few_shot.task_ids.length,
    max_iterations: decides.limits.max_iterations ?? null,
    wall_seconds: Math.round(seconds * 10) / 10,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cost_usd: usage.costUsd,
  };
}

/** What the solver was shown of a task. */
function shownIn({ model, few_shot, protocol, shown, tools }: Manifest["decides"]): string {
  const isModel = model.parameters.toolCalls !== undefined;
  const examples = isModel ? few_shot.task_ids.length : 0;
  const isRun = isModel && PROTOCOL_NAMES.some((name) => name === protocol) && tools.length > 0;
  return [
    ...(examples > 0 ? [plural(examples, "solved example")] : []),
    shown,
    ...(isRun ? ["the output of a first run"] : []),
  ].join(", ");
}

/** @param total samples the run should have */
export function verdict({ decides }: Manifest, summary: Summary, total: number, folder: string): string {
  const { num, samples, successes, passAtK, parts = {}, errors, complete } = summary;
  const apart = Object.entries(parts).map(([name, part]) => `${name} ${percentWithin(part.value, part.interval)}`);
  const scores = [...passAtK.map((estimate) => score(estimate, num)), ...apart].join(" · ");
  const tasks = `${plural(num, "task")} of ${datasetName({ decides })}`;
  const counts = decides.attempts > 1 ? `${successes}/${samples} samples, ${tasks}` : `${successes}/${tasks}`;
  const { toolCalls } = decides.model.parameters;
  // Only a language model reads examples and takes turns.
  const isModel = toolCalls !== undefined;
  const solver = `${solverName({ decides })}${isModel && decides.tools.length > 0 ? `, tool calls: ${toolCalls}` : ""}`;
  const most = decides.limits.max_iterations;
  const turns = isModel && most !== undefined ? ` · up to ${plural(most, "turn")}` : "";
  const line = `${scores} · ${counts} · ${solver} · shown: ${shownIn(decides)}${turns}`;
  const missing = total - samples - errors;
  const of = `of ${plural(total, "sample")}`;
  const lower = `${errors === 1 ? "if it fails" : "if these fail"}, pass@1 is ${percent(summary.ifErrorsFail)}`;
  const why = [
    errors > 0 && `${errors} ${of} ended with an error: ${lower}`,
    missing > 0 && `${missing} ${of} did not run`,
  ];
  return complete ? `${line} → ${folder}` : `INCOMPLETE (${why.filter(Boolean).join("; ")}): ${line} → ${folder}`;
}

/** `pass@5 62% (95% interval 54–69)`, and of how many tasks where some had too few scored samples. */
function score({ k, tasks, value, interval }: Estimate, num: number): string {
  const part = tasks < num ? ` (of the ${plural(tasks, "task")} with ${plural(k, "scored sample")})` : "";
  return `pass@${k} ${percentAndInterval(value, interval)}${part}`;
}

const MOST_TASKS = 12;
const MOST_CAUSES = 12;
/** Tasks that are named beside a cause. */
const MOST_NAMED = 3;
const MESSAGE_CHARS = 300;
const COLUMN = 9;

/**
 * What stands at the end of a run for a person: the tasks to look at, and the commands that come next.
 * @param results the latest of each sample, @param resume the command that goes on with the run; null where it is
 * complete
 */
export function renderEnd(
  results: readonly Result[],
  { folder, resume }: { folder: string; resume: string | null },
): string {
  const tasks = taskScores(results);
  const failed = tasks.filter(({ samples, passed }) => samples > 0 && passed === 0);
  const name = basename(folder);
  const next = [
    ...(results.length > 0 ? [`${calledAs("report")} ${name}`] : []),
    calledAs("view"),
    ...(resume === null ? [] : [resume]),
  ];
  const cutOff = results.reduce((sum, result) => sum + ("cut_off" in result ? (result.cut_off ?? 0) : 0), 0);
  const longer = "raise it with --max-reply N, or at the server";
  const scored = results.filter(isScored);
  const replies = scored.reduce((sum, { iterations }) => sum + iterations, 0);
  const unread = scored.flatMap(({ format_errors }) => Object.values(format_errors)).reduce((sum, n) => sum + n, 0);
  const rows: [string, readonly string[]][] = [
    ["cut off", cutOff > 0 ? [`${plural(cutOff, "reply", "replies")} ended at the length limit: ${longer}`] : []],
    ["format", unread > replies / 2 ? [`${unread} of ${plural(replies, "reply", "replies")} ${UNREAD}`] : []],
    ["failed", failed.length > 0 ? [tasksListed(failed.map(({ taskId }) => taskId))] : []],
    ["errors", errorLines(results, folder)],
    ["next", next],
  ];
  return rows
    .flatMap(([label, lines]) => lines.map((line, i) => (i === 0 ? label : "").padEnd(COLUMN) + line))
    .join("\n");
}

const UNREAD = "could not be read, so this measures their form: look at the report, and try the other --tool-calls";

/** By cause, with how many there are and which tasks; at last where each is written. */
function errorLines(results: readonly Result[], folder: string): string[] {
  const causes = errorCauses(results);
  if (causes.length === 0) return [];
  const lines = causes
    .slice(0, MOST_CAUSES)
    .map(
      ({ samples, kind, tasks, message }) =>
        `${count(samples)} × ${kind} (${listed(tasks, MOST_NAMED)}): ${inLine(message, MESSAGE_CHARS)}`,
    );
  return [...lines, ...more(causes.length - MOST_CAUSES, "cause"), `details: ${join(folder, "results.jsonl")}`];
}

const tasksListed = (ids: readonly string[]): string =>
  [ids.slice(0, MOST_TASKS).join(", "), ...more(ids.length - MOST_TASKS, "task")].join(" ");
const more = (n: number, noun: string): string[] => (n > 0 ? [`and ${plural(n, `more ${noun}`)}`] : []);
