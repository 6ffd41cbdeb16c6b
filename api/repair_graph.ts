/** The agent as a graph for other people's LangGraph programs: a task goes in, a verified answer comes out. */

import { randomUUID } from "node:crypto";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import {
  type BaseCheckpointSaver,
  type BaseStore,
  END,
  type LangGraphRunnableConfig,
  Overwrite,
  START,
  StateGraph,
  StateSchema,
} from "@langchain/langgraph";
import { z } from "zod";
import { agentFields, askModel, carryOut, type GraphParts, route, superstepsOf } from "../agent/graph.ts";
import { actionMessage, firstAction, systemMessage, taskMessage } from "../agent/prompts.ts";
import type { Limits } from "../agent/run/limits.ts";
import { type Step, Stop, usageOf } from "../agent/run/trajectory.ts";
import { toolsFor, toolsOf } from "../agent/tools/table.ts";
import { registry, type Tool } from "../agent/tools/tool.ts";
import { asGiven, keptAnswer, verifyRepair } from "../agent/verify.ts";
import { LANGUAGES } from "../utils/languages/registry.ts";
import type { AgentSandbox } from "../utils/sandbox/types.ts";
import { VisibleTask } from "../utils/task/task.ts";

export interface RepairGraphOptions {
  /** A chat model of LangChain, or one of `createModel`. */
  model: BaseChatModel | { chat: BaseChatModel };
  sandbox: AgentSandbox;
  limits?: RepairLimits;
  /** Whether the model calls tools natively, as `bindTools` has it, or in its text. Default: as `createModel` made it, else text. */
  toolCalls?: "native" | "text";
  /**
   * Asks the model for a repair of a program that passes its tests, too. Default: such a program is returned unchanged, and
   * the run stops with `nothing_to_repair`.
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

const answerFields = {
  /** The verified program, else the last one that loads, else null. */
  answer: z.string().nullable().default(null),
  /** True where `answer` passed the visible tests. */
  verified: z.boolean().default(false),
  /** Why the run ended. */
  stop: Stop.nullable().default(null),
};

/** What a caller hands over. */
export const RepairInput = new StateSchema({ task: VisibleTask });
/** What a caller gets; `error` says why where `stop` is `error`, else it is null. */
export const RepairOutput = new StateSchema({ ...answerFields, error: agentFields.error });
const RepairState = new StateSchema({ ...agentFields, ...answerFields, task: VisibleTask });
type State = typeof RepairState.State;
type Update = typeof RepairState.Update;

/**
 * The compiled graph; it serves any number of tasks, also at a time. `begin` writes the prompt and runs the tests first,
 * `llm` and `tool` take turns as in `mend repair`, `finish` keeps the best answer.
 *
 * With a checkpointer, a second task on the same thread goes on with the conversation. `streamMode: "custom"` yields every
 * `Step`. Failures of the model are `stop: "error"` with a sentence in `error.message`; it throws where the sandbox fails, or the config's signal fires.
 */
export function createRepairGraph(options: RepairGraphOptions) {
  const { limits = {}, checkpointer, store } = options;
  const complete = { ...limits, maxIterations: limits.maxIterations ?? MAX_ITERATIONS };
  const parts = (state: State): GraphParts => partsFor(state, options, complete);
  const graph = new StateGraph({ state: RepairState, input: RepairInput, output: RepairOutput })
    .addNode("begin", (state) => begin(state, parts(state)))
    .addNode("llm", (state, config) => askModel(state, parts(state), config))
    .addNode("tool", (state, config) => carryOut(state, parts(state), config))
    .addNode("finish", (state, config) => finish(state, parts(state), config))
    .addEdge(START, "begin")
    .addEdge("begin", "tool")
    .addConditionalEdges("llm", (state) => orFinish(route(state)), ["tool", "finish"])
    .addConditionalEdges("tool", (state) => orFinish(route(state)), ["llm", "finish"])
    .addEdge("finish", END)
    .compile({ name: "mend", ...(checkpointer && { checkpointer }), ...(store && { store }) });
  // `begin`, `finish`, and one to spare: LangGraph dies without state at its limit.
  const supersteps = superstepsOf(complete) + 3;
  const stream = graph.stream.bind(graph);
  type Parameter<At extends 0 | 1> = Parameters<typeof stream>[At];
  // A bigger graph passes its own limit on, which counts its own supersteps and is 25 where nobody set one.
  const unhindered: typeof graph = Object.assign(graph, {
    stream: (input: Parameter<0>, config?: Parameter<1>) =>
      stream(input, { ...config, recursionLimit: Math.max(supersteps, config?.recursionLimit ?? 0) }),
  });
  return unhindered;
}

const orFinish = (next: ReturnType<typeof route>) => (next === END ? "finish" : next);

function partsFor(state: State, options: RepairGraphOptions, limits: RepairLimits & Limits): GraphParts {
  const { model, sandbox, tools = [], toolCalls, repairPassing } = options;
  const language = LANGUAGES[state.task.language];
  const chat = "chat" in model ? model.chat : model;
  const called = toolsOf(chat).filter((name) => !tools.some((own) => own.name === name));
  const verify: GraphParts["verify"] = (answer, signal) => verifyRepair(state.task, answer, { sandbox }, signal);
  return {
    model: chat,
    tools: registry([...toolsFor(state.task, sandbox, called).values(), ...tools]),
    toolCalls,
    verify,
    verifyGiven: repairPassing ? undefined : asGiven(state.task, verify),
    answer: "code",
    language,
    limits,
    allowance: tokensLeft(state.steps, limits.maxTokens),
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

/** The prompt where there is none yet, and the task with the run of its tests. What an earlier task left is put aside. */
function begin({ task, messages }: State, { tools }: GraphParts): Update {
  const first = firstAction(task);
  const system = messages.length === 0 ? [systemMessage(tools, LANGUAGES[task.language])] : [];
  return {
    messages: [...system, taskMessage(task), actionMessage(first)].map(named),
    pending: { reply: first, usage: null, seconds: 0 },
    stop: null,
    error: null,
    iterations: 0,
    malformedInARow: 0,
    steps: new Overwrite([]),
    answer: null,
    verified: false,
  };
}

/** With an id: `streamMode: "messages"` gives all messages of one node that have none the same, and but one is kept. */
function named(message: BaseMessage): BaseMessage {
  message.id ??= randomUUID();
  return message;
}

async function finish(state: State, { verify }: GraphParts, { signal }: LangGraphRunnableConfig): Promise<Update> {
  const check = (answer: string) => verify(answer, signal ?? new AbortController().signal);
  return keptAnswer(state.steps, state.task, check);
}
