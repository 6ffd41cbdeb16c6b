/** What a program that uses mend imports. */

export type { Limits } from "./agent/limits/limits.ts";
export type { Model, ModelOptions } from "./agent/models/create.ts";
export { type RepairOptions, repair } from "./agent/repair.ts";
export type { Reply } from "./agent/reply.ts";
export { codeInterpreter } from "./agent/tools/code_interpreter.ts";
export { defineTool, type Observation, type Tool } from "./agent/tools/tool.ts";
export type { Step, Stop, Trajectory, Verification } from "./agent/trajectory/trajectory.ts";
export { type VerifyOptions, verifyRepair as verify } from "./agent/verify.ts";
export { createModel } from "./api/model.ts";
export {
  createRepairGraph,
  type RepairGraphOptions,
  RepairInput,
  type RepairLimits,
  RepairOutput,
} from "./api/repair_graph.ts";
export { createTask, type TaskParts } from "./api/task.ts";
export { UserError } from "./utils/errors.ts";
export { flushTraces } from "./utils/program/flush_traces.ts";
export { openSandbox as createSandbox } from "./utils/sandbox/sandbox.ts";
export type { AgentSandbox, RunJob, RunResult, Sandbox, SandboxOptions, Verdict } from "./utils/sandbox/types.ts";
export type { VisibleTask } from "./utils/task/task.ts";
export { unifiedDiff } from "./utils/text/diff.ts";
export { tracers } from "./utils/tracing/tracers.ts";
