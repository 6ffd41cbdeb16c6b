/** The model a job names. */

import type { ModelAddress } from "../../utils/child/process_protocol.ts";
import { createModel } from "../models/create.ts";
import { createHostModel } from "../models/host.ts";
import type { Model } from "../models/model.ts";

/** The engine `search` is part of the agent's own code and runs in it; every other model is behind the host's socket. */
export async function openModel(address: ModelAddress, socket: string): Promise<Model> {
  if (address.kind === "host") return createHostModel(socket, address.name);
  const { seed, searchSteps } = address;
  return createModel("search", {
    temperature: 0,
    timeoutMs: 0,
    maxRetries: 0,
    log: () => {},
    seed,
    ...(searchSteps === undefined ? {} : { searchSteps }),
  });
}
