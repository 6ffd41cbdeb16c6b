/** The user's tests for one function of a file: an answer takes its place, and is judged as a patch of the file. */

import { z } from "zod";
import type { Observation } from "../../agent/dialects/reply.ts";
import type { Verification } from "../../agent/run/trajectory.ts";
import { RUN_TESTS } from "../../agent/tools/run_tests.ts";
import { defineTool, type Tool } from "../../agent/tools/tool.ts";
import { likeOriginal, plainText } from "../../utils/base/text/line_ends.ts";
import { assembleProgram } from "../../utils/task/code_postprocess.ts";
import type { VisibleTask } from "../../utils/task/task.ts";
import type { PatchVerdict } from "../guard/verdict.ts";
import type { Patch } from "../project/patch.ts";
import type { Preparation } from "./prepare.ts";
import { type Attempt, nearestFirst } from "./run.ts";
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

/** A candidate with what the tests said of it. */
interface TestedCandidate {
  /** The file as it would be written. */
  text: string;
  verdict: PatchVerdict;
}

export class FunctionTests {
  readonly #options: FunctionTestsOptions;
  readonly #tested = new Map<string, TestedCandidate>();

  constructor(options: FunctionTestsOptions) {
    this.#options = options;
  }

  /** What an answer makes of the file. */
  fileWith(answer: string): string {
    return likeOriginal(this.#options.original, this.#program(answer));
  }

  patchTo(text: string): Patch {
    const { file, original } = this.#options;
    const source = text === original ? [] : [{ file, before: original, after: text }];
    return { source, tests: [], updated: [], dropped: [] };
  }

  async verify(answer: string, signal?: AbortSignal): Promise<Verification> {
    const began = performance.now();
    const program = this.#program(answer);
    const text = likeOriginal(this.#options.original, program);
    const { accepted, observation } = await this.#judged(text, signal);
    return { accepted, result: program, observation: { ...observation, durationMs: performance.now() - began } };
  }

  /** Whether all tests pass with a text of the file. */
  async passes(text: string, signal?: AbortSignal): Promise<boolean> {
    return await this.#options.prepared.verifier.passes(this.patchTo(text), signal);
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

  /** What was said of a text of the file, null where it was not judged; and all that was judged, as of an attempt. */
  verdictsFor(text: string): Pick<Attempt, "verdict" | "candidates"> {
    const all = [...this.#tested.values()].map(({ text, verdict }) => ({ patch: this.patchTo(text), verdict }));
    return { verdict: this.#tested.get(text)?.verdict ?? null, candidates: nearestFirst(all) };
  }

  #program(answer: string): string {
    const { task, original } = this.#options;
    const text = indentLike(plainText(original), answer, task.language);
    return spliced(task, plainText(original), text) ?? assembleProgram(task, text);
  }

  async #judged(
    text: string,
    signal?: AbortSignal,
  ): Promise<{ accepted: boolean; observation: Omit<Observation, "durationMs"> }> {
    const { prepared, original } = this.#options;
    const { baseline, verifier } = prepared;
    if (text === original) return { accepted: baseline.failing.length === 0, observation: describeRun(baseline.run) };
    const known = this.#tested.get(text);
    const verdict = known?.verdict ?? (await verifier.check(this.patchTo(text), signal));
    this.#tested.set(text, { text, verdict });
    return { accepted: verdict.accepted, observation: { status: verdict.status, output: verdict.output } };
  }
}
