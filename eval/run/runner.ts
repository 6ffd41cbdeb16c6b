/** Runs a benchmark: repairs every sample, scores it, and puts each result on disk as it finishes. */

import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { bestOf } from "../../agent/best_of/best_of.ts";
import { prepareExamples } from "../../agent/prompts.ts";
import { repair } from "../../agent/repair.ts";
import type { Step, Trajectory } from "../../agent/trajectory.ts";
import { pool } from "../../utils/concurrency/pool.ts";
import type { Sandbox } from "../../utils/sandbox/types.ts";
import type { FewShotExample } from "../../utils/task.ts";
import { noUsage } from "../../utils/usage.ts";
import type { Solver } from "../dataset/repositories/benchmark.ts";
import { scoreProgram } from "../dataset/scorer.ts";
import { type Prices, withCost } from "./cost/pricing.ts";
import type { Spending } from "./cost/spending.ts";
import { isScored, latest, type Result } from "./results.ts";
import { type SampleJob, sampleKey, sampleSeed } from "./sample.ts";
import type { RunStore } from "./store.ts";

export interface RunnerOptions {
  model: { name: string; chat: BaseChatModel };
  sandbox: Sandbox;
  fewShot: readonly FewShotExample[];
  tools: readonly string[];
  limits: { maxIterations: number; timeoutMs: number };
  /** Trajectories of which the agent submits one; 1: the only one. */
  candidates: number;
  /** For tasks that are no functions. */
  solver?: Solver | undefined;
  /** What each sample's seed is derived from; null: the model gets none. */
  seed: number | null;
  /** Null: unknown, and then so is the cost. */
  prices: Prices | null;
  /** Told of everything that is used, turn by turn. */
  spending: Spending;
  concurrency: number;
  /** Run again the samples that ended with an error. */
  retryErrors: boolean;
  /** Called for each result: those already on disk first, then as they finish. */
  onResult(result: Result, resumed: boolean): void;
  /** True once no further sample should be started. */
  draining(): boolean;
  /** Stops what is running; those samples get no result and are run again on resume. */
  signal: AbortSignal;
}

/**
 * Runs what the store does not hold yet.
 * @returns the failure of the model that ended the run early (a wrong key, a wrong address), or null
 */
export async function runSamples(jobs: readonly SampleJob[], store: RunStore, options: RunnerOptions) {
  const { sandbox, draining, onResult } = options;
  const finished = new Set<string>();
  for (const result of latest(store.results)) {
    if (!isScored(result) && options.retryErrors) continue;
    finished.add(sampleKey(result));
    onResult(result, true);
  }
  const todo = jobs.filter(({ task, attempt }) => !finished.has(sampleKey({ task_id: task.id, attempt })));
  if (todo.length === 0) return null;
  const examples = await prepareExamples(options.fewShot, sandbox);
  let fatal: string | null = null;
  const stopped = () => fatal !== null || draining() || options.signal.aborted;
  const work = async (job: SampleJob) => {
    const { result, fatal: reason } = await runSample(job, store, options, examples);
    if (result) options.spending.finish(result, result.usage ?? noUsage());
    if (reason) fatal ??= reason;
    if (!result || reason) return;
    store.append(result);
    onResult(result, false);
  };
  await pool(todo, options.concurrency, work, stopped);
  return fatal;
}

interface SampleOutcome {
  /** Null where the sample was stopped before it had one. */
  result: Result | null;
  /** A failure that every further sample would meet too. */
  fatal?: string | undefined;
}

async function runSample(
  job: SampleJob,
  store: RunStore,
  { model, sandbox, tools, limits, candidates, seed: base, prices, spending, signal, solver }: RunnerOptions,
  examples: Awaited<ReturnType<typeof prepareExamples>>,
): Promise<SampleOutcome> {
  const { index, task, visible, attempt } = job;
  const seed = base === null ? undefined : sampleSeed(base, job);
  const sample = { index, task_id: task.id, attempt, seed, bug_type: task.bugType };
  const onStep = ({ usage }: Step) => {
    if (usage) spending.turn(sample, withCost(usage, prices));
  };
  let trajectory: Trajectory;
  try {
    const options = { model, sandbox, tools, examples, ...limits, seed, onStep, signal };
    const repaired = solver
      ? solver.repair(task, { model, sandbox, limits, seed, onStep, signal })
      : candidates > 1
        ? bestOf(visible, { ...options, candidates })
        : repair(visible, options);
    trajectory = pricedTrajectory(await repaired, prices);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { result: { ...sample, error: { kind: "harness", message }, usage: spending.underWay(sample) } };
  }
  const { usage } = trajectory;
  if (trajectory.stop === "aborted") return { result: null };
  store.saveTrajectory(attempt, trajectory);
  if (trajectory.error) {
    const { kind, message, fatal } = trajectory.error;
    return { result: { ...sample, error: { kind, message }, usage }, fatal: fatal ? message : undefined };
  }
  const scored = await (solver?.score(task, trajectory.answer, signal) ??
    scoreProgram(task, trajectory.answer, sandbox, { signal }));
  if (signal.aborted) return { result: null };
  if ("error" in scored) return { result: { ...sample, error: { kind: "harness", message: scored.error }, usage } };
  const { verified, stop, iterations } = trajectory;
  return {
    result: {
      ...sample,
      ...scored.score,
      judge: task.judgeMode,
      verified,
      stop,
      iterations,
      format_errors: countReplies(trajectory, ({ reply }) => (reply.kind === "malformed" ? reply.error : undefined)),
      dialects: countReplies(trajectory, ({ dialect }) => dialect),
      usage,
    },
  };
}

/** The same with what it cost: all of it, each turn, each candidate. */
function pricedTrajectory(trajectory: Trajectory, prices: Prices | null): Trajectory {
  const candidates = trajectory.bestOf?.candidates.map((one) => ({ ...one, ...priced(one, prices) }));
  const bestOf = trajectory.bestOf && candidates && { ...trajectory.bestOf, candidates };
  return { ...trajectory, ...priced(trajectory, prices), bestOf };
}

const priced = ({ usage, steps }: Pick<Trajectory, "usage" | "steps">, prices: Prices | null) => ({
  usage: withCost(usage, prices),
  steps: steps.map((step) => ({ ...step, usage: step.usage && withCost(step.usage, prices) })),
});

/** Replies by what `kindOf` says of their turn, of all candidates where there were several. */
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
