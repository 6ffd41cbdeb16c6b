/** Job `improve`: the agent edits a copy of its own code and says what it changed. */

import type { ImproveJob } from "../../utils/child/process_protocol.ts";
import { remoteSandbox } from "../../utils/sandbox/remote.ts";
import { startClock, TokenBudget } from "../call.ts";
import { improve } from "../improve/improve.ts";
import { openModel } from "./model.ts";
import { type Inbox, tell } from "./wire.ts";

export async function improveWorkspace(job: ImproveJob, inbox: Inbox): Promise<void> {
  const { maxIterations, maxTokens, timeoutMs } = job.limits;
  const model = await openModel(job.model, job.socket);
  const { stop, answer, error, hypothesis } = await improve(job, {
    sandbox: remoteSandbox(job.socket),
    model: model.chat,
    inbox,
    tell,
    tokens: new TokenBudget(maxTokens),
    maxIterations,
    fullObservations: job.fullObservations,
    signal: startClock(timeoutMs),
  });
  tell({
    type: "result",
    answer,
    stop,
    ...(hypothesis === null ? {} : { hypothesis }),
    ...(error === null ? {} : { error }),
  });
}
