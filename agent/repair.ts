/** Repairs one task: the public entry of the agent. */

import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import { Countdown } from "../utils/concurrency/countdown.ts";
import { LANGUAGES } from "../utils/languages/registry.ts";
import type { AgentSandbox } from "../utils/sandbox/types.ts";
import type { FewShotExample, VisibleTask } from "../utils/task.ts";
import { buildGraph, recursionLimit, type State, TimeLimit } from "./graph.ts";
import type { ModelFailure } from "./models/errors.ts";
import {
  actionMessage,
  exampleMessages,
  firstAction,
  firstRun,
  repairPrompt,
  systemMessage,
  taskMessage,
} from "./prompts.ts";
import { codeInterpreter } from "./tools/code_interpreter.ts";
import { toolsFor } from "./tools/table.ts";
import type { Tool } from "./tools/tool.ts";
import { type Step, type Stop, type Trajectory, usageOf, type Verification } from "./trajectory.ts";
import { type VerifyOptions, verifyRepair } from "./verify.ts";

export interface RepairOptions {
  model: { name: string; chat: BaseChatModel };
  sandbox: AgentSandbox;
  /** From `prepareExamples`; shown between the system message and the task. */
  examples?: readonly BaseMessage[];
  /** Tools the model may use. Default: `code_interpreter` alone. */
  tools?: readonly string[] | undefined;
  /** Of this trajectory; in place of the model's own. */
  seed?: number;
  maxIterations: number;
  /** Consecutive unreadable replies that end the run. Default 3. */
  maxMalformed?: number;
  maxTokens?: number;
  /** Limit of the whole repair in milliseconds; time in which the sandbox works does not count, see `Countdown`. */
  timeoutMs: number;
  judge?: VerifyOptions["judge"];
  /** The visible tests as a script for the first action, where they are none as they stand. */
  testScript?: string;
  /** Tests that the judge cannot serve: what judges an answer in its place, and the tool that runs them. */
  ownTests?: { verify: (answer: string, signal?: AbortSignal) => Promise<Verification>; tool: () => Tool };
  /** Answers in a row that are the same and are not accepted, and end the run. Default: no limit. */
  maxRepeats?: number;
  onStep?: (step: Step) => void;
  signal?: AbortSignal;
}

/**
 * Runs the graph on one task. Failures of the model are in the result (`stop: "error"`), as are all limits.
 * @throws Error where the harness itself failed (the sandbox gave no verdict): then the task has no result
 */
export async function repair(task: VisibleTask, options: RepairOptions): Promise<Trajectory> {
  const { model, judge, examples = [], maxIterations, maxMalformed = 3, maxTokens } = options;
  const started = performance.now();
  const limits = {
    maxIterations,
    maxMalformed,
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(options.maxRepeats === undefined ? {} : { maxRepeats: options.maxRepeats }),
  };
  const language = LANGUAGES[task.language];
  const ended = new AbortController();
  using clock = new Countdown(options.timeoutMs).start(() => ended.abort(new TimeLimit()));
  const sandbox = clock.pausedBy(options.sandbox);
  const own = options.ownTests?.tool();
  const tools = toolsFor(task, sandbox, options.tools, own);
  const check = (answer: string, signal?: AbortSignal) =>
    options.ownTests?.verify(answer, signal) ??
    verifyRepair(task, answer, { sandbox, ...(judge ? { judge } : {}) }, signal);
  const graph = buildGraph({
    model: model.chat,
    tools,
    verify: check,
    prompt: repairPrompt,
    answer: "code",
    language,
    limits,
    signal: options.signal ? AbortSignal.any([options.signal, ended.signal]) : ended.signal,
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    ...(options.onStep ? { onStep: options.onStep } : {}),
  });
  const first = own ? firstRun(task, own) : firstAction(task, options.testScript);
  const state = await graph.invoke(
    {
      messages: [systemMessage(tools, language), ...examples, taskMessage(task), actionMessage(first)],
      pending: first,
    },
    { recursionLimit: recursionLimit(limits) },
  );
  if (!state.stop) throw new Error(`the graph ended without a reason on ${task.id}`);
  const { stop, error } = endOf({ stop: state.stop, error: state.error, iterations: state.iterations }, options);
  const kept = await keptAnswer(state.steps, task, check);
  return {
    taskId: task.id,
    model: model.name,
    stop,
    ...kept,
    iterations: state.iterations,
    steps: state.steps,
    messages: transcript(state.messages),
    usage: { ...usageOf(state.steps), seconds: (performance.now() - started) / 1000 },
    seconds: (performance.now() - started) / 1000,
    ...(error ? { error } : {}),
  };
}

/** A model that finished no call before the time was up has shown nothing of its ability: that is an error, not an end. */
function endOf(
  { stop, error, iterations }: { stop: Stop; error: ModelFailure | null; iterations: number },
  { model, timeoutMs }: RepairOptions,
): { stop: Stop; error: ModelFailure | null } {
  if (stop !== "budget" || iterations > 0) return { stop, error };
  const message = `${model.name} gave no reply within the ${timeoutMs / 1000} s of the task: see whether its server hangs, or raise the time limit.`;
  return { stop: "error", error: { kind: "timeout", message, fatal: false } };
}

/** Few-shot examples as messages. Each buggy program is really run, so the example shows a real Observation. */
export async function prepareExamples(
  examples: readonly FewShotExample[],
  sandbox: AgentSandbox,
): Promise<BaseMessage[]> {
  const conversations = examples.map(async (example) => {
    const tool = codeInterpreter(sandbox, LANGUAGES[example.language]);
    return exampleMessages(example, await tool.run(firstAction(example).input));
  });
  return (await Promise.all(conversations)).flat();
}

/** Verified programs an unfinished run may look back for: later ones are better, and each costs a run of the tests. */
const MAX_LOOKBACK = 3;

/**
 * The verified answer; else the last candidate that loads. Candidates are Final Answers that were not accepted and
 * programs the model ran that define the entry point (the program given with the task, iteration 0, is none).
 */
async function keptAnswer(
  steps: readonly Step[],
  { language, entryPoint }: VisibleTask,
  check: (answer: string) => ReturnType<typeof verifyRepair>,
): Promise<Pick<Trajectory, "answer" | "verified">> {
  let looked = 0;
  for (const { iteration, reply, verification } of steps.toReversed()) {
    if (verification?.result != null) return { answer: verification.result, verified: verification.accepted };
    if (iteration === 0 || reply.kind !== "act" || looked >= MAX_LOOKBACK) continue;
    const { code } = reply.input;
    if (typeof code !== "string" || !LANGUAGES[language].partsAround(code, entryPoint)) continue;
    looked += 1;
    const { accepted, result } = await check(code);
    if (result !== null) return { answer: result, verified: accepted };
  }
  return { answer: null, verified: false };
}

const ROLES: Record<string, string> = { system: "system", human: "user", ai: "assistant" };
const transcript = (messages: State["messages"]) =>
  messages.map((message) => ({ role: ROLES[message.type] ?? message.type, content: message.text }));
