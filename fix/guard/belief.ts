/** Whether tests that pass with a patch pass because of what it does. */

import type { TestResult } from "../../utils/frameworks/framework.ts";
import { BoxFailure } from "../../utils/project/repository_box.ts";
import { type Baseline, testFilesOf } from "../project/baseline.ts";
import type { Suite, SuiteRun } from "../project/suite.ts";
import { runApart } from "./apart.ts";
import { listed, MOST_SHOWN, type PatchVerdict, refusal, unique } from "./verdict.ts";
import { WrongSuite } from "./wrong_tests.ts";

export interface BeliefOptions {
  suite: Suite;
  /** The tree as it was. */
  base: string;
  baseline: Baseline;
  /** What keeps a run from agreeing with the baseline. */
  problem: (run: SuiteRun, mustPass: readonly string[]) => PatchVerdict | null;
}

/** Of the tests that pass before: so many are run in another order, and apart. */
const MOST_BESIDE = 60;
/** Of the targets: with more, these tell enough. */
const MOST_TARGETS = 200;
/** Of a doubt: what would have been seen had the tests been made to expect something else. */
const UNTRIED = "not checked: whether these tests can fail at all";

export class Belief {
  readonly #options: BeliefOptions;
  readonly #wrong: WrongSuite;

  constructor(options: BeliefOptions) {
    this.#options = options;
    this.#wrong = new WrongSuite(options.suite, options.base);
  }

  /**
   * @param tree where `targets` pass
   * @returns why they are not to be believed; or what could not be seen, a line each
   */
  async check(tree: string, targets: readonly TestResult[], signal?: AbortSignal): Promise<PatchVerdict | string[]> {
    const some = targets.slice(0, MOST_TARGETS);
    const wrong = (await this.#inOtherOrder(tree, some, signal)) ?? (await this.#apart(tree, some, signal));
    if (wrong) return wrong;
    const untold = await this.#canFail(tree, some, signal);
    return typeof untold === "string" ? [untold] : (untold ?? []);
  }

  /**
   * The tests in another order, with some that pass beside them. A target that only holds in one order is not repaired,
   * where the tests beside it hold in both: else the repository's tests depend on their order themselves.
   */
  async #inOtherOrder(
    tree: string,
    targets: readonly TestResult[],
    signal: AbortSignal | undefined,
  ): Promise<PatchVerdict | null> {
    const { suite, base, problem } = this.#options;
    if (!suite.canSelect) return null;
    const beside = this.#beside(targets);
    const only = unique([...targets, ...beside.slice(0, MOST_BESIDE)]).reverse();
    if (beside.length === 0 || only.length < 2) return null;
    const run = (place = tree) => runOf(suite, place, only, signal);
    const mustPass = targets.map(({ name }) => name);
    const first = await run();
    const holds = (one: SuiteRun | null): one is SuiteRun =>
      one?.ending === "complete" &&
      beside.every(({ name }) => !one.tests.has(name) || one.tests.get(name)?.status === "passed");
    // An error of another kind comes from what tests leave behind for each other.
    const isWrong = (run: SuiteRun) =>
      targets.some(({ name }) => /assert|expect/i.test(run.tests.get(name)?.message ?? ""));
    const found = holds(first) && isWrong(first) ? problem(first, mustPass) : null;
    if (!found) return null;
    const again = await run();
    if (!holds(again) || !problem(again, mustPass) || !holds(await run(base))) return null;
    return { ...found, status: `in another order ${found.status}` };
  }

  /**
   * The tests in a process without the code. A target of which plain values tell that it fails there passes for another
   * reason than those values, where all beside it end as they should.
   */
  async #apart(
    tree: string,
    targets: readonly TestResult[],
    signal: AbortSignal | undefined,
  ): Promise<PatchVerdict | null> {
    const { suite, baseline } = this.#options;
    const only = unique([...targets, ...this.#beside(targets).slice(0, MOST_BESIDE)]);
    const wanted = new Set(targets.map(({ name }) => name));
    const failing = async () => {
      const ends = await runApart(suite, tree, baseline.kinds, only, signal);
      const others = [...ends].filter(([name]) => !wanted.has(name));
      const isKnown =
        others.some(([, status]) => status === "passed") && others.every(([, status]) => status !== "failed");
      return isKnown ? [...ends].filter(([, status]) => status === "failed").map(([name]) => name) : [];
    };
    if ((await failing()).length === 0) return null;
    const again = await failing();
    if (again.length === 0) return null;
    return refusal(
      "the tests pass only beside the code",
      `In a process of their own, where they get the code's values alone, these fail: ${listed(again)}`,
    );
  }

  /** Tests that pass before, in the files of some others. */
  #beside(targets: readonly TestResult[]): TestResult[] {
    const { suite, baseline } = this.#options;
    const files = new Set(testFilesOf(suite, targets));
    return baseline.passing.filter((test) => testFilesOf(suite, [test]).some((file) => files.has(file)));
  }

  /**
   * Tests that are made to fail have to fail: where they pass, what passes says nothing.
   * @returns why that could not be seen; null where it was
   */
  async #canFail(
    tree: string,
    targets: readonly TestResult[],
    signal: AbortSignal | undefined,
  ): Promise<PatchVerdict | string | null> {
    const { suite, baseline } = this.#options;
    if (!suite.canSelect) return `${UNTRIED}: they cannot be run one at a time`;
    const only = targets.length > 0 ? targets : baseline.passing.slice(0, MOST_SHOWN);
    if (only.length === 0) return null;
    const { passing, untold } = await this.#wrong.falsify(tree, only, signal);
    if (passing.length === 0) return untold === null ? null : `${UNTRIED}: ${untold}`;
    return refusal(
      "the tests pass whatever happens",
      `These pass with the patch even when something else is expected of the code: ${listed(passing)}`,
    );
  }
}

/** Null where the tests end the box itself, as they may in an order in which they were never meant to run. */
async function runOf(suite: Suite, tree: string, only: readonly TestResult[], signal: AbortSignal | undefined) {
  try {
    return await suite.run(tree, { only, signal });
  } catch (error) {
    if (error instanceof BoxFailure) return null;
    throw error;
  }
}
