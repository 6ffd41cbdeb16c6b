/** One repair of a function, by a model or the search engine: what either answers is judged as a patch of its file. */

import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { repair } from "../../agent/repair.ts";
import type { Progress } from "../../agent/run/progress.ts";
import type { Step } from "../../agent/run/trajectory.ts";
import type { AgentSandbox } from "../../utils/sandbox/types.ts";
import type { Engine } from "../../utils/search/moves.ts";
import type { VisibleTask } from "../../utils/task/task.ts";
import { sourcePatch } from "../project/patch.ts";
import { FunctionTests } from "./function_tests.ts";
import type { Preparation } from "./prepare.ts";
import type { Attempt } from "./run.ts";
import { searchTask } from "./search_function.ts";

/** A function, class or method that may be at fault. */
export interface FunctionPlace {
  /** From the root. */
  file: string;
  /** The file as it is. */
  original: string;
  /** As a person names it: `restock`, `Shelf`, `Shelf.put`, `shop::Shelf::put`. */
  name: string;
  /** What an answer defines, see `NamedEntry`. */
  definition: string;
  /** Why it is looked at; empty where it is the only one. */
  why: string;
  task: VisibleTask;
}

export interface FunctionAttemptOptions {
  model: { name: string; chat: BaseChatModel };
  /** Searches in place of the model. */
  engine?: Engine | undefined;
  sandbox: AgentSandbox;
  /** Default: what is always offered. */
  tools?: readonly string[] | undefined;
  maxIterations: number;
  /** Wall-clock limit in milliseconds. */
  timeoutMs: number;
  onStep?: ((step: Step) => void) | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** With the tests, which know all that was tried. */
export type FunctionAttempt = Attempt & { place: FunctionPlace; tests: FunctionTests };

/** LangGraph takes long to load: a search does without it. */
const byModel: typeof repair = async (...args) => (await import("../../agent/repair.ts")).repair(...args);

/** Failures of the model are in the trajectory. */
export async function attemptFunction(
  prepared: Preparation,
  place: FunctionPlace,
  { engine, ...options }: FunctionAttemptOptions,
): Promise<FunctionAttempt> {
  const tests = new FunctionTests({ prepared, ...place });
  // Every caller has seen the tests fail.
  const repairPassing = true;
  const verify = (answer: string, signal: AbortSignal) => tests.verify(answer, signal);
  const trajectory = engine
    ? await searchTask(place.task, { ...options, engine, verify, repairPassing })
    : await byModel(place.task, { ...options, ownTests: tests, repairPassing, maxRepeats: 2 });
  const source = trajectory.answer === null ? [] : tests.patchOf(trajectory.answer);
  const reply = trajectory.steps.at(-1)?.reply;
  // An answer is code, but of a model that gives up.
  const isWords = reply?.kind === "answer" && trajectory.stop === "gave_up";
  const said = reply?.thought || (isWords ? reply.text : "");
  return { trajectory, patch: sourcePatch(source), ...tests.verdictsFor(source), said, place, tests };
}
