/** One repair of a function, by a model or the search engine: what either answers is judged as a patch of its file. */

import { z } from "zod";
import type { repair } from "../../agent/repair.ts";
import type { Verification } from "../../agent/run/trajectory.ts";
import { RUN_TESTS } from "../../agent/tools/run_tests.ts";
import { defineTool, type Tool } from "../../agent/tools/tool.ts";
import { likeOriginal, plainText } from "../../utils/base/text/line_ends.ts";
import { assembleProgram } from "../../utils/task/code_postprocess.ts";
import { type FileChange, sourcePatch } from "../project/patch.ts";
import { type Attempt, type AttemptOptions, type Check, chatOf, type FunctionPlace, nearestFirst } from "./attempt.ts";
import type { Preparation } from "./prepare.ts";
import { searchTask } from "./search_function.ts";
import { indentLike, spliced } from "./splice.ts";
import { describeRun } from "./tools.ts";

/** With the tests, which know all that was tried. */
export type FunctionAttempt = Attempt & { place: FunctionPlace; tests: FunctionTests };

/** LangGraph takes long to load: a search does without it. */
const byModel: typeof repair = async (...args) => (await import("../../agent/repair.ts")).repair(...args);

/** Failures of the model are in the trajectory. */
export async function attemptFunction(
  prepared: Preparation,
  place: FunctionPlace,
  options: AttemptOptions,
): Promise<FunctionAttempt> {
  const tests = new FunctionTests(prepared, place);
  const { name, engine } = options.model;
  // Every caller has seen the tests fail.
  const repairPassing = true;
  const verify = (answer: string, signal: AbortSignal) => tests.verify(answer, signal);
  const trajectory = engine
    ? await searchTask(place.task, { ...options, engine, verify, repairPassing })
    : await byModel(place.task, {
        ...options,
        model: { name, chat: chatOf(options.model) },
        ownTests: tests,
        repairPassing,
        maxRepeats: 2,
      });
  const source = trajectory.answer === null ? [] : tests.patchOf(trajectory.answer);
  const reply = trajectory.steps.at(-1)?.reply;
  // An answer is code, but of a model that gives up.
  const isWords = reply?.kind === "answer" && trajectory.stop === "gave_up";
  const said = reply?.thought || (isWords ? reply.text : "");
  return { trajectory, patch: sourcePatch(source), ...tests.verdictsFor(source), said, place, tests };
}

/** The user's tests for one function of a file: an answer takes its place, and is judged as a patch of the file. */
export class FunctionTests {
  readonly #prepared: Preparation;
  readonly #place: FunctionPlace;
  /** By the file's text. */
  readonly #tested = new Map<string, Check>();

  constructor(prepared: Preparation, place: FunctionPlace) {
    this.#prepared = prepared;
    this.#place = place;
  }

  /** The patch that an answer makes of the file; empty where it changes nothing. */
  patchOf(answer: string): FileChange[] {
    const { file, original } = this.#place;
    const after = likeOriginal(original, this.#program(answer));
    return after === original ? [] : [{ file, before: original, after }];
  }

  async verify(answer: string, signal?: AbortSignal): Promise<Verification> {
    const began = performance.now();
    const { accepted, status, output } = await this.#judged(this.patchOf(answer), signal);
    const observation = { status, output, durationMs: performance.now() - began };
    return { accepted, result: this.#program(answer), observation };
  }

  /** Whether all tests pass with a patch. */
  passes(source: FileChange[], signal?: AbortSignal): Promise<boolean> {
    return this.#prepared.verifier.passes(sourcePatch(source), signal);
  }

  /** The tests for a model: its code takes the function's place. */
  tool(): Tool {
    const { command } = this.#prepared.suite.plan;
    return defineTool({
      name: RUN_TESTS.name,
      description: `Runs the visible tests (${command}) with your version of the function in its file.`,
      input: z.object({ code: z.string({ error: "a string with code is needed" }).describe("the complete function") }),
      run: async ({ code }, signal) => (await this.verify(code, signal)).observation,
    });
  }

  /** What was said of a patch, null where it was not judged; and all that was judged, as of an attempt. */
  verdictsFor(source: FileChange[]): Pick<Attempt, "verdict" | "candidates"> {
    const verdict = this.#tested.get(textIn(source))?.verdict ?? null;
    return { verdict, candidates: nearestFirst([...this.#tested.values()]) };
  }

  async #judged(
    source: FileChange[],
    signal?: AbortSignal,
  ): Promise<Omit<Verification["observation"], "durationMs"> & { accepted: boolean }> {
    const { baseline, verifier } = this.#prepared;
    const { failing, notLoaded, run } = baseline;
    if (source.length === 0) return { accepted: failing.length === 0 && notLoaded === null, ...describeRun(run) };
    const patch = sourcePatch(source);
    const known = this.#tested.get(textIn(source)) ?? { patch, verdict: await verifier.check(patch, signal) };
    this.#tested.set(textIn(source), known);
    return known.verdict;
  }

  #program(answer: string): string {
    const { task, original } = this.#place;
    const text = indentLike(plainText(original), answer, task.language);
    return spliced(task, plainText(original), text) ?? assembleProgram(task, text);
  }
}

const textIn = ([change]: readonly FileChange[]): string => change?.after ?? "";
