/** The user's tests for one function of a file: an answer takes its place, and is judged as a patch of the file. */

import { z } from "zod";
import type { Observation } from "../../agent/dialects/reply.ts";
import type { Verification } from "../../agent/run/trajectory.ts";
import { RUN_TESTS } from "../../agent/tools/run_tests.ts";
import { defineTool, type Tool } from "../../agent/tools/tool.ts";
import { likeOriginal, plainText } from "../../utils/base/text/line_ends.ts";
import { assembleProgram } from "../../utils/task/code_postprocess.ts";
import type { VisibleTask } from "../../utils/task/task.ts";
import { type FileChange, sourcePatch } from "../project/patch.ts";
import type { Preparation } from "./prepare.ts";
import { type Attempt, type Check, nearestFirst } from "./run.ts";
import { indentLike, spliced } from "./splice.ts";
import { describeRun } from "./tools.ts";

interface FunctionTestsOptions {
  prepared: Preparation;
  /** From the root. */
  file: string;
  /** The file as it is. */
  original: string;
  task: VisibleTask;
}

export class FunctionTests {
  readonly #options: FunctionTestsOptions;
  /** By the file's text. */
  readonly #tested = new Map<string, Check>();

  constructor(options: FunctionTestsOptions) {
    this.#options = options;
  }

  /** The patch that an answer makes of the file; empty where it changes nothing. */
  patchOf(answer: string): FileChange[] {
    return this.#patchTo(likeOriginal(this.#options.original, this.#program(answer)));
  }

  async verify(answer: string, signal?: AbortSignal): Promise<Verification> {
    const began = performance.now();
    const { accepted, observation } = await this.#judged(this.patchOf(answer), signal);
    const durationMs = performance.now() - began;
    return { accepted, result: this.#program(answer), observation: { ...observation, durationMs } };
  }

  /** Whether all tests pass with a patch. */
  async passes(source: FileChange[], signal?: AbortSignal): Promise<boolean> {
    return await this.#options.prepared.verifier.passes(sourcePatch(source), signal);
  }

  /** The tests for a model: its code takes the function's place. */
  tool(): Tool {
    const { command } = this.#options.prepared.suite.plan;
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

  #program(answer: string): string {
    const { task, original } = this.#options;
    const text = indentLike(plainText(original), answer, task.language);
    return spliced(task, plainText(original), text) ?? assembleProgram(task, text);
  }

  #patchTo(text: string): FileChange[] {
    const { file, original } = this.#options;
    return text === original ? [] : [{ file, before: original, after: text }];
  }

  async #judged(
    source: FileChange[],
    signal?: AbortSignal,
  ): Promise<{ accepted: boolean; observation: Omit<Observation, "durationMs"> }> {
    const { baseline, verifier } = this.#options.prepared;
    const isFine = baseline.failing.length === 0 && baseline.notLoaded === null;
    if (source.length === 0) return { accepted: isFine, observation: describeRun(baseline.run) };
    const patch = sourcePatch(source);
    const known = this.#tested.get(textIn(source));
    const verdict = known?.verdict ?? (await verifier.check(patch, signal));
    this.#tested.set(textIn(source), { patch, verdict });
    return { accepted: verdict.accepted, observation: { status: verdict.status, output: verdict.output } };
  }
}

const textIn = ([change]: readonly FileChange[]): string => change?.after ?? "";
