/**
 * The agent edits a copy of its own code: the same graph as in repair, with file tools, and the checks as verification.
 */

import { SystemMessage } from "@langchain/core/messages";
import { python } from "../../utils/languages/python/index.ts";
import { remoteSandbox } from "../../utils/sandbox/remote.ts";
import type { ImproveJob } from "../../utils/task/process_protocol.ts";
import { messageWithTask } from "../../utils/task/task_message.ts";
import { runGraph } from "../graph.ts";
import { openModel } from "../models/host.ts";
import { Allowance } from "../run/allowance.ts";
import type { Verification } from "../run/trajectory.ts";
import { runChecks } from "../tools/checks.ts";
import { editorTools } from "../tools/editor_table.ts";
import { Workspace } from "../tools/workspace.ts";
import { improveData, improvePrompt, improveTask } from "./improve_prompts.ts";
import { boxShell } from "./shell.ts";
import { stepEvent, tell } from "./wire.ts";

/** Job `improve`. What the editor changed is in the workspace; its answer is the change log. */
export async function improve(job: ImproveJob): Promise<void> {
  const { archive, socket, limits, contextTokens } = job;
  const workspace = new Workspace(job.workspace);
  const { chat: model } = await openModel(job.model, socket);
  const tools = editorTools({ workspace, sandbox: remoteSandbox(socket), shell: boxShell(workspace), archive, socket });
  using allowance = new Allowance({ timeoutMs: limits.timeoutMs });
  const task = messageWithTask(improveTask(workspace, job), improveData(job));
  const { answer, stop, error } = await runGraph({
    ...{ model, tools, limits, contextTokens, answer: "text", language: python },
    opening: [new SystemMessage(improvePrompt(tools)), task],
    verify: (answer, signal) => verifyEdit(answer, workspace, socket, signal),
    signal: allowance.signal,
    onStep: (step) => tell(stepEvent(step)),
  });
  tell({ type: "result", answer, stop, hypothesis: workspace.hypothesis ?? undefined, error: error?.message });
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
