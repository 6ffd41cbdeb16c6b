/** The tool `archive`: what earlier agents were, what they tried, and how they did on the tasks one may learn from. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { headAndTail } from "../../utils/base/text/text.ts";
import { ArchiveBrief } from "../../utils/task/archive_brief.ts";
import { ok, refused } from "./files.ts";
import { defineTool, type Tool } from "./tool.ts";

const SHOWN_CHARS = 8000;

const Query = z.object({
  show: z.enum(["agents", "agent", "tasks", "trace"]),
  agent: z.coerce.number().int().nonnegative().optional(),
  task: z.string().optional(),
});

/** @throws Error where the host gave no brief */
export const readBrief = (folder: string): ArchiveBrief =>
  ArchiveBrief.parse(JSON.parse(readFileSync(join(folder, "brief.json"), "utf8")));

export function archiveTool(folder: string): Tool {
  const brief = readBrief(folder);
  return defineTool({
    name: "archive",
    description:
      "Earlier agents: `agents` lists them with their results, `agent` shows one's hypothesis, change log and diff, " +
      "`tasks` its dev tasks, worst first, with its last thought on each, `trace` its work on one task.",
    input: Query,
    run: async (query) => {
      if (query.show === "agents") return ok(agentsTable(brief));
      const found = brief.agents.find(({ n }) => n === query.agent);
      const last = brief.agents.length - 1;
      if (!found) return refused(`There is no agent ${query.agent ?? "without a number"}; there are 0 to ${last}.`);
      if (query.show === "tasks") return ok(tasksTable(found));
      if (query.show === "agent")
        return ok(headAndTail(`${agentLine(found)}\nchanges: ${found.changes || "none"}\n${found.diff}`, SHOWN_CHARS));
      const task = found.tasks.find(({ id }) => id === query.task);
      if (!task) return refused(`Agent ${found.n} was not tried on ${query.task ?? "a task without a name"} of dev.`);
      return ok(headAndTail(readFileSync(join(folder, task.traceFile), "utf8"), SHOWN_CHARS));
    },
  });
}

type AgentBrief = ArchiveBrief["agents"][number];

/** One line an agent, as the first message and the tool show them. */
export const agentsTable = ({ agents }: ArchiveBrief): string => agents.map(agentLine).join("\n");

const agentLine = (agent: AgentBrief): string => {
  const { utility, score, seconds, costUsd, verdict, gate, message, hypothesis } = agent;
  const born = agent.parent === null ? "the first" : `child of ${agent.parent}`;
  const measured =
    utility === null || score === null
      ? "not measured on all of dev"
      : `utility ${utility.toFixed(4)} = score ${(100 * score).toFixed(1)}%, ${seconds?.toFixed(1)} s and ` +
        `$${costUsd?.toFixed(4)} a task`;
  const ended = verdict === null ? "" : ` · ${verdict}${gate ? ` at ${gate}` : ""}${message ? ` (${message})` : ""}`;
  return `agent ${agent.n}, ${born} · ${measured}${ended}${hypothesis ? `\n  hypothesis: ${hypothesis}` : ""}`;
};

/** The dev tasks of an agent, worst first: unsolved before solved, then by time. */
const tasksTable = ({ n, tasks }: AgentBrief): string =>
  [`dev tasks of agent ${n}, worst first`, ...sortedTasks(tasks).map(taskLine)].join("\n");

const taskLine = ({ id, score, outcome, seconds, modelCalls, said }: AgentBrief["tasks"][number]): string =>
  `${id} · score ${score} (${outcome}) · ${seconds.toFixed(1)} s · ${modelCalls} model calls` +
  (said ? ` · ${said}` : "");

export const sortedTasks = (tasks: AgentBrief["tasks"]): AgentBrief["tasks"] =>
  tasks.toSorted((a, b) => a.score - b.score || b.seconds - a.seconds || a.id.localeCompare(b.id, "en"));
