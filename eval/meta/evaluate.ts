/** Measures one agent on one task: its own code in the box, the score, cost and time taken by the host. */

import type { ModelFailure } from "../../agent/run/model_errors.ts";
import { jsonHash } from "../../utils/base/data/json_hash.ts";
import { deriveSeed } from "../../utils/base/statistics/seed.ts";
import type { AgentSandbox, Sandbox } from "../../utils/sandbox/types.ts";
import {
  type AgentEvent,
  type ModelAddress,
  PROCESS_PROTOCOL,
  type SolveJob,
} from "../../utils/task/process_protocol.ts";
import type { FewShotExample } from "../../utils/task/task.ts";
import type { BenchmarkTask, SolveAssignment } from "../benchmark/benchmark.ts";
import type { Score } from "../benchmark/scorer.ts";
import type { AgentBox } from "./child/box.ts";
import { type ChildEnd, runChild } from "./child/child.ts";
import { childClock } from "./child/child_clock.ts";
import { openGateway } from "./child/gateway.ts";
import { agentLibraries } from "./child/libraries.ts";
import { type Meter, ModelProxy, type PricedModel } from "./child/model_proxy.ts";
import type { Split } from "./gates/splits.ts";
import { type MeasuredLine, TRACE_CHARS } from "./log.ts";

/** What an agent in a process of its own can be given. */
export type ChildTask = BenchmarkTask<SolveAssignment>;

export interface Evaluator {
  box: AgentBox;
  /** Where answers are scored by hidden tests. Nothing that an agent sends before its answer is run in it. */
  sandbox: Sandbox;
  /** What agents get while they work: processes of its own. */
  agentSandbox: AgentSandbox;
  priced: PricedModel;
  examples: readonly FewShotExample[];
  /**
   * The agent ends itself at `timeoutMs`; a process that does not is killed `graceMs` later. The sandbox's time does
   * not count, see `Countdown`.
   */
  limits: { maxIterations: number; timeoutMs: number; graceMs: number };
  /** Every attempt at every task has a seed that follows from this one. */
  seed: number;
  searchSteps?: number;
  /** Over everything besides agent, task and model that decides a measurement. */
  hash: string;
}

/** Which attempt at which task. */
export interface Sample {
  task: ChildTask;
  split: Split;
  attempt: number;
}

/** What became of an attempt: a line for the log and the agent's own account, or why nothing was measured. */
export type Measurement =
  | { measured: MeasuredLine; trace: string }
  | {
      unmeasured: string;
      /** The budget ended before the attempt did. */
      unpaid?: boolean;
    };

/** Two measurements with the same key would be the same measurement. */
export function measurementKey(tree: string, { task, attempt }: Sample, evaluator: Evaluator): string {
  const { model, prices } = evaluator.priced;
  const { input, cachedInput, output } = prices;
  // In one order, however the prices were given.
  const parts = [tree, task.id, attempt, model.name, model.parameters, { input, cachedInput, output }, evaluator.hash];
  return jsonHash(parts);
}

/** How the process of an agent ended. */
export interface AttemptResult {
  end: ChildEnd;
  /** That of `end`, but `timeout` where it ended itself at its limit. */
  status: ChildEnd["status"];
  /** The agent's own account, a turn each. */
  steps: StepEvent[];
  /** Of what it used of the host's model; null where the agent brought its own engine. */
  meter: Meter | null;
}
type StepEvent = Extract<AgentEvent, { type: "step" }>;
/** The model or the budget failed, so that nothing is known of the agent; and what was used. */
export interface AttemptFailure {
  failure: ModelFailure;
  meter: Meter;
}

/** An agent that is built. */
interface Subject {
  tree: string;
  program: string;
}

interface AttemptControl {
  /** Replies of the model, kept so that a killed run does not pay twice; null: they are not. */
  recording: string | null;
  signal: AbortSignal;
}

/** Runs the agent on the task and scores what it answers. */
export async function measure(
  agent: Subject,
  sample: Sample,
  evaluator: Evaluator,
  keeping: AttemptControl,
): Promise<Measurement> {
  const { sandbox, priced } = evaluator;
  const modelSeed = deriveSeed(evaluator.seed, sample.task.id, sample.attempt);
  const attempted = await attempt(agent, sample, { ...evaluator, modelSeed }, keeping);
  if ("failure" in attempted)
    return { unmeasured: attempted.failure.message, unpaid: attempted.failure.kind === "budget" };
  const { meter, end } = attempted;
  const costUsd = meter ? meter.costUsd : 0;
  if (costUsd === null) return { unmeasured: `${priced.model.name} counts no tokens, so it has no cost` };
  const scored = await scoreEnd(end, sample, sandbox, keeping.signal);
  if ("error" in scored) return { unmeasured: scored.error };
  return {
    trace: traceOf(attempted),
    measured: measuredOf(attempted, { ...scored, costUsd }, { tree: agent.tree, sample, evaluator }),
  };
}

const traceOf = ({ steps, end }: AttemptResult): string =>
  [...steps.map(({ text }) => text), end.explanation].filter(Boolean).join("\n\n").slice(-TRACE_CHARS);

