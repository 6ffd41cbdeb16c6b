/** Job `improve`: the agent edits a copy of its own code and says what it changed. */

import type { ImproveJob } from "../../utils/child/process_protocol.ts";
import { remoteSandbox } from "../../utils/sandbox/remote.ts";
import { Allowance } from "../limits/allowance.ts";
import { openModel } from "../process/model.ts";
import { type Inbox, tell } from "../process/wire.ts";
import { improve } from "./improve.ts";

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
    fullObservations: job.fullObservations,
  });
  tell({ type: "result", answer, stop, hypothesis: hypothesis ?? undefined, error: error ?? undefined });
}
