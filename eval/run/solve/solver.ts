/** What an agent gets to work on a task in this process, and the interface of another agent in its place. */

import type { Model } from "../../../agent/models/model.ts";
import type { ReserveBudget } from "../../../agent/run/allowance.ts";
import type { Step, Trajectory } from "../../../agent/run/trajectory.ts";
import type { Sandbox } from "../../../utils/sandbox/types.ts";
import type { BenchmarkTask } from "../../benchmark/benchmark.ts";
import type { ScoreResult } from "../../benchmark/scorer.ts";

export interface RepairParts {
  model: Pick<Model, "kind" | "name" | "chat">;
  sandbox: Sandbox;
  seed?: number | undefined;
  limits: { maxIterations: number; timeoutMs: number };
  onStep: (step: Step) => void;
  /** Asks before each call of the model whether it may be made. Default: each may. */
  reserve?: ReserveBudget | undefined;
  signal: AbortSignal;
}

/** Another agent than that of this process. */
export interface Solver {
  /** @throws Error if the harness failed, or the task cannot be run here */
  repair(task: BenchmarkTask, parts: RepairParts): Promise<Trajectory>;
  score(task: BenchmarkTask, answer: string | null, signal: AbortSignal): Promise<ScoreResult>;
}
