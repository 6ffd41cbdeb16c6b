/** One run of the graph that ends with a text: an editor, or a sub-agent that it delegates to. */

import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { buildGraph, recursionLimit, TimeLimit } from "./graph.ts";
import { messageWithTask, type TaskData } from "./models/task_data.ts";
import { stepEvent } from "./process/steps.ts";
import type { Inbox, Told } from "./process/wire.ts";
import { repairPrompt } from "./prompts.ts";
import type { Registry } from "./tools/tool.ts";
import { type Step, type Stop, usageOf, type Verification } from "./trajectory.ts";

/** What every run of one job shares. */
export interface CallContext {
  model: BaseChatModel;
  inbox: Inbox;
  /** Told of every turn, and of the start and end of every run. */
  tell: (event: Told) => void;
  /** Tokens that all runs of the job may use together. */
  tokens: TokenBudget;
  maxIterations: number;
  /** Observations shown in full; null for all. */
  fullObservations: number | null;
  /** Ends every run of the job. */
  signal: AbortSignal;
}

export interface Call {
  /** `main`, `main.1`, `main.1.2`: where it stands in the call tree. */
  id: string;
  /** Which agent, and what it was asked. */
  agent: string;
  task: string;
  /** The task as data, for models of ours. */
  data?: TaskData | undefined;
  system: string;
  tools: Registry;
  verify: (answer: string, signal: AbortSignal) => Promise<Verification>;
}

export interface CallResult {
  stop: Stop;
  /** The answer that was accepted. */
  answer: string | null;
  error: string | null;
}

const MAX_MALFORMED = 3;

/** Runs the graph to its end and reports its turns. Failures of the model are in the result. */
export async function runCall(call: Call, context: CallContext): Promise<CallResult> {
  const { id, agent, task, data, system, tools, verify } = call;
  const { model, inbox, tell, tokens, maxIterations, fullObservations, signal } = context;
  tell({ type: "call_start", call: id, agent, task: task.slice(0, 2000) });
  const started = performance.now();
  const limits = { maxIterations, maxMalformed: MAX_MALFORMED };
  const graph = buildGraph({
    model,
    tools,
    verify,
    prompt: repairPrompt,
    answer: "text",
    limits,
    signal: AbortSignal.any([signal, inbox.cancelled(id), tokens.signal]),
    notices: () => inbox.takeNotices(id).map((notice) => `Notice: ${notice}`),
    ...(fullObservations === null ? {} : { shown: (messages) => collapseOld(messages, fullObservations) }),
    onStep: (step) => {
      tokens.use(step);
      tell(stepEvent(id, step));
    },
  });
  const state = await graph.invoke(
    { messages: [new SystemMessage(system), data ? messageWithTask(task, data) : new HumanMessage(task)] },
    { recursionLimit: recursionLimit(limits) },
  );
  if (!state.stop) throw new Error(`the graph of ${id} ended without a reason`);
  const { inputTokens: input, outputTokens: output } = usageOf(state.steps);
  const seconds = (performance.now() - started) / 1000;
  tell({
    type: "call_end",
    call: id,
    stop: state.stop,
    iterations: state.iterations,
    seconds,
    tokens: { input, output },
  });
  const accepted = state.stop === "answered" ? state.steps.at(-1)?.verification?.result : null;
  return { stop: state.stop, answer: accepted ?? null, error: state.error?.message ?? null };
}

/** For a run whose answer is for its caller to judge. */
export const acceptAnything = async (answer: string): Promise<Verification> => ({
  accepted: true,
  result: answer,
  observation: { status: "ok", output: "", durationMs: 0 },
});

/** A signal that ends every run of a job as a time limit does. */
export function startClock(timeoutMs: number): AbortSignal {
  const clock = new AbortController();
  setTimeout(() => clock.abort(new TimeLimit()), timeoutMs).unref();
  return clock.signal;
}

/** The tokens of a job. Once they are used up, its signal ends every run as a budget does. */
export class TokenBudget {
  readonly #limit: number;
  readonly #spent = new AbortController();
  #used = 0;

  constructor(limit = Infinity) {
    this.#limit = limit;
  }

  get signal(): AbortSignal {
    return this.#spent.signal;
  }

  use({ usage }: Step): void {
    this.#used += (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
    if (this.#used >= this.#limit) this.#spent.abort(new TimeLimit());
  }
}

/** The first line of what was observed tells whether it went well; the rest can be asked for again. */
export function collapseOld(messages: readonly BaseMessage[], kept: number): BaseMessage[] {
  const observations = messages.flatMap((message, i) => (i > 1 && message.type === "human" ? i : []));
  const old = new Set(observations.slice(0, Math.max(0, observations.length - kept)));
  return messages.map((message, i) => {
    const [first = "", ...rest] = message.text.split("\n");
    return old.has(i) && rest.length > 1
      ? new HumanMessage(`${first}\n(${rest.length} lines, no longer shown)`)
      : message;
  });
}
