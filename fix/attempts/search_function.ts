/** Carries out the moves of the search engine, in the turns that a run of the graph has, but without a model. */

import type { Observation } from "../../agent/dialects/reply.ts";
import { Allowance, stopOf } from "../../agent/run/allowance.ts";
import { type Step, type Trajectory, usageOf, type Verification } from "../../agent/run/trajectory.ts";
import { RUN_TESTS } from "../../agent/tools/run_tests.ts";
import { searchEditsTool } from "../../agent/tools/search_edits.ts";
import type { Tool } from "../../agent/tools/tool.ts";
import { bestAnswer } from "../../agent/verify.ts";
import { type Engine, type Move, searchFunction } from "../../utils/search/moves.ts";
import { buggyProgram, type VisibleTask } from "../../utils/task/task.ts";
import type { AttemptOptions } from "./attempt.ts";

type Turns = Pick<AttemptOptions, "maxIterations" | "onStep" | "onProgress">;

interface MoveOptions extends Turns {
  tool: Tool;
  verify: (answer: string, signal: AbortSignal) => Promise<Verification>;
  /** Gets each turn, those first that came before the first move. */
  steps?: Step[];
  signal: AbortSignal;
}

type SearchRun = Pick<Trajectory, "stop" | "iterations" | "steps" | "messages" | "usage" | "error">;

/** One move after the other until an answer is accepted, nothing is left or a limit is reached. */
export async function carryOut(
  moves: Iterable<Move>,
  { steps = [], onStep, signal, ...parts }: MoveOptions,
): Promise<SearchRun> {
  const ended = (stop: SearchRun["stop"], iterations: number) => ({
    ...{ stop, iterations, steps, messages: [], usage: usageOf(steps) },
  });
  let iteration = 0;
  if (signal.aborted) return ended(stopOf(signal), iteration);
  for (const move of moves) {
    iteration += 1;
    if (move.kind === "failed")
      return { ...ended("error", iteration), error: { kind: "unknown", message: move.why, fatal: false } };
    parts.onProgress?.({ type: "replied" });
    const began = performance.now();
    const observed = await observe(move, parts, signal).catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    });
    if (!observed) return ended(stopOf(signal), iteration);
    const step = { iteration, reply: move, ...observed, usage: null, seconds: (performance.now() - began) / 1000 };
    steps.push(step);
    onStep?.(step);
    if (observed.verification?.accepted) return ended("answered", iteration);
    if (move.kind === "answer" && move.isLast) break;
    if (iteration >= parts.maxIterations) return ended("max_iterations", iteration);
    if (signal.aborted) return ended(stopOf(signal), iteration);
  }
  return ended("gave_up", iteration);
}

/** The engine's moves, each by what the turns before it came to. */
function* movesOf(engine: Engine, steps: readonly Step[]): Generator<Move, void> {
  const next = searchFunction(engine);
  while (true) yield next(steps.map(({ observation }, i) => ({ data: observation.data, later: steps.length - 1 - i })));
}

type TurnResult = { observation: Observation; verification?: Verification };

async function observe(
  move: Exclude<Move, { kind: "failed" }>,
  { tool, verify }: Pick<MoveOptions, "tool" | "verify">,
  signal: AbortSignal,
): Promise<TurnResult> {
  if (move.kind === "act") return { observation: await tool.run(move.input, signal) };
  const verification = await verify(move.text, signal);
  return { observation: verification.observation, verification };
}

interface SearchTaskOptions extends Turns, Pick<AttemptOptions, "sandbox" | "timeoutMs" | "signal"> {
  engine: Engine;
  verify: (answer: string, signal: AbortSignal) => Promise<Verification>;
  /** Also searches where the program passes as it is. Default: it is the answer. */
  repairPassing?: boolean;
}

/** Searches one function with its file alone. */
export async function searchTask(task: VisibleTask, options: SearchTaskOptions): Promise<Trajectory> {
  const { engine, verify, timeoutMs, repairPassing = false, onStep } = options;
  const started = performance.now();
  using allowance = new Allowance({ timeoutMs, signal: options.signal });
  const { signal } = allowance;
  const code = buggyProgram(task).trimEnd();
  const given = await verify(code, signal);
  const first: Step = {
    iteration: 0,
    reply: { kind: "act", tool: RUN_TESTS.name, input: { code }, thought: FIRST },
    observation: given.observation,
    ...(given.accepted && !repairPassing && { verification: { ...given, result: buggyProgram(task) } }),
    usage: null,
    seconds: (performance.now() - started) / 1000,
  };
  onStep?.(first);
  const nothing: SearchRun = {
    stop: "nothing_to_repair",
    iterations: 0,
    steps: [first],
    messages: [],
    usage: usageOf([]),
  };
  const tool = searchEditsTool(task, allowance.pausedBy(options.sandbox));
  const steps = [first];
  const run = first.verification
    ? nothing
    : await carryOut(movesOf(engine, steps), { ...options, tool, steps, signal });
  const answer = await bestAnswer(run.steps, task, (text) => verify(text, signal));
  const seconds = (performance.now() - started) / 1000;
  return { taskId: task.id, model: "search", ...run, ...answer, usage: { ...run.usage, seconds }, seconds };
}

const FIRST = "I run the program against the visible tests first.";
