/** The agent as a graph for other people's LangGraph programs: a task goes in, a verified answer comes out. */

import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { type BaseCheckpointSaver, type BaseStore, isCommand, StateSchema } from "@langchain/langgraph";
import { z } from "zod";
import { isNative } from "../../agent/conversation.ts";
import { CODE_TOOL, Observation } from "../../agent/dialects/reply.ts";
import { type Agent, buildGraph, createAgent } from "../../agent/graph.ts";
import { TOOL_CALLS } from "../../agent/models/model.ts";
import { repairParts } from "../../agent/repair.ts";
import type { ChatModel } from "../../agent/run/context.ts";
import { type Limits, recursionLimitOf } from "../../agent/run/limits.ts";
import { type GraphState, RepairOutput, RepairOutputs } from "../../agent/state.ts";
import { toolsFor } from "../../agent/tools/table.ts";
import { registry, type Tool } from "../../agent/tools/tool.ts";
import { verifyRepair } from "../../agent/verify.ts";
import { UserError } from "../../utils/base/data/errors.ts";
import { isRecord, parseRecord } from "../../utils/base/data/record.ts";
import type { AgentSandbox } from "../../utils/sandbox/types.ts";
import { VisibleTask } from "../../utils/task/task.ts";

export interface RepairGraphOptions {
  /** A chat model of LangChain, or one of `createModel`. */
  model: BaseChatModel | { chat: BaseChatModel };
  sandbox: AgentSandbox;
  limits?: RepairLimits;
  /** Whether the model calls tools natively (`bindTools`) or in its text. Default: that of `createModel`, or text. */
  toolCalls?: "native" | "text";
  /**
   * Also asks the model to repair a program that passes its tests. Default: such a program is returned unchanged, and
   * the run stops with `nothing_to_repair`.
   */
  repairPassing?: boolean;
  /** What the model may use besides `code_interpreter`, which runs its programs in the sandbox. */
  tools?: readonly Tool[];
  /** Keeps the state of a thread, so that a run can be interrupted, inspected and continued. */
  checkpointer?: BaseCheckpointSaver | boolean;
  store?: BaseStore;
}

/** Time is limited as everywhere in LangGraph: by the `signal` of the config, e.g. `AbortSignal.timeout(60_000)`. */
export type RepairLimits = Partial<Limits>;

const MAX_ITERATIONS = 12;

/** What a caller hands over. */
export const RepairInput = new StateSchema({ task: VisibleTask });
export { RepairOutput, RepairOutputs };

/**
 * Returns the compiled graph, which serves any number of tasks, also at once. `llm` and `tool` take turns as in
 * `mend repair`: the first turn runs the tests, and the last chooses the answer.
 *
 * With a checkpointer, a second task on the same thread continues the conversation. `streamMode: "custom"` yields every
 * `Step` with its `taskId`. A failure of the model is `stop: "error"` with a sentence in `error.message`. Running the
 * graph throws a UserError for an input without a task, and an Error if the sandbox fails or the config's signal fires.
 * @throws UserError for an option that is missing or wrong
 */
export function createRepairGraph(options: RepairGraphOptions): RepairGraph {
  parseRecord(options, Options, "createRepairGraph");
  if (options.toolCalls === "native" && !chatOf(options).bindTools)
    throw new UserError("createRepairGraph: this model takes no tools (it has no bindTools): omit toolCalls.");
  return ready(compiled(options), recursionLimitOf(limitsOf(options)));
}

type RepairGraph = ReturnType<typeof compiled>;

function compiled(options: RepairGraphOptions) {
  const { checkpointer, store } = options;
  const output = new StateSchema({ ...RepairOutput.fields, ...RepairOutputs.fields });
  const graph = buildGraph(agentsOf(options), { input: RepairInput, output });
  return graph.compile({ name: "mend", ...(checkpointer && { checkpointer }), ...(store && { store }) });
}

/**
 * Makes the graph, and every graph that `withConfig` derives from it, check its input and allow the steps it needs. A
 * parent graph passes its own `recursionLimit` down, 25 by default, which counts the parent's steps.
 */
