/**
 * The agent: two nodes, one pure router, and the harness that runs them within limits. Repair, self-edit and other
 * people's graphs use this one.
 */

import { randomUUID } from "node:crypto";
import type { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { Callbacks } from "@langchain/core/callbacks/manager";
import { type AIMessage, type BaseMessage, isBaseMessage } from "@langchain/core/messages";
import { type StructuredToolInterface, tool } from "@langchain/core/tools";
import {
  type AnyStateSchema,
  Command,
  END,
  getConfig,
  isGraphBubbleUp,
  type LangGraphRunnableConfig,
  MessagesValue,
  messagesStateReducer,
  Overwrite,
  ReducedValue,
  Send,
  START,
  StateGraph,
  StateSchema,
} from "@langchain/langgraph";
import { z } from "zod";
import { inOnePiece } from "../utils/base/text/text.ts";
import type { Language } from "../utils/languages/language.ts";
import { python } from "../utils/languages/python/index.ts";
import { textOf } from "../utils/task/message_text.ts";
import { VisibleTask } from "../utils/task/task.ts";
import { messageWithObservation } from "../utils/task/task_data.ts";
import { isWatched, tracers } from "../utils/tracing/tracers.ts";
import {
  ask,
  heard,
  mostInputTokens,
  type Speech,
  tellLeftOut,
  tellMalformed,
  tellObserved,
  tellRejected,
} from "./conversation.ts";
import { type Observation, Reply, STOP_SEQUENCES } from "./dialects/reply.ts";
import { type Allowance, TimeLimit } from "./run/allowance.ts";
import { type Limits, limitReached, reasonOf } from "./run/limits.ts";
import { explainModelError, ModelFailure, mayBeBilled } from "./run/model_errors.ts";
import { type Progress, ProgressHandler } from "./run/progress.ts";
import {
  isLastWord,
  isVerified,
  SaidBeside,
  Step,
  Stop,
  type Trajectory,
  usageOf,
  type Verification,
} from "./run/trajectory.ts";
import { Usage, usageOfMessage } from "./run/usage.ts";
import type { Tool } from "./tools/tool.ts";
import { lighten, NodeFunction } from "./unwatched.ts";

/** What a run begins with. */
export interface Opening {
  messages: readonly BaseMessage[];
  /** An action that comes with the task and costs no call of the model; the last message shows it. */
  first?: Reply | undefined;
}

/** What a run leaves to whoever started it. */
export interface Kept {
  answer: string | null;
  /** True where tests accepted `answer`. */
  verified: boolean;
}

export interface GraphParts extends Speech {
  opening: Opening;
  /** Judges a Final Answer. Its failures are Observations; it throws only for a bug. */
  verify: (answer: string, signal: AbortSignal) => Promise<Verification>;
  /**
   * Judges the program as it was given, once the first action has run. What it accepts ends the run. Default: nothing.
   */
  verifyGiven?: ((signal: AbortSignal) => Promise<Verification>) | undefined;
  /** Chooses the answer once the run ends. Default: the last one, where it was accepted. */
  keep?: ((steps: readonly Step[], signal: AbortSignal | undefined) => Promise<Kept>) | undefined;
  /** What of the conversation the model is sent. Default: all of it. */
  shown?: ((messages: readonly BaseMessage[]) => BaseMessage[]) | undefined;
  /** What others want to tell the model; it gets it with the next observation. Default: nothing. */
  notices?: (() => readonly string[]) | undefined;
  /** Whether a Final Answer is code (a fence is taken off) or plain text. */
  answer: "code" | "text";
  /** What code is written in. Default: Python. */
  language?: Language | undefined;
  limits: Limits;
  allowance: Pick<Allowance, "signal" | "isSpent" | "spend"> & Partial<Pick<Allowance, "pay">>;
  /** Ends the run as `aborted`. */
  signal?: AbortSignal | undefined;
  /** Sent with every call of the model, in place of the model's own. Default: none. */
  seed?: number | undefined;
  /** Told of every finished turn. */
  onStep?: ((step: Step) => void) | undefined;
  /** Told of a turn while it runs; makes the model stream its replies. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** With what is the same for all turns of a run. */
interface RunParts extends GraphParts {
  /** Fires where the run ends before its time. Default: a signal for each turn, which LangGraph's config ends, too. */
  ends?: AbortSignal;
}

/** What the model asked for, as it was read: the next thing the tool node carries out. */
const Pending = SaidBeside.extend({
  reply: Reply,
  dialect: z.string().optional(),
  /** Names of the tools that the same reply called besides; those calls are not carried out. */
  leftOut: z.array(z.string()).optional(),
  /** Of the model call that gave the reply. */
  usage: Usage.nullable(),
  /** How long that call took. */
  seconds: z.number(),
  /** The model has nothing more to try. */
  isLast: z.boolean().optional(),
});

/** What a run comes to. */
const endingFields = {
  /** Null where the task did not come as one. */
  taskId: z.string().nullable().default(null),
  /** For a repair: the verified program, else the last one that loads, else null. */
  answer: z.string().nullable().default(null),
  /** True where `answer` was accepted by tests: for a repair, by the visible ones. */
  verified: z.boolean().default(false),
  /** Why the run ended. */
  stop: Stop.nullable().default(null),
  /** Says why where `stop` is `error`, else null. */
  error: ModelFailure.nullable().default(null),
  /** Where nothing is verified: what the last turn came to; else null. */
  reason: z.string().nullable().default(null),
  /** Of all turns together; null while it runs. */
  usage: Usage.nullable().default(null),
};
const Ending = z.object(endingFields);
type Ending = z.infer<typeof Ending>;

/** What a graph gets that hands over one task. */
export const AgentOutput = new StateSchema(endingFields);
/**
 * What a graph gets that sends several tasks at once: what each of them came to, in the order in which they were sent.
 */
export const AgentOutputs = new StateSchema({
  repairs: new ReducedValue(z.array(Ending).default([]), {
    inputSchema: z.array(Ending),
    reducer: (repairs: Ending[], more: Ending[]) => [...repairs, ...more],
  }),
});

/**
 * What LangGraph's own reducer gives, which takes the whole conversation apart to add to it: messages whose ids are new
 * are put behind the others, and all else is left to LangGraph.
 */
export function withMessages(
  messages: BaseMessage[],
  more: Parameters<typeof messagesStateReducer>[1],
): ReturnType<typeof messagesStateReducer> {
  const added = Array.isArray(more) ? more.filter(isBaseMessage) : [];
  const ids = new Set(added.map(({ id }) => id));
  const isAdded =
    Array.isArray(more) && added.length === more.length && ids.size === more.length && !ids.has(undefined);
  const isNew = isAdded && added.every(({ type }) => type !== "remove");
  if (isNew && messages.every(({ id }) => id !== undefined && !ids.has(id))) return [...messages, ...added];
  return messagesStateReducer(messages, more);
}

/** The state of a run. Data alone, so that a checkpoint can be read by another process. */
export const AgentState = new StateSchema({
  ...endingFields,
  ...AgentOutputs.fields,
  /** What a bigger graph hands over; null where the parts say all. */
  task: VisibleTask.nullable().default(null),
  /** Of the state that a run's first node is sent: what an earlier run of the same thread left is put aside. */
  isNew: z.boolean().default(false),
  messages: new ReducedValue(MessagesValue.valueSchema, {
    inputSchema: MessagesValue.inputSchema,
    reducer: withMessages,
    ...(MessagesValue.jsonSchemaExtra && { jsonSchemaExtra: MessagesValue.jsonSchemaExtra }),
  }),
  pending: Pending.nullable().default(null),
  iterations: z.number().default(0),
  malformedInARow: z.number().default(0),
  steps: new ReducedValue(z.array(Step).default([]), {
    inputSchema: Step,
    reducer: (steps: Step[], step: Step) => [...steps, step],
  }),
});
export type GraphState = typeof AgentState.State;
type State = GraphState;
type Update = typeof AgentState.Update;

/** The next node. Decides by the state alone, without I/O, and changes nothing. */
export const route = (state: Pick<State, "pending" | "stop">): "llm" | "tool" | typeof END =>
  state.stop ? END : state.pending ? "tool" : "llm";

/** What nobody but the harness's own runs may ask of a graph. */
interface Own {
  /** Told what a run comes to. */
  onEnd(ended: Ended, config: LangGraphRunnableConfig): void;
  /** Whether a reply is carried out in the step of the graph in which it was given: nobody sees what is between. */
  isUnseen(config: LangGraphRunnableConfig): boolean;
}

/**
 * The graph: its two nodes and the edges between them, to be compiled.
 * @param partsOf what a run needs, which may depend on its task
 * @param schemas what others hand over and get; all other state is the graph's own
 */
export function buildGraph<Input extends AnyStateSchema, Output extends AnyStateSchema>(
  partsOf: (state: State, config: LangGraphRunnableConfig) => RunParts,
  schemas: { input: Input; output: Output },
  own?: Own,
) {
  const node = (name: keyof typeof TURNS) =>
    new NodeFunction(async (state: State, config: LangGraphRunnableConfig) => {
      const most = own?.isUnseen(config) ? 2 : 1;
      const { update, ended } = await take(name, most, state, partsOf(state, config), config);
      if (ended) own?.onEnd(ended, config);
      const { pending = state.pending, stop = state.stop } = update;
      // Said here and not by conditional edges, for which LangGraph builds the whole state once more.
      return new Command({ update, goto: route({ pending, stop }) });
    });
  const begin = (state: State, config: LangGraphRunnableConfig) =>
    new Send(partsOf(state, config).opening.first ? "tool" : "llm", { ...state, isNew: true });
  return new StateGraph({ state: AgentState, ...schemas })
    .addNode("llm", node("llm"), { ends: ["tool", END] })
    .addNode("tool", node("tool"), { ends: ["llm", END] })
    .addConditionalEdges(START, begin, ["llm", "tool"]);
}

/** What is left of a run once it ends. */
type Ended = Pick<State, "iterations" | "steps" | "messages"> & Ending;

type Turn = (state: State, parts: RunParts, config: LangGraphRunnableConfig) => Promise<Turned>;

/** What a node's turn changes: of messages and steps what is new. */
interface Turned extends Partial<Pick<State, "pending" | "stop" | "error" | "iterations" | "malformedInARow">> {
  messages?: BaseMessage[];
  step?: Step;
}

/** What the nodes do. */
const TURNS = { llm: askModel, tool: carryOut } satisfies Record<string, Turn>;

/**
 * Turns from that of one node on, as many at most and no further than that of `tool`. The one that begins a run brings
 * its opening, and the one that ends it chooses the answer.
 */
async function take(
  node: keyof typeof TURNS,
  most: number,
  state: State,
  parts: RunParts,
  config: LangGraphRunnableConfig,
): Promise<{ update: Update; ended: Ended | null }> {
  const { opening, keep = lastAccepted } = parts;
  const blank = state.isNew ? blankState(opening) : {};
  const said = state.isNew ? openingMessages(opening, state.messages) : [];
  let now: State = { ...state, ...blank, messages: [...state.messages, ...said] };
  const changed: Omit<Turned, "messages"> = {};
  let next: ReturnType<typeof route> = node;
  for (let taken = 0; taken < most && next !== END && (taken === 0 || next === "tool"); taken += 1) {
    const { messages = [], ...turned }: Turned = await TURNS[next](now, parts, config);
    said.push(...messages);
    Object.assign(changed, turned);
    const { step, ...rest } = turned;
    const steps = step ? [...now.steps, step] : now.steps;
    now = { ...now, ...rest, steps, messages: [...now.messages, ...messages] };
    next = route(now);
  }
  const { step, ...rest } = changed;
  const { stop, error, steps } = now;
  const ending = stop ? endingOf(state, stop, error, steps, await keep(steps, config.signal)) : null;
  const written = state.isNew ? { steps: new Overwrite(steps) } : step && { steps: step };
  const end = ending && { ...ending, repairs: new Overwrite([ending]) };
  return {
    update: { ...blank, ...rest, ...end, messages: said, ...written },
    ended: ending && { ...ending, iterations: now.iterations, steps, messages: now.messages },
  };
}

const endingOf = (
  { task }: State,
  stop: Stop,
  error: ModelFailure | null = null,
  steps: Step[],
  kept: Kept,
): Ending => ({
  taskId: task?.id ?? null,
  answer: kept.answer,
  verified: kept.verified,
  stop,
  error,
  reason: kept.verified ? null : reasonOf({ stop, error, steps }),
  usage: usageOf(steps),
});

/** Puts aside what an earlier run of the same thread left. */
const blankState = ({ first }: Opening) => ({
  isNew: false,
  pending: first ? { reply: first, usage: null, seconds: 0 } : null,
  stop: null,
  error: null,
  iterations: 0,
  malformedInARow: 0,
  taskId: null,
  answer: null,
  verified: false,
  reason: null,
  usage: null,
  steps: [],
});

/**
 * A thread goes on with its conversation, which has a system message. All get an id: `streamMode: "messages"` gives
 * those of one node that have none the same, and but one is kept.
 */
function openingMessages({ messages }: Opening, earlier: readonly BaseMessage[]): BaseMessage[] {
  const wanted = earlier.length === 0 ? messages : messages.filter(({ type }) => type !== "system");
  return wanted.map(withId);
}

/** LangGraph would give it one, too. */
function withId(message: BaseMessage): BaseMessage {
  message.id ??= newId();
  return message;
}

const newId = () => inOnePiece(randomUUID());

async function lastAccepted(steps: readonly Step[]): Promise<Kept> {
  const verification = steps.at(-1)?.verification;
  if (!verification?.accepted) return { answer: null, verified: false };
  return { answer: verification.result, verified: isVerified(verification) };
}

/**
 * LangGraph's limit for a run: two steps a turn, one for the first action, and one to spare, as it throws at its limit.
 */
export const recursionLimitOf = ({ maxIterations }: Limits): number => 2 * maxIterations + 2;

/** A run of the harness's own is handed nothing, and gives all its state to who watches it. */
const OWN = { input: new StateSchema({}), output: AgentState };

export type GraphRun = Pick<Trajectory, "stop" | "iterations" | "steps" | "messages" | "usage" | "error"> & Kept;

/** What one run of the graph below needs and leaves; its nodes find it in their config. */
class OwnRun {
  readonly parts: RunParts;
  /** Nobody traces, streams, keeps or ends its steps from outside. */
  readonly isUnseen: boolean;
  ended: Ended | null = null;

  constructor(parts: GraphParts, isUnseen: boolean) {
    this.parts = isUnseen ? { ...parts, ends: AbortSignal.any(ownSignals(parts)) } : parts;
    this.isUnseen = isUnseen;
  }

  static of({ context }: LangGraphRunnableConfig): OwnRun {
    const run: unknown = context?.mendRun;
    if (run instanceof OwnRun) return run;
    throw new Error("LangGraph no longer hands on the context of a run");
  }
}

/** For runs of the harness's own. */
function compileOwn() {
  const own: Own = {
    onEnd: (ended, config) => {
      OwnRun.of(config).ended = ended;
    },
    isUnseen: (config) => OwnRun.of(config).isUnseen,
  };
  return lighten(buildGraph((_, config) => OwnRun.of(config).parts, OWN, own).compile({ name: "mend" }));
}

/** One for all runs: made anew for each, all that were under way held one. */
let ownGraph: ReturnType<typeof compileOwn> | undefined;

/** Runs the graph to its end. All limits and failures of the model are in the result. */
export async function runGraph(parts: GraphParts): Promise<GraphRun> {
  ownGraph ??= compileOwn();
  const { onProgress } = parts;
  const callbacks = [...tracers(), ...(onProgress ? [new ProgressHandler(onProgress)] : [])];
  const outer: LangGraphRunnableConfig | undefined = getConfig();
  const around = outer ?? {};
  const watched = callbacks.length > 0 && { callbacks: withInherited(callbacks, around.callbacks) };
  // LangGraph would give the whole state anew after each step.
  const silent = !watched && !isWatched(around) && { outputKeys: [] };
  const own = new OwnRun(parts, silent !== false && !outer);
  const recursionLimit = recursionLimitOf(parts.limits);
  const context = { ...around.context, mendRun: own };
  await ownGraph.invoke({}, { recursionLimit, context, ...watched, ...silent });
  const { ended } = own;
  if (!ended?.stop) throw new Error("the graph ended without a reason");
  const { stop, iterations, steps, error, answer, verified, messages } = ended;
  return {
    stop,
    iterations,
    steps,
    answer,
    verified,
    messages: messages.map(shownMessage),
    usage: usageOf(steps),
    ...(error && { error }),
  };
}

/** A run in a tool of another one keeps that run's callbacks. */
const withInherited = (handlers: BaseCallbackHandler[], outer: Callbacks = []): Callbacks =>
  Array.isArray(outer) ? [...outer, ...handlers] : outer.copy(handlers);

const ROLES: Record<string, string> = { system: "system", human: "user", ai: "assistant" };
const shownMessage = (message: BaseMessage) => ({
  role: ROLES[message.type] ?? message.type,
  content: textOf(message),
});

/** Ends the model, a tool or the sandbox: the signal of the caller, of the limits or of LangGraph's config. */
const signalOf = (parts: RunParts, { signal }: LangGraphRunnableConfig): AbortSignal =>
  parts.ends ?? AbortSignal.any([...ownSignals(parts), ...(signal ? [signal] : [])]);

const ownSignals = ({ signal, allowance }: GraphParts): AbortSignal[] => [
  allowance.signal,
  ...(signal ? [signal] : []),
];

/** Node `llm`: asks the model and reads its reply, once. A failing model ends the run; it is never an answer. */
async function askModel(state: State, parts: RunParts, config: LangGraphRunnableConfig): Promise<Turned> {
  const { answer, language = python, seed, shown } = parts;
  const signal = signalOf(parts, config);
  const since = performance.now();
  const format = { tools: [...parts.tools.keys()], answer, language };
  // A model on this machine generates only what the strict reader can read; other models ignore `replyFormat`.
  const replyFormat = { tools: format.tools, answer, fence: language.fence };
  const options = { signal, stop: [...STOP_SEQUENCES], replyFormat, ...(seed !== undefined && { seed }) };
  const sent = shown?.(state.messages) ?? state.messages;
  let message: AIMessage;
  let paid: ((used: Usage | "nothing" | "unknown") => void) | undefined;
  try {
    signal.throwIfAborted();
    paid = await parts.allowance.pay?.(mostInputTokens(parts, sent), signal);
    message = await ask(parts, sent, format, options, config);
    paid?.(usageOfMessage(message));
  } catch (error) {
    paid?.(mayBeBilled(explainModelError(error, signal)) ? "unknown" : "nothing");
    if (isGraphBubbleUp(error)) throw error;
    if (signal.aborted) return { stop: stopOf(signal) };
    return { stop: "error", error: explainModelError(error) };
  }
  const { kept, ...read } = heard(message, format);
  // Of two messages with one id LangGraph keeps the last alone, and there are servers that give all of theirs the same.
  if (state.messages.some(({ id }) => id === kept.id)) kept.id = newId();
  return {
    messages: [kept],
    pending: {
      ...read,
      usage: usageOfMessage(message),
      seconds: (performance.now() - since) / 1000,
      isLast: isLastWord(message),
    },
    iterations: state.iterations + 1,
    malformedInARow: read.reply.kind === "malformed" ? state.malformedInARow + 1 : 0,
  };
}

/** Node `tool`: carries out what is pending. Whatever happens becomes an Observation, and limits are checked here. */
async function carryOut(state: State, parts: RunParts, config: LangGraphRunnableConfig): Promise<Turned> {
  if (!state.pending) throw new Error("the tool node was entered with nothing pending");
  const { reply, dialect, leftOut = [], usage, seconds: asked, finishReason, reasoning } = state.pending;
  const signal = signalOf(parts, config);
  const since = performance.now();
  const observing = async () => {
    // If the signal is aborted before a tool begins, and the tool ignores it, LangChain waits for ever.
    signal.throwIfAborted();
    const observed = await observe(reply, parts, { ...config, signal });
    const given = state.iterations === 0 ? await parts.verifyGiven?.(signal) : undefined;
    return given?.accepted ? { ...observed, verification: given } : observed;
  };
  const observed = await observing().catch((error: unknown) => {
    if (signal.aborted && !isGraphBubbleUp(error)) return null;
    throw error;
  });
  if (!observed) return { pending: null, stop: stopOf(signal) };
  const { text, ...outcome } = observed;
  const seconds = asked + (performance.now() - since) / 1000;
  const step: Step = {
    ...(finishReason !== undefined && { finishReason }),
    ...(reasoning !== undefined && { reasoning }),
    iteration: state.iterations,
    // Those of the reader have their keys in this order already.
    reply: reply.kind === "malformed" ? Reply.parse(reply) : reply,
    ...(dialect && { dialect }),
    // What tools and verifications say is checked here, as the state is not.
    ...Outcome.parse(outcome),
    usage,
    seconds,
  };
  parts.allowance.spend(usage);
  parts.onStep?.(step);
  config.writer?.(state.task ? { taskId: state.task.id, ...step } : step);
  const stop = stopAfter(state, step, parts, signal);
  const told = [text, ...(leftOut.length > 0 ? [tellLeftOut(leftOut)] : []), ...(parts.notices?.() ?? [])].join("\n\n");
  const messages = stop === "answered" ? [] : [withId(messageWithObservation(told, step.observation.data))];
  return { messages, pending: null, step, stop };
}

const Outcome = Step.pick({ observation: true, verification: true });

async function observe(
  reply: Reply,
  { tools, verify }: GraphParts,
  config: LangGraphRunnableConfig & { signal: AbortSignal },
): Promise<Pick<Step, "observation" | "verification"> & { text: string }> {
  switch (reply.kind) {
    case "malformed": {
      const observation = { status: "malformed", output: reply.problem, durationMs: 0 };
      return { observation, text: tellMalformed(reply.problem) };
    }
    case "answer": {
      const verification = await verify(reply.text, config.signal);
      const { observation } = verification;
      return { observation, verification, text: tellRejected(observation) };
    }
    case "act": {
      const asked = tools.get(reply.tool);
      const unknown = { status: "unknown tool", output: `There is no tool ${reply.tool}.`, durationMs: 0 };
      const observation = asked ? await called(asked, reply.input, config) : unknown;
      return { observation, text: tellObserved(observation) };
    }
  }
}

/** What a tool says; an abort ends the wait for one that ignores it. Without LangChain where nobody watches. */
function called(
  own: Tool,
  input: Record<string, unknown>,
  config: LangGraphRunnableConfig & { signal: AbortSignal },
): Promise<Observation> {
  if (isWatched(config)) return asRunnable(own).invoke(input, config);
  const { signal } = config;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    const run = async () => own.run(input, signal);
    run()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", stop));
  });
}

/** A tool as LangChain knows it, so that traces and `streamEvents` show the call. */
function asRunnable(own: Tool): StructuredToolInterface {
  const known = runnables.get(own);
  if (known) return known;
  const { name, description } = own;
  const schema = z.looseObject({});
  const made = tool((input, config: LangGraphRunnableConfig) => own.run(input, config.signal), {
    name,
    description,
    schema,
  });
  runnables.set(own, made);
  return made;
}

const runnables = new WeakMap<Tool, StructuredToolInterface>();

/** Why the run ends after a step; null where it goes on. */
function stopAfter(state: State, step: Step, { limits, allowance }: GraphParts, signal: AbortSignal): Stop | null {
  if (step.verification?.accepted) return step.reply.kind === "answer" ? "answered" : "nothing_to_repair";
  if (signal.aborted) return stopOf(signal);
  if (state.pending?.isLast) return "gave_up";
  return limitReached({ ...state, steps: [...state.steps, step] }, limits) ?? (allowance.isSpent ? "budget" : null);
}

const stopOf = (signal: AbortSignal): Stop => (signal.reason instanceof TimeLimit ? "budget" : "aborted");
