/**
 * What an editor and its sub-agents are shown: the texts of `prompts/`, filled in from the archive and the workspace.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadTemplate } from "../../utils/base/text/template.ts";
import { headAndTail } from "../../utils/base/text/text.ts";
import type { ArchiveBrief } from "../../utils/task/archive_brief.ts";
import type { TaskData } from "../../utils/task/task_data.ts";
import { textProtocol } from "../protocol.ts";
import { agentsTable, readBrief, sortedTasks } from "../tools/archive.ts";
import type { Registry } from "../tools/tool.ts";
import type { Workspace } from "../tools/workspace.ts";
import type { SubagentName } from "./subagents.ts";

const prompt = (name: string, section?: string) =>
  loadTemplate(new URL(`../../prompts/${name}.md`, import.meta.url), section);
const improveSystem = prompt("improve");
const task = prompt("improve-task", "task");
const feedbackText = prompt("improve-task", "feedback");

/** Files that nothing of a child runs: tests, and clients of models, which are asked by the host in a child's place. */
const NOT_RUN = /\.test\.|\/testing\/|^agent\/models\/(?:local|openai)\//;

const WORST_TASKS = 4;
const BEST_TASKS = 2;
const TRACE_CHARS = 1500;

export const improvePrompt = (tools: Registry): string => improveSystem({ protocol: textProtocol(tools) });

export const workPrompt = (tools: Registry, isNative = false): string =>
  prompt("work")({ protocol: textProtocol(tools, isNative) });

export const subagentPrompt = (agent: SubagentName, tools: Registry): string =>
  prompt(`agents/${agent}`)({ protocol: textProtocol(tools) });

/** What the first message says of the editor, as data. */
export function improveData({ archive }: { archive: string }): TaskData {
  const { editor, agents, failed } = readBrief(archive);
  return { type: "improve", editor, children: agents.filter(({ parent }) => parent === editor).length, failed };
}

/** The files that an editor is told of, of those in its workspace. */
export const listedFiles = (names: readonly string[]): string[] =>
  names.filter((name) => /^(?:agent|prompts)\//.test(name) && !NOT_RUN.test(name));

/** The first message: the archive, the worst and best tasks with their traces, the files. */
export function improveTask(workspace: Workspace, job: { archive: string; feedback: string | null }): string {
  const brief = readBrief(job.archive);
  return task({
    editor: String(brief.editor),
    agents: agentsTable(brief),
    tasks: tracesOf(brief, job.archive),
    files: listedFiles(workspace.files()).join("\n"),
    feedback: job.feedback === null ? "" : feedbackText({ message: job.feedback }),
  });
}

function tracesOf({ agents, editor }: ArchiveBrief, folder: string): string {
  const sorted = sortedTasks(agents.find(({ n }) => n === editor)?.tasks ?? []);
  const shown = [...sorted.slice(0, WORST_TASKS), ...sorted.slice(WORST_TASKS).slice(-BEST_TASKS)];
  return shown
    .map(({ id, score, outcome, seconds, traceFile }) => {
      const trace = headAndTail(readFileSync(join(folder, traceFile), "utf8").trim(), TRACE_CHARS);
      return `### ${id}: score ${score} (${outcome}), ${seconds.toFixed(1)} s\n${trace}`;
    })
    .join("\n\n");
}