function ready(graph: RepairGraph, leastSteps: number): RepairGraph {
  const [stream, withConfig] = [graph.stream.bind(graph), graph.withConfig.bind(graph)];
  return Object.assign(graph, {
    stream: async (input: Parameters<typeof stream>[0], config?: Parameters<typeof stream>[1]) => {
      // Null continues a thread.
      if (input !== null && !isCommand(input)) checkInput(input);
      return stream(input, { ...config, recursionLimit: Math.max(leastSteps, config?.recursionLimit ?? 0) });
    },
    withConfig: (config: Parameters<typeof withConfig>[0]) => ready(withConfig(config), leastSteps),
  });
}

const NO_TASK = "The input has no task: hand over { task: createTask({ code, entryPoint, tests }) }.";

function checkInput(input: unknown): void {
  const { task } = isRecord(input) ? input : {};
  if (!isRecord(task)) throw new UserError(NO_TASK);
  parseRecord(task, VisibleTask, "The task was not made by createTask");
}

/** Checked here, since callers in JavaScript have no types. */
const Options = z.strictObject({
  model: z.custom((model) => isRecord(model) && ("chat" in model || "invoke" in model), {
    error: 'a chat model is needed, such as `await createModel("search")`',
  }),
  sandbox: z.custom((sandbox) => isRecord(sandbox) && "judgeVisible" in sandbox, {
    error: "a sandbox is needed: `await createSandbox()`",
  }),
  limits: z
    .strictObject({
      maxIterations: z.int().min(1).optional(),
      maxRepeats: z.int().min(1).optional(),
      maxAnswers: z.int().min(1).optional(),
      maxTokens: z.number().positive().optional(),
    } satisfies Record<keyof Limits, z.ZodType>)
    .optional(),
  toolCalls: z.enum(TOOL_CALLS).optional(),
  repairPassing: z.boolean().optional(),
  tools: z
    .array(
      z.custom<Tool>((tool) => isRecord(tool) && "run" in tool, {
        error: "it is no tool of `defineTool`: a tool of LangChain does not fit",
      }),
    )
    .refine((tools) => new Set([CODE_TOOL, ...tools.map(({ name }) => name)]).size === tools.length + 1, {
      error: `two tools share a name, or one has that of mend's own, ${CODE_TOOL}`,
    })
    .optional(),
  checkpointer: z.unknown().optional(),
  store: z.unknown().optional(),
} satisfies Record<keyof RepairGraphOptions, z.ZodType>);

const limitsOf = ({ limits = {} }: RepairGraphOptions) => ({
  ...limits,
  maxIterations: limits.maxIterations ?? MAX_ITERATIONS,
});

const chatOf = ({ model }: RepairGraphOptions): ChatModel => ("chat" in model ? model.chat : model);

/** Makes the agent of a task when its first node runs, and keeps it as long as the run holds the task. */
function agentsOf(options: RepairGraphOptions): (state: GraphState) => Agent {
  const agents = new WeakMap<VisibleTask, Agent>();
  return ({ task }) => {
    if (!task) throw new UserError(NO_TASK);
    const agent = agents.get(task) ?? agentFor(task, options);
    agents.set(task, agent);
    return agent;
  };
}

/** The tool of a caller, whose result may have any shape. */
const checked = (tool: Tool): Tool => ({
  ...{ name: tool.name, description: tool.description, input: tool.input },
  run: async (input, signal) =>
    parseRecord(await tool.run(input, signal), Observation, `The tool ${tool.name} returned no observation`),
});

function agentFor(task: VisibleTask, options: RepairGraphOptions): Agent {
  const { sandbox, tools = [], toolCalls, repairPassing } = options;
  const chat = chatOf(options);
  const called = (chat.callsByName ?? []).filter((name) => !tools.some((own) => own.name === name));
  const all = registry([...toolsFor(task, sandbox, called).values(), ...tools.map(checked)]);
  const parts = repairParts(task, {
    tools: all,
    verify: (answer, signal) => verifyRepair(task, answer, { sandbox }, signal),
    repairPassing,
    isNative: isNative({ model: chat, tools: all, toolCalls }),
  });
  return createAgent({ ...parts, model: chat, toolCalls, limits: limitsOf(options) });
}
