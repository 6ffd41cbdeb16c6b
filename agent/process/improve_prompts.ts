/** The messages that begin an editor's run: the texts of `prompts/`, filled in from the archive and the workspace. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { plural } from "../../utils/base/text/format.ts";
import { headAndTail, inLine } from "../../utils/base/text/text.ts";
import type { ArchiveBrief } from "../../utils/task/archive_brief.ts";
import type { TaskData } from "../../utils/task/task_data.ts";
import { REPLY_LABELS } from "../dialects/reply.ts";
import { prompt, textProtocol } from "../prompts.ts";
import { agentsTable, readBrief, sortedTasks } from "../tools/archive.ts";
import type { Registry } from "../tools/tool.ts";
import type { Workspace } from "../tools/workspace.ts";

const improveSystem = prompt("improve");
const section = (name: string) => prompt("improve-task", name);
const [task, feedbackText] = [section("task"), section("feedback")];

/** Files that nothing of a child runs: tests, and clients of models, which are asked by the host in a child's place. */
const NOT_RUN = /\.test\.|\/testing\/|\/README\.md$|^agent\/models\/(?:local|openai)\//;
/** Files that change no score where the search engine solves, and where a model does. */
const NOT_READ = { engine: /^prompts\//, model: /^agent\/models\/search\// };

const MOST_FAILED = 20;
const WORST_TASKS = 3;
const BEST_TASKS = 1;
const TRACE_CHARS = 1500;
const OUTPUT_CHARS = 300;
const LINE_CHARS = 240;

export const improvePrompt = (tools: Registry): string => improveSystem({ protocol: textProtocol(tools) });

/** What the first message says of the editor, as data. */
export function improveData({ archive }: { archive: string }): TaskData {
  const { editor, agents, failed } = readBrief(archive);
  return { type: "improve", editor, children: agents.filter(({ parent }) => parent === editor).length, failed };
}

/** The files of a workspace that the prompt of an editor names. */
export const listedFiles = (names: readonly string[]): string[] =>
  names.filter((name) => /^(?:agent|prompts)\//.test(name) && !NOT_RUN.test(name));

/** The first message: who solves, the archive, the tasks that failed with their traces, what each file is for. */
export function improveTask(workspace: Workspace, job: { archive: string; feedback: string | null }): string {
  const brief = readBrief(job.archive);
  const solver = brief.solver.readsPrompts ? "model" : "engine";
  const files = listedFiles(workspace.files()).filter((name) => !NOT_READ[solver].test(name));
  const tasks = tasksOf(brief, job.archive);
  return task({
    editor: String(brief.editor),
    solver: section(solver)({ name: brief.solver.name }),
    agents: agentsTable(brief),
    failed: failedTasks(tasks, brief.failed),
    traces: tracesOf(tasks),
    files: files.map((name) => [name, purposeOf(workspace, name)].filter(Boolean).join(": ")).join("\n"),
    feedback: job.feedback === null ? "" : feedbackText({ message: job.feedback }),
  });
}

type TracedTask = ArchiveBrief["agents"][number]["tasks"][number] & { trace: string };

/** What the editor itself did on dev, worst first. */
const tasksOf = ({ agents, editor }: ArchiveBrief, folder: string): TracedTask[] =>
  sortedTasks(agents.find(({ n }) => n === editor)?.tasks ?? []).map((tried) => ({
    ...tried,
    trace: readFileSync(join(folder, tried.traceFile), "utf8").trim(),
  }));

function failedTasks(tasks: readonly TracedTask[], shown: ArchiveBrief["failed"]): string {
  const failed = tasks.filter(({ score }) => score < 1);
  const count = `It solves ${tasks.length - failed.length} of ${plural(tasks.length, "task")}.`;
  const lines = failed.slice(0, MOST_FAILED).map(({ id, score, outcome, trace }) => {
    const asked = shown.find((one) => one.id === id)?.instruction ?? "";
    const output = lastObservation(trace);
    const said = output === "" ? "" : `\n${headAndTail(output, OUTPUT_CHARS).replace(/^/gm, "    ")}`;
    return `- ${id}, score ${score} (${outcome}): ${oneLine(asked)}${said}`;
  });
  const more = failed.length > MOST_FAILED ? [`… and ${failed.length - MOST_FAILED} more: see archive`] : [];
  return [
    count,
    ...(lines.length > 0 ? ["Not solved, each with what its last test printed:"] : []),
    ...lines,
    ...more,
  ].join("\n");
}

const oneLine = (text: string): string => inLine(text.replace(/\s+/g, " ").trim(), LINE_CHARS);

/** The output of the last test in the trace of an attempt; empty where no test ran. */
const lastObservation = (trace: string): string =>
  trace
    .slice(trace.lastIndexOf(`\n${REPLY_LABELS.observation} `) + 1)
    .replace(REPLY_LABELS.observation, "")
    .replace(/^ {4}/gm, "")
    .trim();

function tracesOf(tasks: readonly TracedTask[]): string {
  const shown = [...tasks.slice(0, WORST_TASKS), ...tasks.slice(WORST_TASKS).slice(-BEST_TASKS)];
  return shown
    .map(({ id, score, outcome, seconds, trace }) => {
      const text = headAndTail(trace, TRACE_CHARS);
      return `### ${id}: score ${score} (${outcome}), ${seconds.toFixed(1)} s\n${text}`;
    })
    .join("\n\n");
}

/** What a file is for, in a line: the first sentence of its comment, else what `improve-task.md` says. */
function purposeOf(workspace: Workspace, name: string): string {
  const read = workspace.read(name);
  const comment = "text" in read ? /^\/\*\*([\s\S]*?)\*\//.exec(read.text)?.[1] : undefined;
  if (comment !== undefined) return /^.*?\.(?=\s|$)/.exec(oneLine(comment.replace(/^\s*\*/gm, "")))?.[0] ?? "";
  const line = filePurposes.find((one) => one.startsWith(`${name}: `));
  return line?.slice(name.length + 2) ?? "";
}

const filePurposes = section("files")({}).split("\n");
