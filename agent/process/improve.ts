/**
 * The agent edits a copy of its own code: the same graph as in repair, with file tools, and the checks as verification.
 */

import { z } from "zod";
import { remoteSandbox } from "../../utils/sandbox/remote.ts";
import { type ImproveJob, MAIN_CALL } from "../../utils/task/process_protocol.ts";
import { Allowance } from "../run/allowance.ts";
import type { Verification } from "../run/trajectory.ts";
import { runChecks } from "../tools/checks.ts";
import { editorTools } from "../tools/editor_table.ts";
import { defineTool, type Registry, registry, type Tool } from "../tools/tool.ts";
import { Workspace } from "../tools/workspace.ts";
import { acceptAnything, type Call, type CallContext, runCall } from "./call.ts";
import { improveData, improvePrompt, improveTask, subagentPrompt } from "./improve_prompts.ts";
import { openModel } from "./model.ts";
import { boxShell } from "./shell.ts";
import { EDITOR_TOOLS, SUBAGENT_NAMES, SUBAGENTS, type SubagentName } from "./subagents.ts";
import { type Inbox, tell } from "./wire.ts";

/** How deep sub-agents may delegate in turn. */
const MAX_DEPTH = 2;
const LEAST_CHANGE_LOG_CHARS = 20;

/** Job `improve`. What the editor changed is in the workspace; its answer is the change log. */
export async function improve(job: ImproveJob, inbox: Inbox): Promise<void> {
  const { archive, socket, limits, contextTokens } = job;
  const workspace = new Workspace(job.workspace);
  const sandbox = remoteSandbox(socket);
  const { chat: model } = await openModel(job.model, socket);
  using allowance = new Allowance(limits);
  const context = { model, inbox, tell, allowance, maxIterations: limits.maxIterations, contextTokens };
  const all = editorTools({ workspace, sandbox, shell: boxShell(workspace), archive, socket });
  const tools = toolsOf(EDITOR_TOOLS, MAIN_CALL, all, context);
  const call: Call = {
    id: MAIN_CALL,
    agent: "editor",
    system: improvePrompt(tools),
    task: improveTask(workspace, job),
    data: improveData(job),
    tools,
    verify: (answer, signal) => verifyEdit(answer, workspace, socket, signal),
  };
  const { stop, answer, error } = await runCall(call, context);
  tell({ type: "result", answer, stop, hypothesis: workspace.hypothesis ?? undefined, error: error ?? undefined });
}

/** The named tools; `delegate` is made for the run that uses it, as its place in the call tree is part of it. */
function toolsOf(names: readonly string[], caller: string, all: Registry, context: CallContext): Registry {
  let children = 0;
  const delegate = defineTool({
    name: "delegate",
    description: "Gives a part of the work to a sub-agent, who sees nothing of this conversation and answers in text.",
    input: z.object({
      agent: z.enum(SUBAGENT_NAMES),
      task: z.string().min(1).describe("everything it needs to know"),
    }),
    run: ({ agent, task }) => {
      children += 1;
      return runSubagent(agent, task, `${caller}.${children}`, all, context);
    },
  });
  const depth = caller.split(".").length - 1;
  return registry(
    names.flatMap((name): Tool[] => {
      if (name === delegate.name) return depth < MAX_DEPTH ? [delegate] : [];
      const tool = all.get(name);
      if (!tool) throw new Error(`there is no tool ${name}`);
      return [tool];
    }),
  );
}

/** A sub-agent's text goes to its caller, who is free to doubt it. */
async function runSubagent(
  agent: SubagentName,
  task: string,
  id: string,
  all: Registry,
  context: CallContext,
): ReturnType<Tool["run"]> {
  const tools = toolsOf(SUBAGENTS[agent], id, all, context);
  const call: Call = { id, agent, system: subagentPrompt(agent, tools), task, tools, verify: acceptAnything };
  const { stop, answer, error } = await runCall(call, context);
  return answer === null
    ? { status: `${agent} gave no answer`, output: error ?? `It stopped: ${stop.replace("_", " ")}.`, durationMs: 0 }
    : { status: `${agent} answered`, output: answer, durationMs: 0 };
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
  if (workspace.changed.size === 0) return "Nothing was changed yet.";
  return answer.trim().length < LEAST_CHANGE_LOG_CHARS
    ? "The final answer is the change log: what you changed, and why."
    : null;
}
