/** What a program that uses mend imports. */

import { z } from "zod";
import type { Model, ModelOptions } from "./agent/models/model.ts";
import { createModel as create } from "./agent/models/table.ts";
import { parseRecord } from "./utils/base/data/record.ts";

export type { Observation, Reply } from "./agent/dialects/reply.ts";
export { type RepairOptions, repair } from "./agent/repair.ts";
export type { Limits } from "./agent/run/limits.ts";
export type { Step, Stop, Trajectory, Verification } from "./agent/run/trajectory.ts";
export { codeInterpreter } from "./agent/tools/code_interpreter.ts";
export type { Tool } from "./agent/tools/tool.ts";
export { type VerifyOptions, verifyRepair as verify } from "./agent/verify.ts";
export type { OwnBenchmark, OwnTask, ScoringTools } from "./eval/benchmark/own.ts";
export { createTask, type TaskParts } from "./fix/library/create_task.ts";
export { defineTool } from "./fix/library/define_tool.ts";
export {
  createRepairGraph,
  type RepairGraphOptions,
  RepairInput,
  type RepairLimits,
  RepairOutput,
  RepairOutputs,
} from "./fix/library/repair_graph.ts";
export { UserError } from "./utils/base/data/errors.ts";
export { flushTraces } from "./utils/base/host/flush_traces.ts";
export { unifiedDiff } from "./utils/base/text/diff.ts";
export { openSandbox as createSandbox } from "./utils/sandbox/sandbox.ts";
export type { AgentSandbox, RunJob, RunResult, Sandbox, SandboxOptions, Verdict } from "./utils/sandbox/types.ts";
export type { VisibleTask } from "./utils/task/task.ts";
export { tracers } from "./utils/tracing/tracers.ts";
export type { Model, ModelOptions };

/** As the commands have them. */
const DEFAULTS: ModelOptions = { temperature: 0.2, timeoutMs: 600_000, maxRetries: 5, log: () => {} };

/**
 * The model that a name stands for: `search` (built in), `openai:NAME` (a server at `OPENAI_BASE_URL`), a hub id or
 * folder (on this machine; needs @huggingface/transformers). Without a name: as `mend repair` without `--model`. Close
 * it at the end, or open it with `await using`.
 * @throws UserError where the name is none or the model's settings are incomplete
 */
export async function createModel(
  name?: string,
  options: Partial<ModelOptions> = {},
): Promise<Model & AsyncDisposable> {
  const spec = parseRecord(name, z.string().optional(), "createModel");
  const model = await create(spec, { ...DEFAULTS, ...options });
  return { ...model, [Symbol.asyncDispose]: () => model.close() };
}
