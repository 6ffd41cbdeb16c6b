/** Measures one agent on one task: its own code in the box, the score, cost and time taken by the host. */

import { createHash } from "node:crypto";
import { cpus, hostname } from "node:os";
import type { Countdown } from "../../agent/run/countdown.ts";
import { Queue } from "../../utils/concurrency/queue.ts";
import { makeTemporaryFolder } from "../../utils/files/temporary.ts";
import type { AgentSandbox, Sandbox } from "../../utils/sandbox/types.ts";
import { deriveSeed } from "../../utils/statistics/seed.ts";
import { type ModelAddress, PROCESS_PROTOCOL, type SolveJob, type WorkJob } from "../../utils/task/process_protocol.ts";
import type { FewShotExample } from "../../utils/task/task.ts";
import type { Assignment, BenchmarkScore, BenchmarkTask } from "./benchmark.ts";
import type { AgentBox, Mount } from "./child/box.ts";
import { type ChildEnd, runChild } from "./child/child.ts";
import { childClock } from "./child/child_clock.ts";
import { type HostTests, openGateway } from "./child/gateway.ts";
import { agentLibraries } from "./child/libraries.ts";
import { type Meter, ModelProxy, type PricedModel } from "./child/model_proxy.ts";
import type { Group } from "./judge/splits.ts";
import type { Measured, Unfinished } from "./log.ts";

