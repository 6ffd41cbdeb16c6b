/** Job `solve`: one task, repaired with the host's model and the host's sandbox. */

import { remoteSandbox } from "../../utils/sandbox/remote.ts";
import type { SolveJob } from "../../utils/task/process_protocol.ts";
import { openModel } from "../models/host.ts";
import { prepareExamples } from "../prompts.ts";
import { repair } from "../repair.ts";
import { stepEvent, tell } from "./wire.ts";

export async function solve({ task, examples, model: address, socket, limits }: SolveJob): Promise<void> {
  const sandbox = remoteSandbox(socket);
  const model = await openModel(address, socket);
  const trajectory = await repair(task, {
    model,
    sandbox,
    examples: await prepareExamples(examples, sandbox),
    repairPassing: true,
    ...limits,
    onStep: (step) => tell(stepEvent(step)),
  });
  const { answer, stop, error } = trajectory;
  tell({ type: "result", answer, stop, ...(error ? { error: error.message } : {}) });
}
