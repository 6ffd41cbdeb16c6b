/** Runs samples on this machine: the agent works on what a task gives it, and the task scores what it leaves. */

import type { Model } from "../../../agent/models/model.ts";
import { prepareExamples } from "../../../agent/prompts.ts";
import { repair } from "../../../agent/repair.ts";
import type { ReserveBudget } from "../../../agent/run/allowance.ts";
import type { ModelFailure } from "../../../agent/run/model_errors.ts";
import type { Step, Trajectory } from "../../../agent/run/trajectory.ts";
import { addUsage, noUsage } from "../../../agent/run/usage.ts";
import { pool } from "../../../utils/base/concurrency/pool.ts";
import { messageOf } from "../../../utils/base/data/errors.ts";
import type { Sandbox } from "../../../utils/sandbox/types.ts";
import type { FewShotExample } from "../../../utils/task/task.ts";
import type { BenchmarkTask, Reference } from "../../benchmark/benchmark.ts";
import { type Prices, withCost } from "../cost/pricing.ts";
import { type Result, repliesIn, type SampleId, type SampleJob, sampleSeed, unfinished } from "../results.ts";
import { type RunStore, trajectoryText } from "../store.ts";
import { answerQuestion, repairRepository, workInFolder } from "./other_tasks.ts";
import type { Solver } from "./solver.ts";

export interface SolveOptions {
  model: Pick<Model, "kind" | "name" | "chat">;
  /** Stands in for the model where a set of tasks is checked; the model is not asked then. */
  reference?: Reference | null | undefined;
  sandbox: Sandbox;
  /** Without any the model gets the task alone: no first run of its tests either. */
  tools: readonly string[];
  limits: { maxIterations: number; timeoutMs: number };
  /** Works on the tasks in place of this process's agent. */
  solver?: Solver | null | undefined;
  /** What each sample's seed is derived from; null: the model gets none. */
  seed: number | null;
  /** Null: the prices are unknown, and so is the cost. */
  prices: Prices | null;
  /** Asks before each call of the model whether it may be made. Default: each may. */
  reserve?: ReserveBudget | undefined;
  /** Gets what a sample of a repository is at, since its tests may take minutes. */
  onStage?: ((sample: SampleId, stage: string) => void) | undefined;
  /** Stops what is running; the sample then has no result and is run again on resume. */
  signal: AbortSignal;
}

export interface RunnerOptions extends SolveOptions {
  fewShot: readonly FewShotExample[];
  concurrency: number;
  /** Whether samples that ended with an error are run again. */
  retryErrors: boolean;
  /** Called for each result: those already on disk first, then as they finish. */
  onResult(result: Result, resumed: boolean): void;
  /** True once no further sample should be started. */
  draining(): boolean;
}

/**
 * Runs what the store does not hold yet.
 * @returns the failure of the model that ended the run early (a wrong key, a wrong address), or null
 */