export interface Evaluator {
  box: AgentBox;
  /** Where answers are scored by hidden tests. Nothing that an agent sends before its answer is run in it. */
  sandbox: Sandbox;
  /** What agents get while they work: processes of its own. */
  agentSandbox: AgentSandbox;
  priced: PricedModel;
  examples: readonly FewShotExample[];
  /**
   * The agent ends itself at `timeoutMs`; a process that does not is killed `graceMs` later. The sandbox's time does not
   * count, see `Countdown`.
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
  task: BenchmarkTask;
  split: Group;
  attempt: number;
}

/** What became of an attempt: a line for the log and the agent's own account, or why nothing was measured. */
export type Measurement =
  | { measured: Measured; trace: string }
  | {
      unmeasured: string;
      /** The budget ended before the attempt did, which had used so much. */
      unpaid?: boolean | undefined;
      used?: Unfinished | undefined;
    };

const TRACE_CHARS = 60_000;
const MACHINE = `${hostname()} (${cpus()[0]?.model.trim() || "unknown processor"})`;

/** Two measurements with the same key would be the same measurement. */
export function measurementKey(tree: string, { task, attempt }: Sample, evaluator: Evaluator): string {
  const { model, prices } = evaluator.priced;
  const { input, cachedInput, output } = prices;
  const { name, parameters } = model;
  // In one order: a worker has the prices from an offer.
  const parts = [tree, task.id, attempt, name, parameters, { input, cachedInput, output }, evaluator.hash];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/**
 * Runs the agent on the task and scores what it answers.
 * @param program the built agent, @param recording replies of the model, kept so that a killed run does not pay twice
 */
export async function measure(
  agent: { tree: string; program: string },
  sample: Sample,
  evaluator: Evaluator,
  { recording, signal }: { recording: string | null; signal: AbortSignal },
): Promise<Measurement> {
  const { box, sandbox, agentSandbox, examples, limits } = evaluator;
  const { assignment } = sample.task;
  const runsInAgent = evaluator.priced.model.kind.runsIn === "agent";
  const seed = deriveSeed(evaluator.seed, sample.task.id, sample.attempt);
  const proxy = runsInAgent ? null : new ModelProxy(evaluator.priced, {}, recording, seed);
  const timeoutMs = limits.timeoutMs + limits.graceMs;
  const clock = childClock(timeoutMs);
  using files = await openWorkspace(assignment, signal);
  await using gateway = await openGateway({
    proxy,
    sandbox: clock.countdown.pausedBy(agentSandbox),
    tasks: assignment.type === "solve" ? [assignment.visible, ...examples] : [],
    tests: files?.tests(clock.countdown),
  });
  const steps: string[] = [];
  const end = await runChild({
    box,
    program: agent.program,
    mode: assignment.type,
    mounts: [...agentLibraries(), gateway.mount, ...(files ? [files.mount] : [])],
    job: jobOf(sample, evaluator, {
      socket: `${box.path(gateway.mount)}/${gateway.socketName}`,
      instruction: files?.instruction ?? "",
      workspace: files ? box.path(files.mount) : "",
    }),
    timeoutMs,
    clock,
    signal,
    onEvent: (event) => {
      if (event.type === "step") steps.push(event.text);
    },
  });
  // One that ended itself may have left calls behind; they count.
  if (end.status === "ok") await proxy?.settled();
  const meter = proxy?.meter;
  const failure = meter?.failures[0];
  if (meter?.failures.some(({ kind }) => kind === "budget")) {
    const { inputTokens, outputTokens, modelCalls } = meter.usage;
    const used = { costUsd: meter.costUsd ?? 0, inputTokens, outputTokens, modelCalls };
    return { unmeasured: failure?.message ?? "", unpaid: true, used };
  }
  if (failure) return { unmeasured: failure.message };
  if (meter && neverAnswered(meter, limits)) {
    return {
      unmeasured: `${evaluator.priced.model.name} gave no reply within the time of the task: see whether its server hangs`,
    };
  }
  const costUsd = meter ? meter.costUsd : 0;
  if (costUsd === null) return { unmeasured: `${evaluator.priced.model.name} counts no tokens, so it has no cost` };
  const scored = await scoreEnd(end, sample, files?.mount.outside ?? null, sandbox, signal);
  if ("error" in scored) return { unmeasured: scored.error };
  const status = end.status === "ok" && clock.countdown.elapsedMs >= limits.timeoutMs ? "timeout" : end.status;
  return {
    trace: [...steps, end.explanation].filter(Boolean).join("\n\n").slice(-TRACE_CHARS),
    measured: {
      type: "measured",
      key: measurementKey(agent.tree, sample, evaluator),
      tree: agent.tree,
      task: sample.task.id,
      split: sample.split,
      attempt: sample.attempt,
      ...scored,
      status,
      costUsd,
      inputTokens: meter ? meter.usage.inputTokens : 0,
      outputTokens: meter ? meter.usage.outputTokens : 0,
      modelCalls: meter ? meter.usage.modelCalls : 0,
      seconds: end.seconds,
      machine: MACHINE,
      at: new Date().toISOString(),
    },
  };
}

/** Whether the agent waited for most of its time and got no reply at all: then nothing is known about its ability. */
const neverAnswered = ({ usage, unansweredMs }: Meter, { timeoutMs }: Evaluator["limits"]): boolean =>
  usage.modelCalls === 0 && unansweredMs >= timeoutMs / 2;

/** A folder of its own for an agent that works in one; null for a repair, which needs none. */
async function openWorkspace(assignment: Assignment, signal: AbortSignal) {
  if (assignment.type === "solve") return null;
  const folder = makeTemporaryFolder("work");
  const { path } = folder;
  const mount: Mount = { inside: "/workspace", outside: path, writable: true };
  const { tests } = assignment;
  // One at a time, however often the agent asks: each is programs on the host's processors.
  const turn = new Queue(1);
  try {
    return {
      mount,
      instruction: await assignment.prepare(path, signal),
      /** @param countdown stands still while they run */
      tests: (countdown: Countdown): HostTests | undefined =>
        tests && {
          run: (input, hangUp) => countdown.pausing(() => turn.run(() => tests.run(path, input, hangUp), hangUp)),
          verify: (hangUp) => countdown.pausing(() => turn.run(() => tests.verify(path, hangUp), hangUp)),
        },
      [Symbol.dispose]: folder[Symbol.dispose],
    };
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
}

async function scoreEnd(
  { status, result }: ChildEnd,
  { task }: Sample,
  workspace: string | null,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<BenchmarkScore> {
  if (status !== "ok" || !result) return { score: 0, outcome: status };
  // An agent that gives up without a failing model has failed itself.
  if (result.stop === "error") return { score: 0, outcome: "agent_error" };
  return task.score({ answer: result.answer, workspace }, sandbox, signal);
}

function jobOf(
  { task: { assignment }, attempt }: Sample,
  evaluator: Evaluator,
  { socket, workspace, instruction }: { socket: string; workspace: string; instruction: string },
): SolveJob | WorkJob {
  const { priced, examples, searchSteps } = evaluator;
  const { maxIterations, timeoutMs } = evaluator.limits;
  // Of the engine in the agent itself, where seeds only break ties: one for all tasks.
  const seed = evaluator.seed + attempt;
  const { kind, spec, name } = priced.model;
  const model: ModelAddress =
    kind.runsIn === "agent" ? { kind: "agent", spec, seed, searchSteps } : { kind: "host", name };
  const common = { v: PROCESS_PROTOCOL, model, socket, limits: { maxIterations, timeoutMs } } as const;
  return assignment.type === "solve"
    ? { ...common, type: "solve", task: assignment.visible, examples: [...examples] }
    : { ...common, type: "work", instruction, workspace, tests: assignment.tests !== undefined };
}
