/** The agent: two nodes, one pure router. The same graph repairs a function and edits the agent's own code. */

import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { END, MessagesValue, ReducedValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { z } from "zod";
import type { Language } from "../utils/languages/language.ts";
import { python } from "../utils/languages/python/index.ts";
import { type Usage, usageOfMessage } from "../utils/usage.ts";
import { explainModelError, type ModelFailure } from "./models/errors.ts";
import { parseReply, renderAction, STOP_SEQUENCES } from "./react.ts";
import type { Reply } from "./reply.ts";
import type { Observation, Registry } from "./tools/tool.ts";
import type { Step, Stop, Verification } from "./trajectory.ts";

export interface Limits {
  /** Calls of the model. */
  maxIterations: number;
  /** Consecutive replies that could not be read. */
  maxMalformed: number;
  /** Input and output tokens together; where a server counts none this limit cannot hold. */
  maxTokens?: number;
  /** Answers in a row that are the same and are not accepted: a model that says nothing new will not. */
  maxRepeats?: number;
}

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
  shown?: (messages: readonly BaseMessage[]) => BaseMessage[];
  /** What others want to tell the model; put before it with the next observation. Default: nothing. */
  notices?: () => readonly string[];
  /** Whether a Final Answer is code (a fence is taken off) or plain text. */
  answer: "code" | "text";
  /** What code is written in. Default: Python. */
  language?: Language;
  limits: Limits;
  /** Sent with every call of the model, in place of the model's own. Default: none. */
  seed?: number;
  /** Told of every finished turn, for a display. */
  onStep?: (step: Step) => void;
  /** Ends the run: with `budget` where its reason is a TimeLimit, else with `aborted`. */
  signal: AbortSignal;
}

/** The reason to abort with when the time of a run is up, as opposed to a user who stops it. */
export class TimeLimit extends Error {
  override name = "TimeLimit";
}

const ReplyField = z.custom<Reply>().nullable().default(null);
const StepField = z.custom<Step>();

export const AgentState = new StateSchema({
  messages: MessagesValue,
  /** What the tool node must carry out next. */
  pending: ReplyField,
  /** Of the call that gave `pending`. */
  pendingUsage: z.custom<Usage>().nullable().default(null),
  pendingSince: z.number().default(0),
  stop: z.custom<Stop>().nullable().default(null),
  error: z.custom<ModelFailure>().nullable().default(null),
  iterations: z.number().default(0),
  malformedInARow: z.number().default(0),
  steps: new ReducedValue(z.array(StepField).default([]), {
    inputSchema: StepField,
    reducer: (steps: Step[], step: Step) => [...steps, step],
  }),
});
export type State = typeof AgentState.State;
type Update = typeof AgentState.Update;

/** Next node, from state alone: no I/O, no mutation. */
export const route = (state: Pick<State, "pending" | "stop">): "llm" | "tool" | typeof END =>
  state.stop ? END : state.pending ? "tool" : "llm";

/** Nodes, edges, compile. Invoke with `{ messages, pending? }` and the recursion limit of `recursionLimit`. */
export function buildGraph(parts: GraphParts) {
  return new StateGraph(AgentState)
    .addNode("llm", (state) => askModel(state, parts))
    .addNode("tool", (state) => carryOut(state, parts))
    .addConditionalEdges(START, route, ["llm", "tool"])
    .addConditionalEdges("llm", route, ["tool", END])
    .addConditionalEdges("tool", route, ["llm", END])
    .compile({ name: "mend" });
}

/** The graph as a Mermaid diagram, as LangGraph draws it from the compiled code. */
export async function drawGraph(graph: ReturnType<typeof buildGraph>): Promise<string> {
  return (await graph.getGraphAsync()).drawMermaid({ withStyles: false }).trim();
}

/** LangGraph counts supersteps and dies without state at its limit: two a turn, one for a first action, one to spare. */
export const recursionLimit = (limits: Limits): number => 2 * limits.maxIterations + 2;

