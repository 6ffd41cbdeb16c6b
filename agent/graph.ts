/**
 * The agent: two nodes, `llm` and `tool`, and one pure router. Repair, self-edit and the graph of the library
 * (`createRepairGraph`) are this graph with other parts. `state.ts` describes its state.
 */

import { randomUUID } from "node:crypto";
import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import { type StructuredToolInterface, tool } from "@langchain/core/tools";
import {
  type AnyStateSchema,
  type LangGraphRunnableConfig as Config,
  END,
  getConfig,
  isGraphBubbleUp,
  Overwrite,
  Send,
  START,
  StateGraph,
  StateSchema,
} from "@langchain/langgraph";
import { z } from "zod";
import { tracers, withInherited } from "../utils/tracing/tracers.ts";
import { Conversation, type ConversationParts, type Opening, observedText } from "./conversation.ts";
import type { Observation, Reply } from "./dialects/reply.ts";
import { type Allowance, stopOf } from "./run/allowance.ts";
import { fitting } from "./run/context.ts";
import { type Limits, limitReached, reasonOf, recursionLimitOf } from "./run/limits.ts";
import { textWithCalls } from "./run/message.ts";
import { explainModelError, mayBeBilled } from "./run/model_errors.ts";
import { type Progress, ProgressHandler } from "./run/progress.ts";
import {
  type ChosenAnswer,
  isLastWord,
  lastAccepted,
  Step,
  type Stop,
  type Trajectory,
  usageOf,
  type Verification,
} from "./run/trajectory.ts";
import { type Usage, usageOfMessage } from "./run/usage.ts";
import { AgentState, type GraphState, type GraphUpdate } from "./state.ts";
import type { Tool } from "./tools/tool.ts";

