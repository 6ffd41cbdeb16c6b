/**
 * The agent: two nodes, `llm` and `tool`. `startRun` begins a run, `route` chooses each next node. Repair, self-edit
 * and the graph of the library (`createRepairGraph`) are this graph with other parts. `state.ts` describes its state.
 *
 * - `llm` asks the model and reads its message, in whatever *dialect* it is written (`dialects/`): the text protocol,
 *   a departure from it, or native calls. `conversation.ts` hides the difference. If the messages fill three quarters
 *   of the model's context (32,768 tokens if nothing says), `fitting` turns the oldest observations into one line each.
 *   mend's client of servers retries after a rate limit, a broken connection, a 5xx or a slow reply; the graph never
 *   does. If a call throws, the run ends: `stop` is `error`, `error` has a kind of `run/model_errors.ts`.
 * - `tool` carries out one reply, a call of a tool or an answer that `verify` judges (`verify.ts`: by the visible
 *   tests). It tells the model the observation, or why the answer is not accepted. A tool (`defineTool`) is a name, a
 *   Zod schema and `run(input, signal)`, which returns `{ status, output, durationMs }` and throws only for a bug.
 *   If a call was not carried out (`isRefused`), an answer behind it in the message is not checked.
 * - `interruptBefore: ["tool"]` waits before each reply is carried out. After LangGraph's `interrupt` in a tool, a
 *   resumed run carries out that reply from its beginning. With a checkpointer `invoke(null, config)` resumes a run
 *   that has not stopped. New tools and models are a file and a row of `tools/table.ts` or `models/table.ts`.
 * - Tracing only adds callbacks. A trace shows nodes, and calls of models and tools; `verify` has no entry of its own.
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
import { type ReserveBudget, type SettleBudget, stopOf } from "./run/allowance.ts";
import { fitting } from "./run/context.ts";
import { type Limits, limitReached, reasonOf, recursionLimitOf } from "./run/limits.ts";
import { roleOf, textWithCalls } from "./run/message.ts";
import { explainModelError, mayBeBilled } from "./run/model_errors.ts";
import { type Progress, ProgressHandler } from "./run/progress.ts";
import {
  type ChosenAnswer,
  isRefused,
  lastAccepted,
  type Step,
  type Stop,
  saysItGivesUp,
  type Trajectory,
  usageOf,
  type Verification,
} from "./run/trajectory.ts";
import { usageOfMessage } from "./run/usage.ts";
import { AgentState, type GraphState, type GraphUpdate } from "./state.ts";
import type { Tool } from "./tools/tool.ts";

/** Everything that distinguishes one agent from another. */
export interface GraphParts extends ConversationParts {
  opening: Opening;
  /** Judges a Final Answer. A failing answer is an Observation; it throws only for a bug. */
  verify: (answer: string, signal: AbortSignal) => Promise<Verification>;
  /** Judges the program to repair after the opening action; if it passes, the run ends. Default: not judged. */
  verifyGiven?: ((signal: AbortSignal) => Promise<Verification>) | undefined;
  /** Chooses the answer when the run ends. Default: the last one, if it was accepted. */
  chooseAnswer?: ((steps: readonly Step[], signal: AbortSignal | undefined) => Promise<ChosenAnswer>) | undefined;
  /** Messages of others for the model, added to the next observation. Default: none. */
  notices?: (() => readonly string[]) | undefined;
  /** Tokens of the model's context: `fitting` shortens what is sent. Default: as the model says. */
  contextTokens?: number | null | undefined;
  /** Model calls (12 in `createRepairGraph`), and optionally answers, repeated answers and tokens. */
  limits: Limits;
  /** Called before every model call. Default: every call may be made. */
  reserve?: ReserveBudget | undefined;
  /** Ends the run as `budget` (time of an `Allowance`) or `aborted`. If the config's fires, `invoke` throws. */
  signal?: AbortSignal | undefined;
  /** Sent with every model call in place of the model's own seed. */
  seed?: number | undefined;
  /** Called after every step. */
  onStep?: ((step: Step) => void) | undefined;
  /** Called while the model or a tool works; makes the model stream. `runGraph` only. */
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

/** The next node: END after a stop, `tool` while actions are pending, else `llm`. Decides by the state alone. */
export const route = ({ stop, pending }: Pick<GraphState, "pending" | "stop">): "llm" | "tool" | typeof END =>
  stop ? END : pending.length > 0 ? "tool" : "llm";

/**
 * Builds the graph; the caller compiles it.
 * @param agentOf the agent for a state, whose task it may depend on; called at the start of every node
 * @param schemas what callers hand over and receive; the rest of the state is private
 */
export function buildGraph<Input extends AnyStateSchema, Output extends AnyStateSchema>(
  agentOf: (state: GraphState) => Agent,
  schemas: { input: Input; output: Output },
) {
  const node = (work: NodeWork) => (state: GraphState, config: Config) => runNode(work, state, agentOf(state), config);
  return new StateGraph({ state: AgentState, ...schemas })
    .addNode("llm", node(askModel))
    .addNode("tool", node(carryOut))
    .addConditionalEdges(START, (state) => startRun(state, agentOf(state)), ["llm", "tool"])
    .addConditionalEdges("llm", route, ["tool", END])
    .addConditionalEdges("tool", route, ["tool", "llm", END]);
}

type NodeWork = (state: GraphState, agent: Agent, config: Config) => Promise<NodeUpdate>;

/** What a node changes; `messages` and `step` are added to those of the state. */
interface NodeUpdate
  extends Partial<Pick<GraphState, "pending" | "stop" | "error" | "iterations" | "malformedInARow">> {
  messages?: BaseMessage[];
  step?: Step;
}

/** The state of a run in which nothing has happened. */
const BLANK = {
  isRunStart: false,
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

/**
 * Begins a run after the conversation of earlier runs of its thread, which still holds the state of the last one. An
 * edge cannot write state: it sends the first node a blank state, which that node writes with its own (`isRunStart`).
 */
function startRun(state: GraphState, { conversation, opening }: Agent): Send {
  const earlier = [...state.messages, ...conversation.notCarriedOut(state.pending)];
  const { messages, pending } = conversation.begin(opening, earlier);
  const begun = { ...state, ...BLANK, messages, pending, steps: [], isRunStart: true };
  return new Send(pending.length > 0 ? "tool" : "llm", begun);
}

/** Does a node's work and adds the result of the run where it ends. */
async function runNode(work: NodeWork, state: GraphState, agent: Agent, config: Config): Promise<GraphUpdate> {
  const { messages = [], step, ...changes } = await work(state, agent, config);
  const steps = step ? [...state.steps, step] : state.steps;
  const { stop } = changes;
  const update = { ...changes, ...(stop && (await resultOf({ ...state, ...changes, stop, steps }, agent, config))) };
  if (!state.isRunStart) return { ...update, messages, ...(step && { steps: step }) };
  // Messages of the thread keep their ids, so LangGraph does not add them again; steps of its last run are replaced.
  return { ...BLANK, ...update, messages: [...state.messages, ...messages], steps: new Overwrite(steps) };
}

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

/** Node `llm`: asks the model and reads its message. A model that fails ends the run. */
async function askModel(state: GraphState, agent: Agent, config: Config): Promise<NodeUpdate> {
  const { conversation, reserve, seed } = agent;
  const signal = signalOf(agent, config);
  const since = performance.now();
  let message: AIMessage;
  let settle: SettleBudget | undefined;
  try {
    signal.throwIfAborted();
    const sent = await fitting(state.messages, agent);
    settle = await reserve?.(conversation.mostInputTokens(sent), signal);
    message = await conversation.ask(sent, { signal, ...(seed !== undefined && { seed }) });
  } catch (thrown) {
    const error = explainModelError(thrown, signal);
    settle?.(mayBeBilled(error) ? "unknown" : "nothing");
    if (isGraphBubbleUp(thrown)) throw thrown;
    return signal.aborted ? { stop: stopOf(signal) } : { stop: "error", error };
  }
  const usage = usageOfMessage(message);
  settle?.(usage);
  const { stored, replies, details } = conversation.read(message, state.messages.length);
  const call = { ...details, usage, seconds: (performance.now() - since) / 1000 };
  // LangGraph keeps only the last of two messages with one id, and some servers give all their messages the same id.
  if (state.messages.some(({ id }) => id === stored.id)) stored.id = randomUUID();
  return {
    messages: [stored],
    // The model call counts once, with the first reply, as do its details.
    pending: replies.map((one, i) => ({
      ...(i === 0 ? { ...one, ...call } : { ...one, dialect: undefined, usage: null, seconds: 0 }),
      givesUp: saysItGivesUp(message),
    })),
    iterations: state.iterations + 1,
    malformedInARow: replies.every(({ reply }) => reply.kind === "malformed") ? state.malformedInARow + 1 : 0,
  };
}

/** Node `tool`: carries out the first pending reply, whose result becomes an Observation, and checks the limits. */
async function carryOut(state: GraphState, agent: Agent, config: Config): Promise<NodeUpdate> {
  const [current, ...pending] = state.pending;
  if (!current) throw new Error("the tool node was entered with nothing pending");
  const { reply, dialect, callId, usage, seconds: modelSeconds, givesUp, ...details } = current;
  const { conversation, verifyGiven, limits, onStep, notices } = agent;
  const signal = signalOf(agent, config);
  const since = performance.now();
  const isOpening = state.iterations === 0;
  const observing = async () => {
    // LangChain waits forever for a tool that ignores its signal if that is aborted before the tool begins.
    signal.throwIfAborted();
    const observed = await observe(reply, state, agent, { ...config, signal });
    const verification = isOpening ? await verifyGiven?.(signal) : undefined;
    return verification?.accepted ? { ...observed, verification } : observed;
  };
  const observed = await observing().catch((error: unknown) => {
    if (signal.aborted && !isGraphBubbleUp(error)) return null;
    throw error;
  });
  // A reply that is cut off becomes a step only if it is the first of its message, which holds the tokens (`usage`).
  if (!observed && usage === null) return { stop: stopOf(signal), pending: state.pending };
  const { text, ...outcome } = observed ?? { observation: STOPPED, text: STOPPED.status };
  const seconds = modelSeconds + (performance.now() - since) / 1000;
  const read = { ...details, iteration: state.iterations, reply, ...(dialect && { dialect }) };
  const step: Step = { ...read, ...outcome, usage, seconds };
  onStep?.(step);
  config.writer?.(state.task ? { taskId: state.task.id, ...step } : step);
  const stop = stopAfter({ ...state, pending, steps: [...state.steps, step] }, step, limits, signal, givesUp);
  const content = [text, ...(notices?.() ?? [])].join("\n\n");
  const result = conversation.result(current, content, step.observation.data, state.messages.at(-1));
  // The model hears nothing more of an answer that is accepted.
  return { messages: stop === "answered" ? [] : [result], pending, step, stop };
}

const STOPPED: Observation = { status: "stopped before it ended", output: "", durationMs: 0 };
const NOT_CHECKED = { ...STOPPED, status: "not checked", output: "A call before it in the same message was refused." };

/** Carries out a reply. `text` is the message for the model. */
async function observe(
  reply: Reply,
  state: GraphState,
  { conversation, runnables, verify }: Agent,
  config: Config & { signal: AbortSignal },
): Promise<Pick<Step, "observation" | "verification"> & { text: string }> {
  switch (reply.kind) {
    case "malformed": {
      const observation = { status: "malformed", output: reply.problem, durationMs: 0 };
      return { observation, text: conversation.problem(reply.problem) };
    }
    case "answer": {
      if (state.steps.some((one) => one.iteration === state.iterations && isRefused(one)))
        return { observation: NOT_CHECKED, text: conversation.rejection(NOT_CHECKED) };
      const verification = await verify(reply.text, config.signal);
      const { observation } = verification;
      return { observation, verification, text: conversation.rejection(observation) };
    }
    case "act": {
      const unknown = { status: "unknown tool", output: `There is no tool ${reply.tool}.`, durationMs: 0 };
      const observation = (await runnables.get(reply.tool)?.invoke(reply.input, config)) ?? unknown;
      return { observation, text: observedText(observation) };
    }
  }
}

/**
 * Why the run ends after this step; null if it goes on. The first that holds counts:
 *
 * | stop | when |
 * |---|---|
 * | `answered`, `nothing_to_repair` | `verify` accepts the answer, or `verifyGiven` the program as it was given |
 * | `budget`, `aborted` | the time is up, or the caller's signal fires; both nodes also check this while they wait |
 * | `gave_up` | the model says that it gives up |
 * | `malformed`, `tries`, `max_iterations`, `budget` (tokens) | three unreadable messages in a row, or a limit |
 *
 * The last two rows wait until all replies of a message are carried out. `askModel` ends the run if the model fails.
 */
function stopAfter(state: GraphState, step: Step, limits: Limits, signal: AbortSignal, givesUp = false): Stop | null {
  if (step.verification?.accepted) return step.reply.kind === "answer" ? "answered" : "nothing_to_repair";
  if (signal.aborted) return stopOf(signal);
  if (state.pending.length > 0) return null;
  if (givesUp) return "gave_up";
  return limitReached(state, limits);
}

/** The signal for models, tools and the sandbox: fires with the caller's, or that of the config. */
const signalOf = ({ signal }: Agent, config: Config): AbortSignal =>
  AbortSignal.any([signal, config.signal].filter((one) => one !== undefined));

export type GraphRun = Pick<Trajectory, "stop" | "iterations" | "steps" | "messages" | "usage" | "error"> &
  ChosenAnswer;

const NO_INPUT = new StateSchema({});

/** Runs the graph to its end. A limit that is reached and a model call that fails are returned, not thrown. */
export async function runGraph(parts: GraphParts): Promise<GraphRun> {
  const agent = createAgent(parts);
  const graph = buildGraph(() => agent, { input: NO_INPUT, output: AgentState }).compile({ name: "mend" });
  const handlers = [...tracers(), ...(parts.onProgress ? [new ProgressHandler(parts.onProgress)] : [])];
  // If a tool of another run starts this one, that run's callbacks get its events.
  const callbacks = withInherited(handlers, getConfig()?.callbacks);
  const recursionLimit = recursionLimitOf(parts.limits);
  const state = await graph.invoke({}, { recursionLimit, ...(callbacks && { callbacks }) });
  const { stop, iterations, steps, error, answer, verified } = state;
  if (!stop) throw new Error("the graph ended without a stop");
  const messages = state.messages.map((message) => ({ role: roleOf(message), content: textWithCalls(message) }));
  return { stop, iterations, steps, answer, verified, messages, usage: usageOf(steps), ...(error && { error }) };
}