export async function runSamples(jobs: readonly SampleJob[], store: RunStore, options: RunnerOptions) {
  const { sandbox, draining, onResult } = options;
  const todo = unfinished(jobs, store.results, options);
  if (todo.length === 0) return null;
  const examples = await prepareExamples(options.fewShot, options.tools.length > 0 ? sandbox : null);
  let fatal: string | null = null;
  const stopped = () => fatal !== null || draining() || options.signal.aborted;
  const work = async (job: SampleJob) => {
    const { result, trajectory, fatal: reason } = await solveSample(job, options, examples);
    if (trajectory) store.saveTrajectory({ task_id: job.task.id, attempt: job.attempt }, trajectoryText(trajectory));
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
  const { sandbox, solver, seed: base, prices, onStage, signal } = options;
  const { index, task, attempt } = job;
  const seed = base === null ? undefined : sampleSeed(base, job);
  const sample = { index, task_id: task.id, attempt, seed, bug_type: task.kind };
  let used = noUsage();
  const onStep = ({ usage }: Step) => {
    if (usage) used = addUsage(used, withCost(usage, prices));
  };
  let trajectory: Trajectory;
  try {
    const repaired = await repairedBy(task, sample, { ...options, onStep, examples });
    trajectory = pricedTrajectory(repaired, prices);
  } catch (error) {
    if (signal.aborted) return { result: null };
    const message = messageOf(error);
    return { result: { ...sample, error: { kind: "harness", message }, usage: used } };
  }
  const { usage, error } = trajectory;
  if (trajectory.stop === "aborted") return { result: null };
  const stop = error && isOverflow(error, trajectory) ? error.kind : trajectory.stop;
  if (error && stop === "error") {
    const { kind, message, fatal } = error;
    return { result: { ...sample, error: { kind, message }, usage }, trajectory, fatal: fatal ? message : undefined };
  }
  if (task.assignment.type === "repository") onStage?.(sample, "the hidden tests score the answer");
  const { answer } = trajectory;
  const scored = await (solver?.score(task, answer, signal) ?? task.score(answer, sandbox, signal)).catch((error) => {
    if (signal.aborted) return null;
    throw error;
  });
  if (signal.aborted || scored === null) return { result: null };
  if ("error" in scored) {
    return { result: { ...sample, error: { kind: "harness", message: scored.error }, usage }, trajectory };
  }
  const { verified, iterations, doubt } = trajectory;
  return {
    result: {
      ...sample,
      ...scored.score,
      ...triesOf(task, trajectory, scored.score.passed),
      judge: task.judgeMode,
      doubt,
      verified,
      stop,
      iterations,
      ...repliesIn(trajectory),
      usage,
    },
    trajectory,
  };
}

/**
 * A conversation that the context cannot hold ends as at a limit: the server is well, and a retry ends alike. If the
 * first call already asks for too many tokens, `--max-reply` is wrong, and nothing is known of the model.
 */
const isOverflow = ({ kind, fatal, message }: ModelFailure, { usage }: Trajectory): boolean =>
  kind === "context_length" && !fatal && !(usage.modelCalls === 0 && /\bmax_(?:completion_)?tokens\b/.test(message));

/** Whether it had passed after each of its tries. Source: `summarize_results` of aider's benchmark. */
function triesOf({ assignment }: BenchmarkTask, { steps }: Trajectory, passed: boolean) {
  if (assignment.type !== "work" || assignment.tries === undefined) return {};
  const needed = Math.max(1, steps.filter(({ reply }) => reply.kind === "answer").length);
  const rates = Array.from({ length: assignment.tries }, (_, i) => [`pass_rate_${i + 1}`, passed && needed <= i + 1]);
  return { parts: Object.fromEntries(rates) };
}

/** By the reference, where one stands in for the agent; else by the agent, with what the task gives it. */
async function repairedBy(
  task: BenchmarkTask,
  sample: SampleId & { seed?: number | undefined },
  options: SolveOptions & {
    onStep: (step: Step) => void;
    examples: Awaited<ReturnType<typeof prepareExamples>>;
  },
): Promise<Trajectory> {
  const { reference, solver, model, sandbox, tools, limits, reserve, onStep, examples, onStage, signal } = options;
  if (reference) return referenceTrajectory(task, reference);
  const { assignment } = task;
  const common = { model, sandbox, seed: sample.seed, onStep, signal, reserve };
  if (solver) return await solver.repair(task, { ...common, limits });
  switch (assignment.type) {
    case "solve": {
      const all = { ...common, tools: tools.length > 0 ? tools : null, examples, repairPassing: true, ...limits };
      return await repair(assignment.visible, all);
    }
    case "repository":
      return await repairRepository(assignment, {
        ...{ ...common, id: task.id, limits },
        onStage: onStage && ((stage) => onStage(sample, stage)),
      });
    case "work":
      return await workInFolder(assignment, { ...common, id: task.id, limits });
    case "question":
      return await answerQuestion(assignment, { ...common, id: task.id, limits });
  }
}

const referenceTrajectory = (task: BenchmarkTask, reference: Reference): Trajectory => ({
  taskId: task.id,
  model: reference,
  stop: "answered",
  answer: task.reference(reference),
  verified: false,
  iterations: 0,
  steps: [],
  messages: [],
  usage: noUsage(),
  seconds: 0,
});

/** The same trajectory with the cost of the whole and of each turn. */
const pricedTrajectory = (trajectory: Trajectory, prices: Prices | null): Trajectory => ({
  ...trajectory,
  usage: withCost(trajectory.usage, prices),
  steps: trajectory.steps.map((step) => ({ ...step, usage: step.usage && withCost(step.usage, prices) })),
});
