/** Measures one agent on one task: its own code in the box, the score, cost and time taken by the host. */

import { createHash } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ModelAddress, PROCESS_PROTOCOL, type SolveJob, type WorkJob } from "../../utils/process_protocol.ts";
import { removeFolder } from "../../utils/remove_folder.ts";
import type { Sandbox } from "../../utils/sandbox/types.ts";
import { deriveSeed } from "../../utils/seed.ts";
import type { FewShotExample } from "../../utils/task.ts";
import type { Assignment, BenchmarkScore, BenchmarkTask } from "./benchmark.ts";
import type { Box, Mount } from "./box.ts";
import { nodeModules } from "./build.ts";
import { type ChildEnd, runChild } from "./child.ts";
import type { Measured } from "./events.ts";
import { openGateway } from "./gateway.ts";
import { ModelProxy, type PricedModel } from "./model_proxy.ts";
import type { Split } from "./splits.ts";
import { type Utility, type UtilityOptions, utilityOf } from "./utility.ts";

export interface Evaluator {
  box: Box;
  sandbox: Sandbox;
  priced: PricedModel;
  examples: readonly FewShotExample[];
  /** The agent ends itself at `timeoutMs`; a process that does not is killed `graceMs` later. */
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
  split: Split;
  attempt: number;
}

/** What became of an attempt: a line for the log and the agent's own account, or why nothing was measured. */
export type Measurement = { measured: Measured; trace: string } | { unmeasured: string };

const TRACE_CHARS = 60_000;

/** Two measurements with the same key would be the same measurement. */
export function measurementKey(tree: string, { task, attempt }: Sample, evaluator: Evaluator): string {
  const { model, prices } = evaluator.priced;
  const parts = [tree, task.id, attempt, model.name, model.parameters, prices, evaluator.hash];
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
  const { box, sandbox, limits } = evaluator;
  const isOwnEngine = evaluator.priced.model.spec === "search";
  const seed = deriveSeed(evaluator.seed, sample.task.id, sample.attempt);
  const proxy = isOwnEngine ? null : new ModelProxy(evaluator.priced, {}, recording, seed);
  await using gateway = await openGateway({ proxy, sandbox });
  using files = await openWorkspace(sample.task.assignment);
  const steps: string[] = [];
  const end = await runChild({
    box,
    program: agent.program,
    mode: sample.task.assignment.type,
    mounts: [nodeModules, gateway.mount, ...(files ? [files.mount] : [])],
    job: jobOf(sample, evaluator, {
      socket: `${box.path(gateway.mount)}/${gateway.socketName}`,
      workspace: files ? box.path(files.mount) : "",
    }),
    timeoutMs: limits.timeoutMs + limits.graceMs,
    signal,
    onEvent: (event) => {
      if (event.type === "step") steps.push(event.text);
    },
  });
  const meter = proxy?.meter;
  const failure = meter?.failures[0];
  if (failure) return { unmeasured: failure.message };
  const costUsd = meter ? meter.costUsd : 0;
  if (costUsd === null) return { unmeasured: `${evaluator.priced.model.name} counts no tokens, so it has no cost` };
  const scored = await scoreEnd(end, sample, files?.mount.outside ?? null, sandbox, signal);
  if ("error" in scored) return { unmeasured: scored.error };
  const status = end.status === "ok" && end.seconds * 1000 >= limits.timeoutMs ? "timeout" : end.status;
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
      at: new Date().toISOString(),
    },
  };
}

/** A folder of its own for an agent that works in one; null for a repair, which needs none. */
async function openWorkspace(assignment: Assignment) {
  if (assignment.type === "solve") return null;
  const folder = mkdtempSync(join(tmpdir(), "mend-work-"));
  const mount: Mount = { inside: "/workspace", outside: folder, writable: true };
  const remove = () => removeFolder(folder);
  try {
    await assignment.prepare(folder);
    return { mount, [Symbol.dispose]: remove };
  } catch (error) {
    remove();
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
  { socket, workspace }: { socket: string; workspace: string },
): SolveJob | WorkJob {
  const { priced, examples, searchSteps } = evaluator;
  const { maxIterations, timeoutMs } = evaluator.limits;
  // Of the engine in the agent itself, where seeds only break ties: one for all tasks.
  const seed = evaluator.seed + attempt;
  const model: ModelAddress =
    priced.model.spec === "search"
      ? { kind: "search", seed, ...(searchSteps === undefined ? {} : { searchSteps }) }
      : { kind: "host", name: priced.model.name };
  const common = { v: PROCESS_PROTOCOL, model, socket, limits: { maxIterations, timeoutMs } } as const;
  return assignment.type === "solve"
    ? { ...common, type: "solve", task: assignment.visible, examples: [...examples] }
    : { ...common, type: "work", instruction: assignment.instruction, workspace };
}

/** The utility of one measurement. A process that did not end as it should is worth nothing, save after a timeout. */
export const utilityOfMeasured = (measured: Measured, options: UtilityOptions): Utility =>
  utilityOf(
    {
      score: measured.score,
      costUsd: measured.costUsd,
      seconds: measured.seconds,
      timedOut: measured.status === "timeout",
      failed: measured.status !== "ok" && measured.status !== "timeout",
    },
    options,
  );
