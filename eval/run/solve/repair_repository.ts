/** The agent of this process at work in a benchmark's repository. */

import { EngineChat } from "../../../agent/models/search/chat.ts";
import type { Trajectory } from "../../../agent/run/trajectory.ts";
import { attemptRepair } from "../../../fix/attempts/run.ts";
import { nextInTests } from "../../../fix/search/moves.ts";
import { notSearched, searchRepairer } from "../../../fix/search/repairer.ts";
import type { RepositoryAssignment } from "../../benchmark/benchmark.ts";
import type { RepairParts } from "./solver.ts";

/** @throws Error where the harness failed, UserError where the task cannot be run here */
export async function repairRepository(
  { prepare }: RepositoryAssignment,
  options: RepairParts & { id: string; onStage?: ((stage: string) => void) | undefined },
): Promise<Trajectory> {
  const { id, model, sandbox, seed, limits, onStep, onStage, pay, signal } = options;
  onStage?.("its tests run as they are");
  using prepared = await prepare(signal);
  const search = searchRepairer(prepared);
  const isSearch = model.kind.inRepositories === "search_edits";
  if (isSearch && !search) throw notSearched(prepared);
  const chat = isSearch ? new EngineChat("text", () => nextInTests) : model.chat;
  const { trajectory } = await attemptRepair(prepared, {
    id,
    model: { name: model.name, chat },
    sandbox,
    searchTool: search?.tool,
    seed,
    ...limits,
    onStep,
    onStage,
    pay,
    signal,
  });
  const doubt = (isSearch && search?.doubt()) || trajectory.doubt;
  return { ...trajectory, doubt };
}
