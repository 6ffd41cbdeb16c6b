/** Where agents are measured: takes from the log what is known, measures the rest, and logs it. */

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pool } from "../../utils/base/concurrency/pool.ts";
import { UserError } from "../../utils/base/data/errors.ts";
import { replaceInside } from "../../utils/base/files/write_inside.ts";
import { type Budget, BudgetReached } from "../run/cost/budget.ts";
import type { Archive } from "./archive/archive.ts";
import type { Builder } from "./child/build.ts";
import { type ChildTask, type Evaluator, measure, measurementKey, type Sample } from "./evaluate.ts";
import type { Scores } from "./gates/sign_test.ts";
import type { Split } from "./gates/splits.ts";
import { type AgentAdded, type Log, type MeasuredLine, readTrace, traceFile } from "./log.ts";

export interface WorkbenchParts {
  folder: string;
  log: Log;
  archive: Archive;
  builder: Builder;
  evaluator: Evaluator;
  splits: Record<Split, ChildTask[]>;
  budget: Budget;
  concurrency: number;
  signal: AbortSignal;
  /** True once no further task should be started. */
  draining: () => boolean;
}

/** Thrown where the user asked to stop; what was finished is in the log. */
export class UserStop extends Error {
  override name = "Drained";
}

export class Workbench {
  readonly parts: WorkbenchParts;

  constructor(parts: WorkbenchParts) {
    const { sandbox, agentSandbox } = parts.evaluator;
    if (agentSandbox === sandbox) throw new Error("agents need a sandbox of their own, in which nothing is scored");
    this.parts = parts;
    for (const name of ["traces", "recordings"]) mkdirSync(join(parts.folder, name), { recursive: true });
  }

  /** @throws BudgetReached or Drained where no further piece of work should be started */
  requireTime(): void {
    this.parts.budget.require();
    if (this.parts.draining()) throw new UserStop("stopped between two pieces of work");
  }

  samples(split: Split, attempt = 0, count = Infinity): Sample[] {
    return this.parts.splits[split].slice(0, count).map((task) => ({ task, split, attempt }));
  }

  /**
   * The program of an agent in the archive.
   * @returns a problem where it does not compile; it has no program then
   */
  async program(agent: AgentAdded): Promise<{ program: string } | { problem: string }> {
    const { archive, builder, folder, signal } = this.parts;
    const built = builder.find(agent.tree);
    if (built) return built;
    const source = join(folder, "checkout");
    await archive.checkout(agent.sha, source);
    try {
      return await builder.build(source, agent.tree, signal);
    } finally {
      rmSync(source, { recursive: true, force: true });
    }
  }

  /** What the log knows of these samples, in their order; null where any is missing. */
  known(agent: Pick<AgentAdded, "tree">, samples: readonly Sample[]): MeasuredLine[] | null {
    const found = samples.map((sample) => this.#lookUp(agent, sample));
    return found.every((measured) => measured !== undefined) ? found : null;
  }

  /**
   * Measures what the log does not hold yet.
   * @throws UserError where the model or the harness failed: then nothing is known and nothing is logged
   */
  async measured(agent: AgentAdded, samples: readonly Sample[]): Promise<MeasuredLine[]> {
    const { concurrency, draining } = this.parts;
    const todo = samples.filter((sample) => !this.#lookUp(agent, sample));
    if (todo.length > 0) {
      const built = await this.program(agent);
      if ("problem" in built) throw new Error(`agent ${agent.n} does not compile:\n${built.problem}`);
      const subject = { tree: agent.tree, program: built.program };
      await pool(todo, concurrency, (sample) => this.#measureOne(subject, sample), draining);
    }
    const found = this.known(agent, samples);
    if (!found) throw new UserStop("stopped before every task was measured");
    return found;
  }

  /** Measures a program that is not an agent of the archive; what the log knows is not measured again. */
  async tried(subject: { tree: string; program: string }, sample: Sample): Promise<MeasuredLine> {
    if (!this.#lookUp(subject, sample)) await this.#measureOne(subject, sample);
    const measured = this.#lookUp(subject, sample);
    if (!measured) throw new Error(`${sample.task.id} was measured and is not in the log`);
    return measured;
  }

  async scores(agent: AgentAdded, samples: readonly Sample[]): Promise<Scores> {
    return new Map((await this.measured(agent, samples)).map(({ task, score }) => [task, score]));
  }

  /** An agent's report on an attempt; null if none was kept. */
  trace(measured: MeasuredLine): string | null {
    return readTrace(this.parts.folder, measured);
  }

  async #measureOne(subject: { tree: string; program: string }, sample: Sample): Promise<void> {
    const { evaluator, budget, folder, log, signal } = this.parts;
    budget.require();
    const key = measurementKey(subject.tree, sample, evaluator);
    const recording = join(folder, "recordings", `${key}.jsonl`);
    const measurement = await measure(subject, sample, evaluator, { recording, signal });
    if ("unmeasured" in measurement) {
      const { unmeasured } = measurement;
      if (!measurement.unpaid)
        throw new UserError(`${sample.task.id} could not be measured: ${unmeasured} Run again to go on.`);
      budget.require();
      throw new BudgetReached(unmeasured);
    }
    replaceInside(folder, traceFile(key), measurement.trace);
    log.append(measurement.measured);
    rmSync(recording, { force: true });
  }

  #lookUp(agent: Pick<AgentAdded, "tree">, sample: Sample): MeasuredLine | undefined {
    return this.parts.log.state.measured.get(this.#key(agent, sample));
  }

  #key(agent: Pick<AgentAdded, "tree">, sample: Sample): string {
    return measurementKey(agent.tree, sample, this.parts.evaluator);
  }
}
