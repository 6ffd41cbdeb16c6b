/** The model a job names. */

import type { ModelAddress } from "../../utils/task/process_protocol.ts";
import { createModel } from "../models/create.ts";
import { createHostModel } from "../models/host.ts";
import type { Model } from "../models/model.ts";

/** A model that is part of the agent's own code runs in it; every other one is behind the host's socket. */
export async function openModel(address: ModelAddress, socket: string): Promise<Pick<Model, "name" | "chat">> {
  if (address.kind === "host") return createHostModel(socket, address.name);
  const { spec, seed, searchSteps } = address;
  return createModel(spec, { temperature: 0, timeoutMs: 0, maxRetries: 0, log: () => {}, seed, searchSteps });
}