/** A line for the log, in the order of its fields there. */
const measuredOf = (
  { status, meter, end }: AttemptResult,
  { score, outcome, costUsd }: Pick<MeasuredLine, "score" | "outcome" | "costUsd">,
  { tree, sample, evaluator }: { tree: string; sample: Sample; evaluator: Evaluator },
): MeasuredLine => ({
  type: "measured",
  key: measurementKey(tree, sample, evaluator),
  tree,
  task: sample.task.id,
  split: sample.split,
  attempt: sample.attempt,
  score,
  outcome,
  status,
  costUsd,
  inputTokens: meter ? meter.usage.inputTokens : 0,
  outputTokens: meter ? meter.usage.outputTokens : 0,
  modelCalls: meter ? meter.usage.modelCalls : 0,
  seconds: end.seconds,
  at: new Date().toISOString(),
});

/** What an attempt needs of an evaluator. */
export type AttemptHost = Pick<
  Evaluator,
  "box" | "agentSandbox" | "priced" | "examples" | "limits" | "seed" | "searchSteps"
> & {
  /** Sent with every call of the host's model; undefined: none. */
  modelSeed: number | undefined;
};

/** Runs the agent on the task, in the box. */
export async function attempt(
  agent: Pick<Subject, "program">,
  { task: { assignment }, attempt: number }: { task: Pick<ChildTask, "assignment">; attempt: number },
  evaluator: AttemptHost,
  { recording, signal }: AttemptControl,
): Promise<AttemptResult | AttemptFailure> {
  const { box, agentSandbox, examples, limits, priced, modelSeed } = evaluator;
  const runsInAgent = priced.model.kind.isSearch;
  const proxy = runsInAgent ? null : new ModelProxy(priced, {}, recording, modelSeed);
  const timeoutMs = limits.timeoutMs + limits.graceMs;
  const clock = childClock(timeoutMs);
  await using gateway = await openGateway({
    proxy,
    sandbox: clock.countdown.pausedBy(agentSandbox),
    tasks: [assignment.visible, ...examples],
  });
  const steps: StepEvent[] = [];
  const end = await runChild({
    box,
    program: agent.program,
    mode: assignment.type,
    mounts: [...agentLibraries(), gateway.mount],
    job: jobOf(assignment, number, evaluator, `${box.path(gateway.mount)}/${gateway.socketName}`),
    timeoutMs,
    clock,
    signal,
    onEvent: (event) => {
      if (event.type === "step") steps.push(event);
    },
  });
  // One that ended itself may have left calls behind; they count.
  if (end.status === "ok") await proxy?.settled();
  const meter = proxy?.meter ?? null;
  const failure = meter && failureOf(meter, limits, priced.model.name);
  if (failure) return { failure, meter };
  const isLate = end.status === "ok" && clock.countdown.elapsedMs >= limits.timeoutMs;
  return { end, status: isLate ? "timeout" : end.status, steps, meter };
}

/** Why nothing is known of an agent that used the host's model so; null where something is. */
function failureOf(meter: Meter, limits: Evaluator["limits"], model: string): ModelFailure | null {
  const failure = meter.failures.find(({ kind }) => kind === "budget") ?? meter.failures[0];
  if (failure) return failure;
  const message = `${model} gave no reply within the time of the task: see whether its server hangs`;
  return neverAnswered(meter, limits) ? { kind: "timeout", message, fatal: false } : null;
}

/** Whether the agent waited for most of its time and got no reply at all: then nothing is known about its ability. */
const neverAnswered = ({ usage, unansweredMs }: Meter, { timeoutMs }: Evaluator["limits"]): boolean =>
  usage.modelCalls === 0 && unansweredMs >= timeoutMs / 2;

/**
 * Scores what an agent in a box left. Where the right program gets its verdict, an answer that no judge can look at is
 * wrong: no agent stops a run with one.
 */
export async function scoreAnswer(
  task: BenchmarkTask,
  answer: string | null,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<{ error: string } | { score: Score; outcome: string }> {
  const scored = await task.score(answer, sandbox, signal);
  if ("score" in scored) return { ...scored, outcome: scored.score.outcome };
  if (task.assignment.type !== "solve") return scored;
  const right = await task.score(task.reference("gold"), sandbox, signal);
  if ("error" in right || !right.score.passed) return scored;
  const score: Score = { passed: false, outcome: "failed", explanation: `no judge can look at it: ${scored.error}` };
  return { score, outcome: "unjudgeable" };
}

async function scoreEnd(
  { status, result }: ChildEnd,
  { task }: Sample,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<Pick<MeasuredLine, "score" | "outcome"> | { error: string }> {
  if (status !== "ok" || !result) return { score: 0, outcome: status };
  // An agent that gives up without a failing model has failed itself.
  if (result.stop === "error") return { score: 0, outcome: "agent_error" };
  const scored = await scoreAnswer(task, result.answer, sandbox, signal);
  return "error" in scored ? scored : { score: Number(scored.score.passed), outcome: scored.outcome };
}

function jobOf(
  { visible: task, type }: SolveAssignment,
  attempt: number,
  evaluator: Pick<Evaluator, "priced" | "examples" | "searchSteps" | "limits" | "seed">,
  socket: string,
): SolveJob {
  const { priced, examples, searchSteps } = evaluator;
  const { maxIterations, timeoutMs } = evaluator.limits;
  // Of the engine in the agent itself, where seeds only break ties: one for all tasks.
  const seed = evaluator.seed + attempt;
  const { kind, spec, name } = priced.model;
  const model: ModelAddress = kind.isSearch ? { kind: "agent", spec, seed, searchSteps } : { kind: "host", name };
  const limits = { maxIterations, timeoutMs };
  return { v: PROCESS_PROTOCOL, type, task, examples: [...examples], model, socket, limits };
}
