/** Solves one sample: the agent repairs the task, the hidden tests score the answer. */

import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { Progress } from "../../agent/models/progress.ts";
import type { prepareExamples } from "../../agent/prompts.ts";
import { repair } from "../../agent/repair.ts";
import type { PayForCall } from "../../agent/run/allowance.ts";
import type { Step, Trajectory } from "../../agent/run/trajectory.ts";
import { messageOf } from "../../utils/data/errors.ts";
import type { Sandbox } from "../../utils/sandbox/types.ts";
import type { Solver } from "../benchmark/repositories/benchmark.ts";
import { scoreProgram } from "../benchmark/scorer.ts";
import { bestOf } from "./best_of/best_of.ts";
import { type Prices, withCost } from "./cost/pricing.ts";
import type { Spending } from "./cost/spending.ts";
import type { Result } from "./results.ts";
import { type SampleId, type SampleJob, sampleSeed } from "./sample.ts";

export interface SolveOptions {
  model: { name: string; chat: BaseChatModel };
  sandbox: Sandbox;
  tools: readonly string[];
  limits: { maxIterations: number; timeoutMs: number };
  /** How many trajectories the agent makes, of which it submits one. */
  candidates: number;
  /** Solves tasks that are not functions. */
  solver?: Solver | undefined;
  /** What each sample's seed is derived from; null: the model gets none. */
  seed: number | null;
  /** Null: the prices are unknown, and so is the cost. */
  prices: Prices | null;
  /** Asks before each call of the model whether it may be made. Default: each may. */
  pay?: PayForCall | undefined;
  /** Told of everything that is used, turn by turn. */
  spending: Spending;
  /** Told of a sample's replies as they are written, which then are streamed. Not of several candidates. */
  onProgress?: ((sample: SampleId, progress: Progress) => void) | undefined;
  /** Stops what is running; the sample then has no result and is run again on resume. */
  signal: AbortSignal;
}

interface SampleOutcome {
  /** Null where the sample was stopped before it had one. */
  result: Result | null;
  /** Absent where the sample was stopped, or where the harness failed before it had one. */
  trajectory?: Trajectory | undefined;
  /** A failure that every further sample would meet too. */
  fatal?: string | undefined;
}

/** Repairs and scores one sample. Writes nothing to the run's folder; the caller does. */
export async function solveSample(
  job: SampleJob,
  options: SolveOptions,
  examples: Awaited<ReturnType<typeof prepareExamples>>,
): Promise<SampleOutcome> {
  const { model, sandbox, tools, limits, candidates, seed: base, prices, pay } = options;
  const { spending, onProgress, signal, solver } = options;
  const { index, task, visible, attempt } = job;
  const seed = base === null ? undefined : sampleSeed(base, job);
  const sample = { index, task_id: task.id, attempt, seed, bug_type: task.bugType };
  const onStep = ({ usage }: Step) => {
    if (usage) spending.turn(sample, withCost(usage, prices));
  };
  let trajectory: Trajectory;
  try {
    const common = { model, sandbox, seed, onStep, signal, pay };
    const options = { ...common, tools, examples, repairPassing: true, ...limits };
    const repaired = solver
      ? solver.repair(task, { ...common, visible, limits })
      : candidates > 1
        ? bestOf(visible, { ...options, candidates })
        : repair(visible, { ...options, onProgress: onProgress && ((progress) => onProgress(sample, progress)) });
    trajectory = pricedTrajectory(await repaired, prices);
  } catch (error) {
    const message = messageOf(error);
    return { result: { ...sample, error: { kind: "harness", message }, usage: spending.underWay(sample) } };
  }
  const { usage } = trajectory;
  if (trajectory.stop === "aborted") return { result: null };
  if (trajectory.error) {
    const { kind, message, fatal } = trajectory.error;
    return { result: { ...sample, error: { kind, message }, usage }, trajectory, fatal: fatal ? message : undefined };
  }
  const scored = await (solver?.score(task, trajectory.answer, signal) ??
    scoreProgram(task, trajectory.answer, sandbox, { signal }));
  if (signal.aborted) return { result: null };
  if ("error" in scored) {
    return { result: { ...sample, error: { kind: "harness", message: scored.error }, usage }, trajectory };
  }
  const { verified, stop, iterations, doubt } = trajectory;
  return {
    result: {
      ...sample,
      ...scored.score,
      judge: task.judgeMode,
      doubt,
      verified,
      stop,
      iterations,
      format_errors: countReplies(trajectory, ({ reply }) => (reply.kind === "malformed" ? reply.error : undefined)),
      dialects: countReplies(trajectory, ({ dialect }) => dialect),
      usage,
    },
    trajectory,
  };
}

/** The same trajectory with the cost of the whole, of each turn and of each candidate. */
function pricedTrajectory(trajectory: Trajectory, prices: Prices | null): Trajectory {
  const candidates = trajectory.bestOf?.candidates.map((one) => ({ ...one, ...priced(one, prices) }));
  const bestOf = trajectory.bestOf && candidates && { ...trajectory.bestOf, candidates };
  return { ...trajectory, ...priced(trajectory, prices), bestOf };
}

const priced = ({ usage, steps }: Pick<Trajectory, "usage" | "steps">, prices: Prices | null) => ({
  usage: withCost(usage, prices),
  steps: steps.map((step) => ({ ...step, usage: step.usage && withCost(step.usage, prices) })),
});

/** Counts replies by what `kindOf` says of their turn, over all candidates. */
function countReplies(
  { steps, bestOf }: Trajectory,
  kindOf: (step: Step) => string | undefined,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const step of bestOf?.candidates.flatMap((candidate) => candidate.steps) ?? steps) {
    const kind = kindOf(step);
    if (kind !== undefined) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}
