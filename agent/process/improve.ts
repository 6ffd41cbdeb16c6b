/**
 * The agent edits a copy of its own code: the same graph as in repair, with file tools, and the checks as verification.
 */

import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { python } from "../../utils/languages/python/index.ts";
import { remoteSandbox } from "../../utils/sandbox/remote.ts";
import type { ImproveJob } from "../../utils/task/process_protocol.ts";
import type { TaskData } from "../../utils/task/task_data.ts";
import { messageWithTask } from "../../utils/task/task_message.ts";
import { type GraphParts, type GraphRun, runGraph } from "../graph.ts";
import { openModel } from "../models/host.ts";
import { Allowance } from "../run/allowance.ts";
import type { Verification } from "../run/trajectory.ts";
import { runChecks } from "../tools/checks.ts";
import { editorTools } from "../tools/editor_table.ts";
import { Workspace } from "../tools/workspace.ts";
import { improveData, improvePrompt, improveTask } from "./improve_prompts.ts";
import { boxShell } from "./shell.ts";
import { type EventBody, type Inbox, stepEvent, tell } from "./wire.ts";

/** Job `improve`. What the editor changed is in the workspace; its answer is the change log. */
export async function improve(job: ImproveJob, inbox: Inbox): Promise<void> {
  const { archive, socket, limits, contextTokens } = job;
  const workspace = new Workspace(job.workspace);
  const { chat: model } = await openModel(job.model, socket);
  const tools = editorTools({ workspace, sandbox: remoteSandbox(socket), shell: boxShell(workspace), archive, socket });
  const { answer, stop, error } = await runEditor(
    {
      system: improvePrompt(tools),
      task: improveTask(workspace, job),
      data: improveData(job),
      ...{ model, tools, limits, contextTokens },
      verify: (answer, signal) => verifyEdit(answer, workspace, socket, signal),
    },
    inbox,
  );
  tell({ type: "result", answer, stop, hypothesis: workspace.hypothesis ?? undefined, error: error?.message });
}

export interface EditorParts extends Pick<GraphParts, "model" | "tools" | "verify" | "contextTokens"> {
  /** Default of the time: unlimited. */
  limits: GraphParts["limits"] & { timeoutMs?: number };
  system: string;
  task: string;
  /** The task as data, for models of ours. */
  data?: TaskData | undefined;
}

/** Runs the graph, reports its turns, and puts the host's notices before the model. */
export async function runEditor(
  { system, task, data, ...parts }: EditorParts,
  inbox: Inbox,
  report: (event: EventBody) => void = tell,
): Promise<GraphRun> {
  using allowance = new Allowance({ timeoutMs: parts.limits.timeoutMs ?? Infinity, signal: inbox.cancelled });
  return await runGraph({
    ...parts,
    opening: [new SystemMessage(system), data ? messageWithTask(task, data) : new HumanMessage(task)],
    answer: "text",
    language: python,
    signal: allowance.signal,
    notices: () => inbox.takeNotices().map((notice) => `Notice: ${notice}`),
    onStep: (step) => report(stepEvent(step)),
  });
}

async function verifyEdit(
  answer: string,
  workspace: Workspace,
  socket: string,
  signal: AbortSignal,
): Promise<Verification> {
  const missing = whatIsMissing(answer, workspace);
  if (missing)
    return { accepted: false, result: null, observation: { status: "not yet", output: missing, durationMs: 0 } };
  const checks = await runChecks(socket, signal);
  return {
    accepted: checks.ok,
    result: answer,
    observation: { status: checks.ok ? "the checks pass" : "the checks fail", output: checks.report, durationMs: 0 },
  };
}

/** How an editor says that it found nothing worth changing. */
const NO_CHANGE = /^\s*no change:/i;

function whatIsMissing(answer: string, workspace: Workspace): string | null {
  if (NO_CHANGE.test(answer) && workspace.changed.size === 0) return null;
  if (workspace.hypothesis === null) return "State a hypothesis, edit, then finish.";
  return workspace.changed.size === 0 ? "Nothing was changed yet." : null;
}
