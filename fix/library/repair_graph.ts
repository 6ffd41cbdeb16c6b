/** The agent as a graph for other people's LangGraph programs: a task goes in, a verified answer comes out. */

import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { type BaseCheckpointSaver, type BaseStore, isCommand, StateSchema } from "@langchain/langgraph";
import { z } from "zod";
import {
  AgentOutput,
  AgentOutputs,
  buildGraph,
  type GraphParts,
  type GraphState,
  recursionLimitOf,
} from "../../agent/graph.ts";
import { repairParts } from "../../agent/repair.ts";
import type { Limits } from "../../agent/run/limits.ts";
import { type Step, usageOf } from "../../agent/run/trajectory.ts";
import { toolsFor, toolsOf } from "../../agent/tools/table.ts";
import { registry, type Tool } from "../../agent/tools/tool.ts";
import { lighten } from "../../agent/unwatched.ts";
import { verifyRepair } from "../../agent/verify.ts";
import { UserError } from "../../utils/base/data/errors.ts";
import type { AgentSandbox } from "../../utils/sandbox/types.ts";
import { VisibleTask } from "../../utils/task/task.ts";

export interface RepairGraphOptions {
  /** A chat model of LangChain, or one of `createModel`. */
  model: BaseChatModel | { chat: BaseChatModel };
  sandbox: AgentSandbox;
  limits?: RepairLimits;
  /**
   * Whether the model calls tools natively, as `bindTools` has it, or in its text. Default: as `createModel` made it,
   * else text.
   */
  toolCalls?: "native" | "text";
  /**
   * Asks the model for a repair of a program that passes its tests, too. Default: such a program is returned unchanged,
   * and the run stops with `nothing_to_repair`.
   */
  repairPassing?: boolean;
  /** What the model may use besides `code_interpreter`, which runs its programs in the sandbox. */
  tools?: readonly Tool[];
  /** Keeps the state of a thread, so that a run can be interrupted, inspected and continued. */
  checkpointer?: BaseCheckpointSaver | boolean;
  store?: BaseStore;
}

/** Time is limited as everywhere in LangGraph: by the `signal` of the config, such as `AbortSignal.timeout(60_000)`. */
export interface RepairLimits extends Partial<Limits> {
  /** Input and output tokens together; where a server counts none this limit cannot hold. Default: any number. */
  maxTokens?: number | undefined;
}

const MAX_ITERATIONS = 12;

/** What a caller hands over. */
export const RepairInput = new StateSchema({ task: VisibleTask });
/** What a caller gets. */
export const RepairOutput = AgentOutput;
/** What a caller gets who sends several tasks at once (`Send`): one of `repairs` for each. */
export const RepairOutputs = AgentOutputs;

/**
 * The compiled graph; it serves any number of tasks, also at a time. `llm` and `tool` take turns as in `mend repair`:
 * the first turn runs the tests, and the last chooses the answer.
 *
 * With a checkpointer, a second task on the same thread goes on with the conversation. `streamMode: "custom"` yields
 * every
 * `Step` with its `taskId`. Failures of the model are `stop: "error"` with a sentence in `error.message`.
 * Running it throws a UserError for an input without a task, and an Error where the sandbox fails or the config's
 * signal fires.
 */
export function createRepairGraph(options: RepairGraphOptions): RepairGraph {
  return ready(compiled(options), recursionLimitOf(limitsOf(options)));
}

type RepairGraph = ReturnType<typeof compiled>;

function compiled(options: RepairGraphOptions) {
  const { checkpointer, store } = options;
  const output = new StateSchema({ ...RepairOutput.fields, ...RepairOutputs.fields });
  const graph = buildGraph((state) => partsFor(state, options), { input: RepairInput, output });
  return lighten(graph.compile({ name: "mend", ...(checkpointer && { checkpointer }), ...(store && { store }) }));
}

/**
 * The graph, and all that `withConfig` makes of it, looks at its input first and has the steps that it needs: a bigger
 * graph passes its own limit on, which counts its own steps and is 25 where nobody set one.
 */
function ready(graph: RepairGraph, leastSteps: number): RepairGraph {
  const [stream, withConfig] = [graph.stream.bind(graph), graph.withConfig.bind(graph)];
  return Object.assign(graph, {
    stream: async (input: Parameters<typeof stream>[0], config?: Parameters<typeof stream>[1]) => {
      // Null goes on with a thread.
      if (input !== null && !isCommand(input)) checkInput(input);
      return stream(input, { ...config, recursionLimit: Math.max(leastSteps, config?.recursionLimit ?? 0) });
    },
    withConfig: (config: Parameters<typeof withConfig>[0]) => ready(withConfig(config), leastSteps),
  });
}

const Input = z.object({ task: VisibleTask });
const NO_TASK = "The input has no task: hand over { task: createTask({ code, entryPoint, tests }) }.";

function checkInput(input: unknown): void {
  const { error } = Input.safeParse(input ?? {});
  if (!error) return;
  const wrong = error.issues
    .filter(({ path }) => path.length > 1)
    .map(({ path, message }) => `${path[1]?.toString()}: ${message}`);
  throw new UserError(wrong.length === 0 ? NO_TASK : `The task is none as createTask makes it (${wrong.join("; ")}).`);
}

const limitsOf = ({ limits = {} }: RepairGraphOptions) => ({
  ...limits,
  maxIterations: limits.maxIterations ?? MAX_ITERATIONS,
});

function partsFor({ task, steps }: GraphState, options: RepairGraphOptions): GraphParts {
  if (!task) throw new UserError(NO_TASK);
  const { model, sandbox, tools = [], toolCalls, repairPassing } = options;
  const limits = limitsOf(options);
  const chat = "chat" in model ? model.chat : model;
  const called = toolsOf(chat).filter((name) => !tools.some((own) => own.name === name));
  return {
    ...repairParts(task, {
      tools: registry([...toolsFor(task, sandbox, called).values(), ...tools]),
      verify: (answer, signal) => verifyRepair(task, answer, { sandbox }, signal),
      repairPassing,
    }),
    model: chat,
    toolCalls,
    limits,
    allowance: tokensLeft(steps, limits.maxTokens),
  };
}

/** What is left of the tokens, as the state says: a checkpoint may be continued by another process. */
function tokensLeft(steps: readonly Step[], maxTokens = Infinity): GraphParts["allowance"] {
  const { inputTokens, outputTokens } = usageOf(steps);
  let left = maxTokens - (inputTokens ?? 0) - (outputTokens ?? 0);
  return {
    signal: new AbortController().signal,
    get isSpent() {
      return left <= 0;
    },
    spend: (usage) => {
      left -= (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
    },
  };
}
