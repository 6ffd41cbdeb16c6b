/** Repairs one task: the public entry of the agent. */

import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import { LANGUAGES } from "../utils/languages/registry.ts";
import type { Sandbox } from "../utils/sandbox/types.ts";
import { buggyProgram, type FewShotExample, type VisibleTask } from "../utils/task.ts";
import { buildGraph, recursionLimit, type State, TimeLimit } from "./graph.ts";
import { SEARCH_EDITS, searchEditsTool } from "./models/search/tool.ts";
import {
  actionMessage,
  exampleMessages,
  firstAction,
  firstRun,
  repairPrompt,
  systemMessage,
  taskMessage,
} from "./prompts.ts";
import { CODE_INTERPRETER, codeInterpreter } from "./tools/code-interpreter.ts";
import { type Registry, registry, type Tool } from "./tools/tool.ts";
import { type Step, type Trajectory, usageOf, type Verification } from "./trajectory.ts";
import { type VerifyOptions, verifyRepair } from "./verify.ts";

export interface RepairOptions {
  model: { name: string; chat: BaseChatModel };
  sandbox: Sandbox;
  /** From `prepareExamples`; shown between the system message and the task. */
  examples?: readonly BaseMessage[];
  /** Tools the model may use. Default: `code_interpreter` alone. */
  tools?: readonly ToolName[];
  /** Of this trajectory; in place of the model's own. */
  seed?: number;
  maxIterations: number;
  /** Consecutive unreadable replies that end the run. Default 3. */
  maxMalformed?: number;
  maxTokens?: number;
  /** Wall-clock limit of the whole repair in milliseconds. */
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
  const { model, sandbox, judge, examples = [], maxIterations, maxMalformed = 3, maxTokens } = options;
  const started = performance.now();
  const limits = {
    maxIterations,
    maxMalformed,
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(options.maxRepeats === undefined ? {} : { maxRepeats: options.maxRepeats }),
  };
  const language = LANGUAGES[task.language];
  const own = options.ownTests?.tool();
  const tools = repairTools(task, sandbox, options.tools, own);
  const check = (answer: string, signal?: AbortSignal) =>
    options.ownTests?.verify(answer, signal) ??
    verifyRepair(task, answer, { sandbox, ...(judge ? { judge } : {}) }, signal);
  using deadline = startDeadline(options.timeoutMs, options.signal);
  const graph = buildGraph({
    model: model.chat,
    tools,
    verify: check,
    prompt: repairPrompt,
    answer: "code",
    language,
    limits,
    signal: deadline.signal,
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
  const kept = await keptAnswer(state.steps, task, check);
  return {
    taskId: task.id,
    model: model.name,
    stop: state.stop,
    ...kept,
    iterations: state.iterations,
    steps: state.steps,
    messages: transcript(state.messages),
    usage: { ...usageOf(state.steps), seconds: (performance.now() - started) / 1000 },
    seconds: (performance.now() - started) / 1000,
    ...(state.error ? { error: state.error } : {}),
  };
}

/** What the tools of a repair can be, by name. */
export const TOOL_NAMES = [CODE_INTERPRETER, SEARCH_EDITS] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

/** The tools for one task. `code_interpreter` is among them unless other tests run modules, which it cannot. */
function repairTools(task: VisibleTask, sandbox: Sandbox, names: readonly ToolName[] = [], own?: Tool): Registry {
  const search = names.includes(SEARCH_EDITS) ? [searchEditsTool(task, sandbox)] : [];
  const language = LANGUAGES[task.language];
  const interpreter = own && language.isModule(buggyProgram(task)) ? [] : [codeInterpreter(sandbox, language)];
  return registry([...interpreter, ...search, ...(own ? [own] : [])]);
}

/** Few-shot examples as messages. Each buggy program is really run, so the example shows a real Observation. */
export async function prepareExamples(examples: readonly FewShotExample[], sandbox: Sandbox): Promise<BaseMessage[]> {
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
    if (iteration === 0 || reply.kind !== "act" || reply.tool === SEARCH_EDITS || looked >= MAX_LOOKBACK) continue;
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

/** A signal that fires with a TimeLimit after `timeoutMs`, or as `outer` does; disposing it stops the clock. */
function startDeadline(timeoutMs: number, outer?: AbortSignal) {
  const clock = new AbortController();
  const timer = setTimeout(() => clock.abort(new TimeLimit()), timeoutMs);
  const signal = outer ? AbortSignal.any([outer, clock.signal]) : clock.signal;
  return { signal, [Symbol.dispose]: () => clearTimeout(timer) };
}
