/** One run of the graph that ends with a text: an editor, or a sub-agent that it delegates to. */

import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { python } from "../../utils/languages/python/index.ts";
import { messageWithTask, type TaskData } from "../../utils/task/task_data.ts";
import { runGraph } from "../graph.ts";
import type { Allowance } from "../run/allowance.ts";
import type { Stop, Verification } from "../run/trajectory.ts";
import type { Registry } from "../tools/tool.ts";
import { type EventBody, type Inbox, stepEvent } from "./wire.ts";

/** What every run of one job shares. */
export interface CallContext {
  model: BaseChatModel;
  inbox: Inbox;
  /** EventBody of every turn, and of the start and end of every run. */
  tell: (event: EventBody) => void;
  /** What all runs of the job may use together. */
  allowance: Allowance;
  maxIterations: number;
  /** Tokens of the model's context; null where the user does not say. */
  contextTokens: number | null;
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

/** Runs the graph to its end and reports its turns. Failures of the model are in the result. */
export async function runCall(call: Call, context: CallContext): Promise<CallResult> {
  const { id, agent, task, data, system, tools, verify } = call;
  const { model, inbox, tell, allowance, maxIterations, contextTokens } = context;
  tell({ type: "call_start", call: id, agent, task: task.slice(0, 2000) });
  const started = performance.now();
  const { stop, answer, iterations, usage, error } = await runGraph({
    opening: { messages: [new SystemMessage(system), data ? messageWithTask(task, data) : new HumanMessage(task)] },
    model,
    tools,
    verify,
    answer: "text",
    language: python,
    limits: { maxIterations },
    allowance,
    signal: inbox.cancelled(id),
    notices: () => inbox.takeNotices(id).map((notice) => `Notice: ${notice}`),
    contextTokens,
    onStep: (step) => tell(stepEvent(id, step)),
  });
  const tokens = { input: usage.inputTokens, output: usage.outputTokens };
  tell({ type: "call_end", call: id, stop, iterations, seconds: (performance.now() - started) / 1000, tokens });
  return { stop, answer, error: error?.message ?? null };
}

/** For a run whose answer is for its caller to judge. */
export const acceptAnything = async (answer: string): Promise<Verification> => ({
  accepted: true,
  result: answer,
  observation: { status: "ok", output: "", durationMs: 0 },
});
