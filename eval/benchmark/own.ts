/** A benchmark of the user's own: a module with tasks and their scorers, for `--benchmark FILE`. */

import { resolve } from "node:path";
import { z } from "zod";
import { messageOf, UserError } from "../../utils/base/data/errors.ts";
import { parseRecord } from "../../utils/base/data/record.ts";
import { readNamedText } from "../../utils/base/files/foreign_file.ts";
import { inLine } from "../../utils/base/text/text.ts";
import { keepFromBoxes } from "../../utils/sandbox/hidden.ts";
import type { Sandbox } from "../../utils/sandbox/types.ts";
import { buggyProgram, VisibleTask } from "../../utils/task/task.ts";
import { type Benchmark, type BenchmarkTask, type CheckedTask, madeBenchmark, type Worker } from "./benchmark.ts";
import { leftOut } from "./remarks.ts";
import type { ScoreResult } from "./scorer.ts";

/** What a scorer works with. Code that a model wrote belongs into the sandbox and nowhere else. */
export interface ScoringTools {
  sandbox: Sandbox;
  /** Fires where the run is stopped: end then. */
  signal: AbortSignal;
}

/** A task of a user's own benchmark. */
export interface OwnTask {
  id: string;
  /** What the agent gets: a function to repair, see `createTask`, or a question in words. */
  given: VisibleTask | string;
  /**
   * @param answer the whole repaired program, or the answer to the question
   * @returns whether it is right. It throws where it cannot tell, which counts as an error and not as a fail
   */
  score(answer: string, tools: ScoringTools): boolean | Promise<boolean>;
  /** A right answer, for `--gold`. A task whose own solution fails is left out. Default: not checked. */
  solution?: string | undefined;
  /** Results are counted by it. Default: `task`. */
  kind?: string | undefined;
}

/** What a module for `--benchmark` exports as `benchmark`. */
export interface OwnBenchmark {
  name: string;
  /** What the model sees of a task, in words: it stands beside the score. */
  shown: string;
  tasks: readonly OwnTask[] | (() => Promise<readonly OwnTask[]>);
}

const isFunction = (value: unknown): boolean => typeof value === "function";

const Own = z.looseObject({
  name: z.string().min(1),
  shown: z.string().min(1),
  tasks: z.union([z.array(z.unknown()), z.custom<() => Promise<unknown>>(isFunction)], "it is not a list of tasks"),
});

const Tasks = z
  .array(
    z.object({
      id: z.string().min(1),
      given: z.union(
        [z.string().min(1), VisibleTask],
        "make a function with createTask(…), or write a question as text",
      ),
      score: z.custom<OwnTask["score"]>(isFunction, "it is not a function"),
      solution: z.string().optional(),
      kind: z.string().optional(),
    }),
  )
  .min(1)
  .superRefine((tasks, context) => {
    const twice = tasks.findIndex(({ id }, i) => tasks.findIndex((other) => other.id === id) < i);
    if (twice >= 0) context.addIssue({ code: "custom", path: [twice, "id"], message: "another task has the same id" });
  });

/**
 * Opens the benchmark that a module exports. The module runs on this machine with the user's rights: it is theirs.
 * @param path of a .ts, .js or .mjs file
 * @throws UserError where it cannot be loaded, or exports no benchmark
 */
export async function openOwnBenchmark(path: string): Promise<Benchmark> {
  keepFromBoxes(path);
  const source = readNamedText(path);
  const { benchmark } = await load(path);
  if (benchmark === undefined) throw new UserError(`${path} does not export \`benchmark\`: see docs/benchmark.md.`);
  const { name, shown, tasks: given } = parseRecord(benchmark, Own, `${path}, benchmark`);
  const listed = typeof given === "function" ? await loaded(path, given) : given;
  const tasks = parseRecord(listed, Tasks, `${path}, tasks of benchmark`);
  return madeBenchmark([source, tasks], () => {}, {
    ...{ name, protocol: "own", shown, remarks: [], tasks: tasks.map(taskOf) },
    check: (chosen, { sandbox, by }) => Promise.all(chosen.map((task) => checkTask(task, sandbox, by))),
  });
}

const load = (path: string): Promise<{ benchmark?: unknown }> =>
  loaded(path, async () => {
    const tsx = await import("tsx/cjs/api");
    return tsx.require(resolve(path), import.meta.url);
  });

/** What the user's own code gives. */
async function loaded<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new UserError(`${path} cannot be loaded: ${messageOf(error)}`);
  }
}

const taskOf = ({ id, given, kind = "task", solution, score }: OwnTask): BenchmarkTask => ({
  id,
  kind,
  ...(typeof given !== "string" && { language: given.language }),
  assignment:
    typeof given === "string"
      ? { type: "question", text: given, form: "an answer", isAnswer: (text) => text.trim() !== "" }
      : { type: "solve", visible: given },
  reference: (which) => (which === "gold" ? (solution ?? null) : typeof given === "string" ? "" : buggyProgram(given)),
  score: (answer, sandbox, signal) =>
    answer === null ? Promise.resolve(scored(false)) : scoreAnswer(score, answer, { sandbox, signal }),
});

/** What the user's scorer says; an error where it throws or says something else than true or false. */
async function scoreAnswer(score: OwnTask["score"], answer: string, tools: ScoringTools): Promise<ScoreResult> {
  try {
    const passed: unknown = await score(answer, tools);
    return typeof passed === "boolean"
      ? scored(passed)
      : { error: `its scorer gave ${inLine(String(passed))}, and true or false is needed` };
  } catch (error) {
    return { error: `its scorer failed: ${messageOf(error)}` };
  }
}

const scored = (passed: boolean): ScoreResult => ({
  score: { passed, outcome: passed ? "passed" : "failed", explanation: passed ? "" : "its scorer says no" },
});

/** Leaves out a task whose own solution fails, one without a solution from `--gold`, and a question from the search. */
async function checkTask(task: BenchmarkTask, sandbox: Sandbox, by: Worker | null): Promise<CheckedTask> {
  const without = (reason: string): CheckedTask => ({ task: null, remarks: [leftOut(task.id, reason)] });
  if (task.assignment.type === "question" && typeof by === "object" && by?.isSearch)
    return without(`${by.title} answers no questions: bring a model with --model openai:NAME`);
  const solution = task.reference("gold");
  if (solution === null) return by === "gold" ? without("it has no solution") : { task, remarks: [] };
  if (by === "gold") return { task, remarks: [] };
  const checked = await task.score(solution, sandbox, new AbortController().signal);
  if ("error" in checked) return without(checked.error);
  return checked.score.passed ? { task, remarks: [] } : without("its own solution fails");
}
