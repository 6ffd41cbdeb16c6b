/** What an editor may ask of its workspace while it works: the cheap gates, and how it does on a task of dev. */

import { join } from "node:path";
import type { Observation } from "../../agent/dialects/reply.ts";
import { Queue } from "../../utils/base/concurrency/queue.ts";
import { UserError } from "../../utils/base/data/errors.ts";
import { removeFolder } from "../../utils/base/files/trees/remove_folder.ts";
import { plural, seconds } from "../../utils/base/text/format.ts";
import { headAndTail } from "../../utils/base/text/text.ts";
import { BudgetReached } from "../run/cost/budget.ts";
import { checkSurface } from "./archive/surface.ts";
import { problemAtStart } from "./child/child.ts";
import { takeSnapshot } from "./child/snapshot.ts";
import type { Workbench } from "./workbench.ts";

/** Tries in one step: an editor that goes on and on leaves something for the gates. */
const MOST_TRIES = 20;
const TRACE_CHARS = 6_000;

/** One thing at a time, on a copy of the workspace: an editor that still works cannot change what is looked at. */
export class Trials {
  /** Why a try could not be measured: then the step is not finished either. */
  failure: UserError | BudgetReached | null = null;
  readonly #workspace: string;
  readonly #bench: Workbench;
  /** Ends the editor. */
  readonly #stop: () => void;
  readonly #turn = new Queue(1);
  #tries = 0;

  constructor(workspace: string, bench: Workbench, stop: () => void) {
    this.#workspace = workspace;
    this.#bench = bench;
    this.#stop = stop;
  }

  /** Surface, types, and whether the agent starts. */
  checks(signal: AbortSignal): Promise<{ ok: boolean; report: string }> {
    return this.#turn.run(async () => {
      const built = await this.#build(signal);
      if ("problem" in built) return { ok: false, report: built.problem };
      const { box } = this.#bench.parts.evaluator;
      const problem = await problemAtStart(built.program, { box, signal });
      return { ok: problem === null, report: problem ?? "The agent compiles and starts." };
    }, signal);
  }

  /**
   * Measures the workspace on a task of dev, as every agent is measured: it is logged, and paid from the budget. A task
   * of another split is refused in the same words as one that does not exist.
   */
  tryTask(task: string, signal: AbortSignal): Promise<Observation> {
    return this.#turn.run(async () => {
      const sample = this.#bench.samples("dev").find((one) => one.task.id === task);
      if (!sample) return said("refused", `There is no dev task ${task}. The tool archive lists them.`);
      this.#tries += 1;
      if (this.#tries > MOST_TRIES) return said("refused", `All ${MOST_TRIES} tries of this step are made.`);
      const built = await this.#build(signal);
      if ("problem" in built) return said("the checks fail", built.problem);
      try {
        const measured = await this.#bench.tried(built, sample);
        const { score, outcome, modelCalls } = measured;
        const used = `${seconds(measured.seconds)}, ${plural(modelCalls, "model call")}`;
        const trace = headAndTail(this.#bench.trace(measured) ?? "", TRACE_CHARS);
        return said(`score ${score} (${outcome})`, `${used}\n${trace}`);
      } catch (error) {
        if (!(error instanceof UserError || error instanceof BudgetReached)) throw error;
        this.failure = error;
        this.#stop();
        return said("not measured", error.message);
      }
    }, signal);
  }

  /** Waits for what an editor that has ended left behind: it is paid, so it is logged. */
  settled(): Promise<void> {
    return this.#turn.run(async () => {});
  }

  async #build(signal: AbortSignal): Promise<{ tree: string; program: string } | { problem: string }> {
    const { archive, builder, folder } = this.#bench.parts;
    const copy = join(folder, "checked");
    try {
      removeFolder(copy);
      const problem = takeSnapshot(this.#workspace, copy, "utils") ?? checkSurface(copy);
      if (problem) return { problem: problem.message };
      const tree = await archive.treeOf(copy);
      const built = await builder.build(copy, tree, signal);
      return "problem" in built ? built : { tree, ...built };
    } finally {
      removeFolder(copy);
    }
  }
}

const said = (status: string, output: string): Observation => ({ status, output, durationMs: 0 });