/** Everything that distinguishes one agent from another. */
export interface GraphParts extends ConversationParts {
  opening: Opening;
  /** Judges a Final Answer. A failing answer is an Observation; it throws only for a bug. */
  verify: (answer: string, signal: AbortSignal) => Promise<Verification>;
  /** Judges the given program after the first action. If it is accepted the run ends. Default: not judged. */
  verifyGiven?: ((signal: AbortSignal) => Promise<Verification>) | undefined;
  /** Chooses the answer when the run ends. Default: the last one, if it was accepted. */
  chooseAnswer?: ((steps: readonly Step[], signal: AbortSignal | undefined) => Promise<ChosenAnswer>) | undefined;
  /** Returns what others have to tell the model; it is added to the next observation. Default: nothing. */
  notices?: (() => readonly string[]) | undefined;
  /** Tokens of the model's context, see `withinContext`. Default: as the model says. */
  contextTokens?: number | null | undefined;
  /** Limits of this run. */
  limits: Limits;
  /** Time and tokens, which several runs may share. Default: unlimited. */
  allowance?: (Pick<Allowance, "signal" | "isSpent" | "spend"> & Partial<Pick<Allowance, "pay">>) | undefined;
  /** Ends the run as `aborted`. */
  signal?: AbortSignal | undefined;
  /** Sent with every model call in place of the model's own seed. */
  seed?: number | undefined;
  /** Called after every turn. */
  onStep?: ((step: Step) => void) | undefined;
  /** Called while a turn runs; makes the model stream its replies. `runGraph` only. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** The parts of a task, and what is made from them once: tools and the model as LangChain calls them. */
export interface Agent extends GraphParts {
  conversation: Conversation;
  runnables: ReadonlyMap<string, StructuredToolInterface>;
}

export const createAgent = (parts: GraphParts): Agent => ({
  ...parts,
  conversation: new Conversation(parts),
  runnables: new Map([...parts.tools].map(([name, one]) => [name, asRunnable(one)])),
});

/** A tool as LangChain knows it, so that traces and `streamEvents` show its calls. */
const asRunnable = (own: Tool): StructuredToolInterface =>
  tool((input, { signal }: Config) => own.run(input, signal), {
    name: own.name,
    description: own.description,
    schema: z.looseObject({}),
  });

/** The next node. Decides by the state alone, does no I/O, and changes nothing. */
export const route = ({ stop, pending }: Pick<GraphState, "pending" | "stop">): "llm" | "tool" | typeof END =>
  stop ? END : pending.length > 0 ? "tool" : "llm";

/**
 * Builds the graph; the caller compiles it.
 * @param agentOf the agent for a state, which may depend on its task; asked in every node
 * @param schemas what callers hand over and receive; the rest of the state is private
 */
export function buildGraph<Input extends AnyStateSchema, Output extends AnyStateSchema>(
  agentOf: (state: GraphState) => Agent,
  schemas: { input: Input; output: Output },
) {
  const node = (turn: Turn) => (state: GraphState, config: Config) => runNode(turn, state, agentOf(state), config);
  // A thread may hold the state of an earlier run, and a router cannot change the state. So START sends the first node
  // a fresh one, and the first node writes it.
  const begin = (state: GraphState) => {
    const fresh = freshState(state, agentOf(state));
    return new Send(fresh.pending.length > 0 ? "tool" : "llm", fresh);
  };
  return new StateGraph({ state: AgentState, ...schemas })
    .addNode("llm", node(askModel))
    .addNode("tool", node(carryOut))
    .addConditionalEdges(START, begin, ["llm", "tool"])
    .addConditionalEdges("llm", route, ["tool", END])
    .addConditionalEdges("tool", route, ["tool", "llm", END]);
}

type Turn = (state: GraphState, agent: Agent, config: Config) => Promise<TurnUpdate>;

/** What a turn changes; `messages` and `step` are added to the state's. */
interface TurnUpdate
  extends Partial<Pick<GraphState, "pending" | "stop" | "error" | "iterations" | "malformedInARow">> {
  messages?: BaseMessage[];
  step?: Step;
}

/** Runs a node's turn. The first node of a run also writes its fresh state, the last one the result. */
async function runNode(turn: Turn, state: GraphState, agent: Agent, config: Config): Promise<GraphUpdate> {
  const { isNew } = state;
  const { messages = [], step, ...changes } = await turn(state, agent, config);
  const steps = step ? [...state.steps, step] : state.steps;
  return {
    ...(isNew && BLANK),
    ...changes,
    ...(changes.stop && (await resultOf({ ...state, ...changes, stop: changes.stop, steps }, agent, config))),
    ...(isNew ? { steps: new Overwrite(steps) } : step && { steps: step }),
    messages: isNew ? [...state.messages, ...messages] : messages,
  };
}

/** The state in which a run begins, after the conversation of earlier runs of its thread. */
function freshState(state: GraphState, { conversation, opening }: Agent): GraphState {
  const { messages, pending } = conversation.begin(opening, state.messages);
  return { ...state, ...BLANK, messages: [...state.messages, ...messages], pending, steps: [], isNew: true };
}

const BLANK = {
  isNew: false,
  pending: [],
  stop: null,
  error: null,
  iterations: 0,
  malformedInARow: 0,
  taskId: null,
  answer: null,
  verified: false,
  reason: null,
  usage: null,
} as const satisfies GraphUpdate;

/** The result of a run that has ended. */
async function resultOf(
  { task, stop, error, steps }: GraphState & { stop: Stop },
  { chooseAnswer = lastAccepted }: Agent,
  { signal }: Config,
): Promise<GraphUpdate> {
  const { answer, verified } = await chooseAnswer(steps, signal);
  const reason = verified ? null : reasonOf({ stop, error, steps });
  const result = { taskId: task?.id ?? null, answer, verified, stop, error, reason, usage: usageOf(steps) };
  return { ...result, repairs: new Overwrite([result]) };
}

/** Node `llm`: asks the model and reads its reply. A model that fails ends the run; its failure is never an answer. */
async function askModel(state: GraphState, agent: Agent, config: Config): Promise<TurnUpdate> {
  const { conversation, allowance, seed } = agent;
  const signal = signalOf(agent, config);
  const since = performance.now();
  let message: AIMessage;
  let paid: ((used: Usage | "nothing" | "unknown") => void) | undefined;
  try {
    signal.throwIfAborted();
    const sent = await fitting(state.messages, agent);
    paid = await allowance?.pay?.(conversation.mostInputTokens(sent), signal);
    message = await conversation.ask(sent, { signal, ...(seed !== undefined && { seed }) });
    paid?.(usageOfMessage(message));
  } catch (error) {
    paid?.(mayBeBilled(explainModelError(error, signal)) ? "unknown" : "nothing");
    if (isGraphBubbleUp(error)) throw error;
    if (signal.aborted) return { stop: stopOf(signal) };
    return { stop: "error", error: explainModelError(error) };
  }
  const { stored, replies, details } = conversation.read(message, state.messages.length);
  // LangGraph keeps only the last of two messages with one id, and some servers give all their messages the same id.
  if (state.messages.some(({ id }) => id === stored.id)) stored.id = randomUUID();
  return {
    messages: [stored],
    // What the call used counts once, for the first action.
    pending: replies.map((reply, i) => ({
      ...reply,
      ...(i === 0 ? details : { dialect: undefined }),
      usage: i === 0 ? usageOfMessage(message) : null,
      seconds: i === 0 ? (performance.now() - since) / 1000 : 0,
      isLast: isLastWord(message),
    })),
    iterations: state.iterations + 1,
    malformedInARow: replies.every(({ reply }) => reply.kind === "malformed") ? state.malformedInARow + 1 : 0,
  };
}

/** Node `tool`: carries out the first pending reply, whose result becomes an Observation, and checks the limits. */
async function carryOut(state: GraphState, agent: Agent, config: Config): Promise<TurnUpdate> {
  const [current, ...pending] = state.pending;
  if (!current) throw new Error("the tool node was entered with nothing pending");
  const { reply, dialect, callId, usage, seconds: asked, isLast, ...details } = current;
  const { conversation, verifyGiven, allowance, onStep, notices } = agent;
  const signal = signalOf(agent, config);
  const since = performance.now();
  const observing = async () => {
    // LangChain waits forever for a tool that ignores its signal if that is aborted before the tool begins.
    signal.throwIfAborted();
    const observed = await observe(reply, agent, { ...config, signal });
    const given = state.iterations === 0 ? await verifyGiven?.(signal) : undefined;
    return given?.accepted ? { ...observed, verification: given } : observed;
  };
  const observed = await observing().catch((error: unknown) => {
    if (signal.aborted && !isGraphBubbleUp(error)) return null;
    throw error;
  });
  // A run that ends while a tool works keeps the turn if the model was asked for it: its tokens are spent.
  if (!observed && usage === null) return { pending: [], stop: stopOf(signal) };
  const { text, ...outcome } = observed ?? { observation: STOPPED, text: STOPPED.status };
  const seconds = asked + (performance.now() - since) / 1000;
  const turn = { ...details, iteration: state.iterations, reply, ...(dialect && { dialect }) };
  const step = Step.parse({ ...turn, ...outcome, usage, seconds });
  allowance?.spend(usage);
  onStep?.(step);
  config.writer?.(state.task ? { taskId: state.task.id, ...step } : step);
  const stop = stopAfter({ ...state, pending, steps: [...state.steps, step] }, step, agent, signal, isLast);
  const told = [text, ...(notices?.() ?? [])].join("\n\n");
  const result = conversation.result(current, told, step.observation.data, state.messages.at(-1));
  return { messages: stop === "answered" ? [] : [result], pending, step, stop };
}

const STOPPED: Observation = { status: "stopped before it ended", output: "", durationMs: 0 };

/** Carries out a reply. `text` is the message for the model. */
async function observe(
  reply: Reply,
  { conversation, runnables, verify }: Agent,
  config: Config & { signal: AbortSignal },
): Promise<Pick<Step, "observation" | "verification"> & { text: string }> {
  switch (reply.kind) {
    case "malformed": {
      const observation = { status: "malformed", output: reply.problem, durationMs: 0 };
      return { observation, text: conversation.problem(reply.problem) };
    }
    case "answer": {
      const verification = await verify(reply.text, config.signal);
      const { observation } = verification;
      return { observation, verification, text: conversation.rejection(verification) };
    }
    case "act": {
      const unknown = { status: "unknown tool", output: `There is no tool ${reply.tool}.`, durationMs: 0 };
      const observation = (await runnables.get(reply.tool)?.invoke(reply.input, config)) ?? unknown;
      return { observation, text: observedText(observation) };
    }
  }
}

/** Why the run ends after this step; null if it goes on. The actions of one reply are all carried out. */
function stopAfter(
  state: GraphState,
  step: Step,
  { limits, allowance }: Agent,
  signal: AbortSignal,
  isLast = false,
): Stop | null {
  if (step.verification?.accepted) return step.reply.kind === "answer" ? "answered" : "nothing_to_repair";
  if (signal.aborted) return stopOf(signal);
  if (state.pending.length > 0) return null;
  if (isLast) return "gave_up";
  return limitReached(state, limits) ?? (allowance?.isSpent ? "budget" : null);
}

/** The signal for models, tools and the sandbox: fires with the caller's, the allowance's, or that of the config. */
const signalOf = ({ signal, allowance }: Agent, config: Config): AbortSignal =>
  AbortSignal.any([allowance?.signal, signal, config.signal].filter((one) => one !== undefined));

export type GraphRun = Pick<Trajectory, "stop" | "iterations" | "steps" | "messages" | "usage" | "error"> &
  ChosenAnswer;

const NO_INPUT = new StateSchema({});

/** Runs the graph to its end. All limits and failures of the model are in the result. */
export async function runGraph(parts: GraphParts): Promise<GraphRun> {
  const agent = createAgent(parts);
  const graph = buildGraph(() => agent, { input: NO_INPUT, output: AgentState }).compile({ name: "mend" });
  const handlers = [...tracers(), ...(parts.onProgress ? [new ProgressHandler(parts.onProgress)] : [])];
  // A run in a tool of another one inherits its callbacks.
  const callbacks = withInherited(handlers, getConfig()?.callbacks);
  const recursionLimit = recursionLimitOf(parts.limits);
  const state = await graph.invoke({}, { recursionLimit, ...(callbacks && { callbacks }) });
  const { stop, iterations, steps, error, answer, verified } = state;
  if (!stop) throw new Error("the graph ended without a reason");
  const messages = state.messages.map((message) => ({
    role: ROLES[message.type] ?? message.type,
    content: textWithCalls(message),
  }));
  return { stop, iterations, steps, answer, verified, messages, usage: usageOf(steps), ...(error && { error }) };
}

const ROLES: Record<string, string> = { system: "system", human: "user", ai: "assistant" };
