/**
 * The jobs `improve` (the agent edits a copy of its own code) and `work` (a task in a folder, with an editor's tools).
 */

import { remoteSandbox } from "../../utils/sandbox/remote.ts";
import { type ImproveJob, MAIN_CALL, type WorkJob } from "../../utils/task/process_protocol.ts";
import { Allowance } from "../run/allowance.ts";
import { fileTools } from "../tools/editor_table.ts";
import { askTests, hostTestsTool } from "../tools/run_tests.ts";
import { registry } from "../tools/tool.ts";
import { Workspace } from "../tools/workspace.ts";
import { acceptAnything, runCall } from "./call.ts";
import { improve } from "./improve.ts";
import { workPrompt } from "./improve_prompts.ts";
import { openModel } from "./model.ts";
import { type Inbox, tell } from "./wire.ts";

export async function improveWorkspace(job: ImproveJob, inbox: Inbox): Promise<void> {
  const model = await openModel(job.model, job.socket);
  using allowance = new Allowance(job.limits);
  const { stop, answer, error, hypothesis } = await improve(job, {
    sandbox: remoteSandbox(job.socket),
    model: model.chat,
    inbox,
    tell,
    allowance,
    maxIterations: job.limits.maxIterations,
    contextTokens: job.contextTokens,
  });
  tell({ type: "result", answer, stop, hypothesis: hypothesis ?? undefined, error: error ?? undefined });
}

export async function work(job: WorkJob, inbox: Inbox): Promise<void> {
  const workspace = Workspace.ofAnyFiles(job.workspace);
  const sandbox = remoteSandbox(job.socket);
  const tools = registry([...fileTools(workspace, sandbox), ...(job.tests ? [hostTestsTool(job.socket)] : [])]);
  const verify = async (answer: string, signal: AbortSignal) =>
    job.tests ? { result: answer, ...(await askTests(job.socket, signal)) } : acceptAnything(answer);
  const model = await openModel(job.model, job.socket);
  using allowance = new Allowance(job.limits);
  const { stop, answer, error } = await runCall(
    { id: MAIN_CALL, agent: "worker", task: job.instruction, system: workPrompt(tools), tools, verify },
    { model: model.chat, inbox, tell, allowance, maxIterations: job.limits.maxIterations, contextTokens: null },
  );
  tell({ type: "result", answer, stop, error: error ?? undefined });
}
