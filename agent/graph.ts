/** The agent: two nodes, one pure router, and the harness that runs them within limits. Repair and self-edit both use it. */

import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { END, MessagesValue, ReducedValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { z } from "zod";
import type { Language } from "../utils/languages/language.ts";
import { python } from "../utils/languages/python/index.ts";
import { type Usage, usageOfMessage } from "../utils/usage.ts";
import { type Allowance, TimeLimit } from "./limits/allowance.ts";
import { explainModelError, type ModelFailure } from "./models/errors.ts";
import { inventsObservation, readReply } from "./react.ts";
import { type Read, type Reply, renderAction, STOP_SEQUENCES } from "./reply.ts";
import type { Observation, Registry } from "./tools/tool.ts";
import { type Step, type Stop, type Trajectory, usageOf, type Verification } from "./trajectory.ts";

export interface Limits {
  /** Calls of the model. */
  maxIterations: number;
  /** Consecutive replies that could not be read. Default 3. */
  maxMalformed?: number | undefined;
  /** Answers in a row that are the same and are not accepted: a model that says nothing new will not. Default: any number. */
  maxRepeats?: number | undefined;
}

const MAX_MALFORMED = 3;

export interface GraphParts {
  model: BaseChatModel;
  tools: Registry;
  /** Judges a Final Answer. Its failures are Observations; it throws only for a bug. */
  verify: (answer: string, signal: AbortSignal) => Promise<Verification>;
  /** Renders what goes back to the model. */
  prompt: {
    observation: (observation: Observation) => string;
    rejected: (observation: Observation) => string;
    malformed: (problem: string) => string;
  };
  /** What of the conversation the model is sent. Default: all of it. */
  shown?: ((messages: readonly BaseMessage[]) => BaseMessage[]) | undefined;
  /** What others want to tell the model; put before it with the next observation. Default: nothing. */
  notices?: (() => readonly string[]) | undefined;
  /** Whether a Final Answer is code (a fence is taken off) or plain text. */
  answer: "code" | "text";
  /** What code is written in. Default: Python. */
  language?: Language | undefined;
  limits: Limits;
  allowance: Allowance;
  /** Ends the run as `aborted`. */
  signal?: AbortSignal | undefined;
  /** Sent with every call of the model, in place of the model's own. Default: none. */
  seed?: number | undefined;
  /** Told of every finished turn. */
  onStep?: ((step: Step) => void) | undefined;
}

/** What the model asked for, as it was read. */
interface Pending extends Read {
  /** Of the call that gave it. */
  usage: Usage | null;
  since: number;
}

const AgentState = new StateSchema({
  messages: MessagesValue,
  /** What the tool node must carry out next. */
  pending: z.custom<Pending>().nullable().default(null),
  stop: z.custom<Stop>().nullable().default(null),
  error: z.custom<ModelFailure>().nullable().default(null),
  iterations: z.number().default(0),
  malformedInARow: z.number().default(0),
  steps: new ReducedValue(z.array(z.custom<Step>()).default([]), {
    inputSchema: z.custom<Step>(),
    reducer: (steps: Step[], step: Step) => [...steps, step],
  }),
});
type State = typeof AgentState.State;
type Update = typeof AgentState.Update;

/** Next node, from state alone: no I/O, no mutation. */
export const route = (state: Pick<State, "pending" | "stop">): "llm" | "tool" | typeof END =>
  state.stop ? END : state.pending ? "tool" : "llm";

/** Nodes, edges, compile. */
export function buildGraph(parts: GraphParts) {
  const signal = parts.signal ? AbortSignal.any([parts.signal, parts.allowance.signal]) : parts.allowance.signal;
  const run = { ...parts, signal };
  return new StateGraph(AgentState)
    .addNode("llm", (state) => askModel(state, run))
    .addNode("tool", (state) => carryOut(state, run))
    .addConditionalEdges(START, route, ["llm", "tool"])
    .addConditionalEdges("llm", route, ["tool", END])
    .addConditionalEdges("tool", route, ["llm", END])
    .compile({ name: "mend" });
}

export type Run = Pick<Trajectory, "stop" | "iterations" | "steps" | "messages" | "usage" | "error">;

/**
 * Runs the graph to its end. All limits and failures of the model are in the result.
 * @param first an action that comes with the task and costs no call of the model; the last message shows it
 */
export async function runGraph(parts: GraphParts, messages: BaseMessage[], first?: Reply): Promise<Run> {
  const pending = first ? { reply: first, usage: null, since: performance.now() } : null;
  // LangGraph counts supersteps and dies without state at its limit: two a turn, one for a first action, one to spare.
  const recursionLimit = 2 * parts.limits.maxIterations + 2;
  const state = await buildGraph(parts).invoke({ messages, pending }, { recursionLimit });
  const { stop, iterations, steps, error } = state;
  if (!stop) throw new Error("the graph ended without a reason");
  return {
    stop,
    iterations,
    steps,
    messages: state.messages.map(shownMessage),
    usage: usageOf(steps),
    ...(error && { error }),
  };
}

const ROLES: Record<string, string> = { system: "system", human: "user", ai: "assistant" };
const shownMessage = ({ type, text }: BaseMessage) => ({ role: ROLES[type] ?? type, content: text });

type RunParts = GraphParts & { signal: AbortSignal };

/** Node `llm`: asks the model and reads its reply, once. A failing model ends the run; it is never an answer. */
async function askModel(state: State, parts: RunParts): Promise<Update> {
  const { signal, answer, language = python, seed } = parts;
  const since = performance.now();
  const tools = [...parts.tools.keys()];
  // A model on this machine generates nothing but what the strict reader takes; others ignore `replyFormat`.
  const replyFormat = { tools, answer, fence: language.fence };
  const options = { signal, stop: [...STOP_SEQUENCES], replyFormat, ...(seed === undefined ? {} : { seed }) };
  let message: AIMessage;
  try {
    signal.throwIfAborted();
    message = await parts.model.invoke(parts.shown?.(state.messages) ?? state.messages, options);
  } catch (error) {
    if (signal.aborted) return { stop: stopOf(signal) };
    return { stop: "error", error: explainModelError(error) };
  }
  const toolCalls = message.tool_calls?.map(({ name, args }) => ({ name, args })) ?? [];
  const read = readReply({ text: message.text, toolCalls }, { tools, answer, language });
  return {
    messages: [remembered(message, read.reply)],
    pending: { ...read, usage: usageOfMessage(message), since },
    iterations: state.iterations + 1,
    malformedInARow: read.reply.kind === "malformed" ? state.malformedInARow + 1 : 0,
  };
}

/**
 * The message as it stays in the conversation: the model's own text, so that servers and caches see what they sent.
 * Written anew are native tool calls (they would demand tool messages), replies with an invented observation (what never
 * happened must not be read again) and empty ones (servers refuse them).
 */
function remembered(message: AIMessage, reply: Reply): BaseMessage {
  const { text } = message;
  if (reply.kind === "act" && (message.tool_calls?.length || inventsObservation(text))) {
    return new AIMessage(renderAction(reply));
  }
  return text.trim() === "" ? new AIMessage("(an empty reply)") : message;
}

/** Node `tool`: carries out what is pending. Whatever happens becomes an Observation, and limits are checked here. */
async function carryOut(state: State, parts: RunParts): Promise<Update> {
  if (!state.pending) throw new Error("the tool node was entered with nothing pending");
  const { reply, dialect, usage, since } = state.pending;
  const observed = await observe(reply, parts).catch((error: unknown) => {
    if (parts.signal.aborted) return null;
    throw error;
  });
  if (!observed) return { pending: null, stop: stopOf(parts.signal) };
  const { text, ...outcome } = observed;
  const seconds = (performance.now() - since) / 1000;
  const step: Step = { iteration: state.iterations, reply, ...(dialect && { dialect }), ...outcome, usage, seconds };
  parts.allowance.spend(usage);
  parts.onStep?.(step);
  const stop = step.verification?.accepted ? "answered" : limitReached(state, step, parts);
  const told = [text, ...(parts.notices?.() ?? [])].join("\n\n");
  return { messages: stop === "answered" ? [] : [new HumanMessage(told)], pending: null, steps: step, stop };
}

async function observe(
  reply: Reply,
  { tools, verify, prompt, signal }: RunParts,
): Promise<Pick<Step, "observation" | "verification"> & { text: string }> {
  switch (reply.kind) {
    case "malformed": {
      const observation = { status: "malformed", output: reply.problem, durationMs: 0 };
      return { observation, text: prompt.malformed(reply.problem) };
    }
    case "answer": {
      const verification = await verify(reply.text, signal);
      const { observation } = verification;
      return { observation, verification, text: prompt.rejected(observation) };
    }
    case "act": {
      const tool = tools.get(reply.tool);
      const unknown = { status: "unknown tool", output: `There is no tool ${reply.tool}.`, durationMs: 0 };
      const observation = tool ? await tool.run(reply.input, signal) : unknown;
      return { observation, text: prompt.observation(observation) };
    }
  }
}

function limitReached(state: State, step: Step, { limits, allowance, signal }: RunParts): Stop | null {
  const { maxIterations, maxMalformed = MAX_MALFORMED, maxRepeats = Infinity } = limits;
  if (signal.aborted) return stopOf(signal);
  if (state.malformedInARow >= maxMalformed) return "malformed";
  if (state.iterations >= maxIterations || repeats([...state.steps, step]) >= maxRepeats) return "max_iterations";
  return allowance.isSpent ? "budget" : null;
}

/** How many of the last steps are the same answer. */
function repeats(steps: readonly Step[]): number {
  const answerOf = ({ reply }: Step) => (reply.kind === "answer" ? reply.text.trim() : null);
  const last = steps.at(-1);
  const answer = last ? answerOf(last) : null;
  return answer === null ? 0 : steps.length - 1 - steps.findLastIndex((step) => answerOf(step) !== answer);
}

const stopOf = (signal: AbortSignal): Stop => (signal.reason instanceof TimeLimit ? "budget" : "aborted");
