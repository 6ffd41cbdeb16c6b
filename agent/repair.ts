/** Repairs one task by the graph; users of the library have `createRepairGraph`. */

import { LANGUAGES } from "../utils/languages/registry.ts";
import type { AgentSandbox } from "../utils/sandbox/types.ts";
import { buggyProgram, hasTests, isToWrite, type VisibleTask } from "../utils/task/task.ts";
import { isNative, type Opening } from "./conversation.ts";
import type { Action } from "./dialects/reply.ts";
import { type GraphParts, type GraphRun, runGraph } from "./graph.ts";
import { firstAction, firstRun, systemMessage, taskMessage } from "./prompts.ts";
import { Allowance, type ReserveBudget } from "./run/allowance.ts";
import type { ChatModel } from "./run/context.ts";
import type { Limits } from "./run/limits.ts";
import type { Trajectory, Verify } from "./run/trajectory.ts";
import { toolsFor } from "./tools/table.ts";
import { type Registry, registry, type Tool } from "./tools/tool.ts";
import { bestAnswer, type VerifyOptions, verifyRepair, withEditsMade } from "./verify.ts";

export interface RepairOptions extends Limits {
  model: { name: string; chat: ChatModel };
  sandbox: AgentSandbox;
  /** Time limit of the repair in milliseconds. The sandbox's time does not count, see `run/allowance.ts`. */
  timeoutMs: number;
  /** Sent in place of the model's own seed. */
  seed?: number | undefined;
  /** Names of tools besides `code_interpreter`. Null: the model gets the task alone, no tools and no first run. */
  tools?: readonly string[] | null | undefined;
  /** Tools that are not in the table. */
  moreTools?: readonly Tool[] | undefined;
  /**
   * Also asks the model to repair a program that passes its visible tests; benchmarks have such tasks, whose hidden
   * tests fail. Default: such a program is returned unchanged, and the run stops with `nothing_to_repair`.
   */
  repairPassing?: boolean | undefined;
  /** From `prepareExamples`; shown between the system message and the task. */
  examples?: Opening | undefined;
  judge?: VerifyOptions["judge"] | undefined;
  /** The visible tests as a script for the opening action. Default: the tests as they are. */
  testScript?: string | undefined;
  /** For tests that the judge cannot run: `verify` judges answers in its place, `tool` lets the model run the tests. */
  ownTests?: { verify: Verify; tool: () => Tool } | undefined;
  /** Called before every model call. Default: every call may be made. */
  reserve?: ReserveBudget | undefined;
  onStep?: GraphParts["onStep"];
  onProgress?: GraphParts["onProgress"];
  signal?: AbortSignal | undefined;
}

/**
 * Runs the graph on one task. Failures of the model (`stop: "error"`) and limits are part of the result.
 * @throws Error for a bug of ours, or if the sandbox gave no verdict
 */
export async function repair(task: VisibleTask, options: RepairOptions): Promise<Trajectory> {
  const { model, judge, ownTests, examples = [], tools: further = [] } = options;
  const started = performance.now();
  using allowance = new Allowance(options);
  const sandbox = allowance.pausedBy(options.sandbox);
  const testTool = ownTests?.tool();
  const own = [...(testTool ? [testTool] : []), ...(options.moreTools ?? [])];
  const names = [...(further ?? []), ...(model.chat.callsByName ?? [])];
  const tools = further === null ? registry([]) : toolsFor(task, sandbox, names, own);
  const verify: Verify = (answer, signal) =>
    ownTests ? ownTests.verify(answer, signal) : verifyRepair(task, answer, { sandbox, judge }, signal);
  const { seed, onStep, onProgress } = options;
  const { reserve, signal } = allowance;
  const first = testTool ? firstRun(task, testTool) : firstAction(task, options.testScript);
  const given = { examples, repairPassing: options.repairPassing, isNative: isNative({ model: model.chat, tools }) };
  const parts = repairParts(task, { tools, verify, first, ...given });
  const limits: Limits = options;
  const run = await runGraph({ ...parts, model: model.chat, limits, reserve, seed, onStep, onProgress, signal });
  const seconds = (performance.now() - started) / 1000;
  const usage = { ...run.usage, seconds };
  return { taskId: task.id, model: model.name, ...run, ...endOf(run, options), usage, seconds };
}

/** The parts of the graph that depend on the task alone. */
export function repairParts(
  task: VisibleTask,
  { tools, verify, first = firstAction(task), examples = [], repairPassing = false, isNative = false }: RepairParts,
) {
  const language = LANGUAGES[task.language];
  const isNew = isToWrite(task);
  const opening = [systemMessage(task, tools, isNative), ...examples, taskMessage(task)];
  return {
    tools,
    verify: withEditsMade(task, verify),
    verifyGiven:
      repairPassing || isNew || !hasTests(task)
        ? undefined
        : async (signal) => ({ ...(await verify(buggyProgram(task), signal)), result: buggyProgram(task) }),
    chooseAnswer: (steps, signal) => bestAnswer(steps, task, (answer) => verify(answer, signal)),
    answer: "code",
    language,
    opening: isNew || tools.size === 0 ? opening : [...opening, { reply: first }],
  } satisfies Partial<GraphParts>;
}

interface RepairParts extends Pick<RepairOptions, "examples" | "repairPassing"> {
  tools: Registry;
  verify: Verify;
  first?: Action | undefined;
  /** Whether the model calls tools natively. Default: it acts in its text. */
  isNative?: boolean;
}

/** The end of a run; an error where the time was up before one model call ended: that says nothing of the model. */
function endOf({ stop, iterations }: GraphRun, { model, timeoutMs }: RepairOptions): Pick<GraphRun, "stop" | "error"> {
  if (stop !== "budget" || iterations > 0) return { stop };
  const message =
    `${model.name} gave no reply within the ${timeoutMs / 1000} s of the task: see whether its server ` +
    "hangs, or raise the time limit.";
  return { stop: "error", error: { kind: "timeout", message, fatal: false } };
}