/** Node `llm`: asks the model and reads its reply, once. A failing model ends the run; it is never an answer. */
async function askModel(state: State, parts: GraphParts): Promise<Update> {
  const since = performance.now();
  let message: AIMessage;
  try {
    parts.signal.throwIfAborted();
    const messages = parts.shown?.(state.messages) ?? state.messages;
    message = await parts.model.invoke(messages, callOptions(parts));
  } catch (error) {
    if (parts.signal.aborted) return { stop: stopOf(parts.signal) };
    return { stop: "error", error: explainModelError(error) };
  }
  const reply = parseReply(
    { text: message.text, toolCalls: message.tool_calls?.map(({ name, args }) => ({ name, args })) ?? [] },
    {
      tools: [...parts.tools.keys()],
      answer: parts.answer,
      ...(parts.language ? { language: parts.language } : {}),
    },
  );
  return {
    messages: [remembered(message, reply)],
    pending: reply,
    pendingUsage: usageOfMessage(message),
    pendingSince: since,
    iterations: state.iterations + 1,
    malformedInARow: reply.kind === "malformed" ? state.malformedInARow + 1 : 0,
  };
}

/** A model on this machine generates nothing but what `parseReply` can read; others ignore `replyFormat`. */
const callOptions = ({ signal, tools, answer, seed, language = python }: GraphParts) => ({
  signal,
  ...(seed === undefined ? {} : { seed }),
  stop: [...STOP_SEQUENCES],
  replyFormat: { tools: [...tools.keys()], answer, fence: language.fence },
});

const INVENTED = /^[\s*#_]*observation[\s*_]*:/im;

/**
 * The message as it stays in the conversation: the model's own text, so that servers and caches see what they sent.
 * Written anew are native tool calls (they would demand tool messages), replies with an invented observation (what never
 * happened must not be read again) and empty ones (servers refuse them).
 */
function remembered(message: AIMessage, reply: Reply): BaseMessage {
  const { text } = message;
  if (reply.kind === "act" && (message.tool_calls?.length || INVENTED.test(text))) {
    return new AIMessage(renderAction(reply));
  }
  return text.trim() === "" ? new AIMessage("(an empty reply)") : message;
}

/** Node `tool`: carries out what is pending. Whatever happens becomes an Observation, and limits are checked here. */
async function carryOut(state: State, parts: GraphParts): Promise<Update> {
  const reply = state.pending;
  if (!reply) throw new Error("the tool node was entered with nothing pending");
  const since = state.pendingSince || performance.now();
  const observed = await observe(reply, parts).catch((error: unknown) => {
    if (parts.signal.aborted) return null;
    throw error;
  });
  if (!observed) return { pending: null, stop: stopOf(parts.signal) };
  const { text, ...outcome } = observed;
  const step: Step = {
    iteration: state.iterations,
    reply,
    ...outcome,
    usage: state.pendingUsage,
    seconds: (performance.now() - since) / 1000,
  };
  parts.onStep?.(step);
  const stop = step.verification?.accepted ? "answered" : limitReached(state, step, parts);
  const told = [text, ...(parts.notices?.() ?? [])].join("\n\n");
  const messages: BaseMessage[] = stop === "answered" ? [] : [new HumanMessage(told)];
  return { messages, pending: null, pendingUsage: null, pendingSince: 0, steps: step, stop };
}

async function observe(
  reply: Reply,
  { tools, verify, prompt, signal }: GraphParts,
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

function limitReached(state: State, step: Step, { limits, signal }: GraphParts): Stop | null {
  if (signal.aborted) return stopOf(signal);
  if (state.malformedInARow >= limits.maxMalformed) return "malformed";
  if (state.iterations >= limits.maxIterations) return "max_iterations";
  if (limits.maxRepeats !== undefined && repeats([...state.steps, step]) >= limits.maxRepeats) return "max_iterations";
  if (limits.maxTokens !== undefined && countedTokens([...state.steps, step]) >= limits.maxTokens) return "budget";
  return null;
}

/** How many of the last steps are the same answer. */
function repeats(steps: readonly Step[]): number {
  const answerOf = ({ reply }: Step) => (reply.kind === "answer" ? reply.text.trim() : null);
  const last = steps.at(-1);
  const answer = last ? answerOf(last) : null;
  if (answer === null) return 0;
  const other = steps.findLastIndex((step) => answerOf(step) !== answer);
  return steps.length - 1 - other;
}

/** Input and output tokens of the calls that were counted: a lower bound where a server counts only some. */
const countedTokens = (steps: readonly Step[]): number =>
  steps.reduce((sum, { usage }) => sum + (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0), 0);

const stopOf = (signal: AbortSignal): Stop => (signal.reason instanceof TimeLimit ? "budget" : "aborted");
