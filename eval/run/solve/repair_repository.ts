/** The agent of this process at work in a benchmark's repository. */

import type { Trajectory } from "../../../agent/run/trajectory.ts";
import { attemptRepair } from "../../../fix/attempts/run.ts";
import { repositoryChat, searchRepairer } from "../../../fix/search/chat.ts";
import type { RepositoryAssignment } from "../../benchmark/benchmark.ts";
import type { RepairParts } from "./solver.ts";

/** @throws Error where the harness failed, UserError where the task cannot be run here */
export async function repairRepository(
  { prepare }: RepositoryAssignment,
  { id, model, sandbox, seed, limits, onStep, pay, signal }: RepairParts & { id: string },
): Promise<Trajectory> {
  using prepared = await prepare(signal);
  const search = searchRepairer(prepared);
  const chat = repositoryChat(model, prepared, search);
  const { trajectory } = await attemptRepair(prepared, {
    id,
    model: { name: model.name, chat },
    sandbox,
    more: (workspace) => (search ? [search.tool(workspace)] : []),
    seed,
    ...limits,
    onStep,
    pay,
    signal,
  });
  const doubt = (chat === search?.chat && search.doubt()) || undefined;
  return { ...trajectory, doubt };
}
