/** Judges a patch: its source part alone, in fresh copies, by tests whose results have to make sense. */

import { linkTree } from "../../utils/files/copy_tree.ts";
import { placeBeside } from "../../utils/files/memory_place.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "../../utils/files/temporary.ts";
import type { TestResult } from "../../utils/frameworks/framework.ts";
import { isFail, isPass } from "../../utils/frameworks/test_run.ts";
import { clause } from "../../utils/text/format.ts";
import { firstLines } from "../../utils/text/text.ts";
import { type Baseline, testFilesOf } from "./baseline.ts";
import { remarks } from "./guard/remarks.ts";
import { WrongSuite } from "./guard/wrong_tests.ts";
import { applyChanges, type FileChange, type Patch } from "./patch.ts";
import type { Suite, SuiteRun } from "./suite.ts";

export interface PatchVerdict {
  /** The tests agree, and nothing in the patch or in the results speaks against believing them. */
  accepted: boolean;
  /** A few words. */
  status: string;
  /** What went wrong, for a model and for a person. */
  output: string;
  /** New tests of the model that fail on the repository as it was and pass with the patch. */
  reproduced: string[];
  /** What a person may want to look at, one line each; it decides nothing. */
  remarks: string[];
  /** How each test that is of interest ended with the patch. */
  after: { name: string; status: string }[];
}

export interface VerifierOptions {
  suite: Suite;
  /** The tree as it was. */
  base: string;
  baseline: Baseline;
  /** Tests that run what is likely at fault. */
  covering: readonly TestResult[];
}

const MOST_SHOWN = 8;
/** Of the tests that pass before: so many are run in another order. */
const MOST_TURNED = 60;

export class Verifier {
  readonly #options: VerifierOptions;
  readonly #wrong: WrongSuite;

  constructor(options: VerifierOptions) {
    this.#options = options;
    this.#wrong = new WrongSuite(options.suite, options.base);
  }

  /** @throws the reason of `signal` */
  async check(patch: Patch, signal?: AbortSignal): Promise<PatchVerdict> {
    if (patch.source.length === 0) return refusal("nothing was changed", nothing(patch));
    const { suite, base, baseline, covering } = this.#options;
    using tree = patched(base, patch.source);
    const { failing } = baseline;
    if (failing.length > 0 && suite.canSelect) {
      const first = await suite.run(tree.path, { only: failing, signal });
      const wrong = this.#problem(
        first,
        failing.map(({ name }) => name),
        [],
      );
      if (wrong) return wrong;
      const near = unique([...failing, ...covering]);
      if (near.length > failing.length) {
        const second = await suite.run(tree.path, { only: near, signal });
        const broken = this.#problem(
          second,
          failing.map(({ name }) => name),
          near.map(({ name }) => name),
        );
        if (broken) return broken;
      }
    }
    const reproduced = await this.#reproduce(patch, tree.path, signal);
    if (!Array.isArray(reproduced)) return reproduced;
    const whole = await suite.run(tree.path, { signal });
    // Where none could be loaded before, what is there now has to pass.
    const loaded = [...whole.tests.values()].filter(({ status }) => status !== "skipped");
    const targets = baseline.notLoaded === null ? failing : loaded;
    const mustPass = targets.map(({ name }) => name);
    const wrong = this.#problem(whole, mustPass, [...baseline.run.tests.keys()]) ?? this.#exitCode(whole);
    if (wrong) return wrong;
    const turned = await this.#inOtherOrder(tree.path, targets, signal);
    if (turned) return turned;
    const untold = await this.#canFail(tree.path, targets, signal);
    if (typeof untold === "object" && untold !== null) return untold;
    return {
      accepted: true,
      status: "it passes the tests",
      output: `${clause([...whole.tests.values()].filter(isPass).length, "test", "pass")}.`,
      reproduced,
      remarks: [...remarks(patch.source).map((one) => `looks at: ${one}`), ...(untold === null ? [] : [untold])],
      after: targets.map(({ name }) => ({ name, status: whole.tests.get(name)?.status ?? "absent" })),
    };
  }

  /** What keeps a run from agreeing with the baseline. @param present names that it has to tell of */
  #problem(run: SuiteRun, mustPass: readonly string[], present: readonly string[]): PatchVerdict | null {
    const { baseline } = this.#options;
    const after = mustPass.map((name) => ({ name, status: run.tests.get(name)?.status ?? "absent" }));
    const refuse = (status: string, output: string) => ({ ...refusal(status, output), after });
    if (run.ending === "timeout") return refuse("the tests do not come to their end", firstLines(run.output, 12));
    if (run.ending === "no report") return refuse("the run ended before the tests did", firstLines(run.output, 12));
    if (run.fatal !== null && (baseline.notLoaded !== null || run.fatal !== baseline.run.fatal))
      return refuse("tests cannot be loaded with it", firstLines(run.fatal, 20));
    const flaky = new Set(baseline.flaky);
    const passed = new Set(baseline.passing.map(({ name }) => name));
    const wanted = [...new Set([...mustPass, ...present])];
    const missing = wanted.filter((name) => !run.tests.has(name) && !flaky.has(name));
    if (missing.length > 0) return refuse("tests are missing from the results", listed(missing));
    const broken = wanted.filter(
      (name) => (mustPass.includes(name) || passed.has(name)) && run.tests.get(name)?.status !== "passed",
    );
    if (broken.length === 0) return null;
    const lines = broken.slice(0, MOST_SHOWN).map((name) => {
      const test = run.tests.get(name);
      return `${name}${passed.has(name) ? " (passed before)" : ""}\n${(test?.message || test?.status || "absent").replace(/^/gm, "    ")}`;
    });
    const more = broken.length > MOST_SHOWN ? [`and ${broken.length - MOST_SHOWN} more`] : [];
    return refuse(`${broken.length} of ${clause(run.tests.size, "test", "fail")}`, [...lines, ...more].join("\n"));
  }

  #exitCode({ tests, exitCode }: SuiteRun): PatchVerdict | null {
    const fails = [...tests.values()].some(isFail);
    if (fails === (exitCode !== 0)) return null;
    return refusal(
      "the results do not fit the exit code",
      `The command ended with ${exitCode ?? "a signal"}, and its report says that ${fails ? "tests fail" : "all tests pass"}.`,
    );
  }

  /** New tests have to fail on the tree as it was, and to pass with the patch. */
  async #reproduce(patch: Patch, tree: string, signal?: AbortSignal): Promise<string[] | PatchVerdict> {
    const { suite, base } = this.#options;
    const files = patch.tests.filter(({ after }) => after !== null).map(({ file }) => file);
    if (files.length === 0 || suite.plan.framework === null) return [];
    using before = patched(base, patch.tests);
    using after = patched(tree, patch.tests);
    const failed = await suite.run(before.path, { files, signal });
    const passed = await suite.run(after.path, { files, signal });
    const own = [...passed.tests.values()];
    const bad = own.filter((test) => isFail(test));
    if (bad.length > 0 || passed.fatal !== null || passed.ending !== "complete") {
      const said = bad.slice(0, MOST_SHOWN).map(({ name, message }) => `${name}\n${message.replace(/^/gm, "    ")}`);
      return refusal("your own tests fail with it", said.join("\n") || firstLines(passed.fatal ?? passed.output, 12));
    }
    return own
      .filter((test) => isPass(test) && failed.tests.get(test.name)?.status !== "passed")
      .map(({ name }) => name);
  }

  /**
   * The tests in another order, with some that pass beside them. A target that only holds in one order is not repaired, where
   * the tests beside it hold in both: else the repository's tests depend on their order themselves.
   */
  async #inOtherOrder(
    tree: string,
    targets: readonly TestResult[],
    signal: AbortSignal | undefined,
  ): Promise<PatchVerdict | null> {
    const { suite, base, baseline } = this.#options;
    if (!suite.canSelect) return null;
    const files = new Set(testFilesOf(suite, targets));
    const beside = baseline.passing.filter((test) => testFilesOf(suite, [test]).some((file) => files.has(file)));
    const only = unique([...targets, ...beside.slice(0, MOST_TURNED)]).reverse();
    if (beside.length === 0 || only.length < 2) return null;
    const run = () => suite.run(tree, { only, signal });
    const mustPass = targets.map(({ name }) => name);
    const first = await run();
    const holds = ({ tests }: SuiteRun) =>
      beside.every(({ name }) => !tests.has(name) || tests.get(name)?.status === "passed");
    const problem = holds(first) ? this.#problem(first, mustPass, []) : null;
    if (!problem) return null;
    const again = await run();
    if (!holds(again) || !this.#problem(again, mustPass, []) || !holds(await suite.run(base, { only, signal })))
      return null;
    return { ...problem, status: `in another order ${problem.status}` };
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
    if (!suite.canSelect) return "that the tests can fail was not seen: they cannot be told one by one";
    const only = targets.length > 0 ? targets : baseline.passing.slice(0, MOST_SHOWN);
    if (only.length === 0) return null;
    const { passing, untold } = await this.#wrong.falsify(tree, only, signal);
    if (passing.length === 0) return untold === null ? null : `that the tests can fail was not seen: ${untold}`;
    return refusal(
      "the tests pass whatever happens",
      `These pass with the patch even when something else is expected of the code: ${listed(passing)}`,
    );
  }
}

/** A tree with changes. It shares files with `base`: programs of others run in copies of it alone. */
export function patched(base: string, changes: readonly FileChange[]): TemporaryFolder {
  const folder = makeTemporaryFolder("patched", placeBeside(base));
  linkTree(base, folder.path);
  applyChanges(folder.path, changes);
  return folder;
}

const refusal = (status: string, output: string): PatchVerdict => ({
  accepted: false,
  status,
  output,
  reproduced: [],
  remarks: [],
  after: [],
});

function nothing({ tests, dropped }: Patch): string {
  const said = [
    ...dropped.map(({ file, why }) => `${file}: ${why}, so its change does not count.`),
    ...tests.map(({ file }) => `${file} is a test.`),
  ];
  return [...said, "Change the source that is at fault."].join("\n");
}

const listed = (names: readonly string[]): string =>
  names.slice(0, MOST_SHOWN).join(", ") + (names.length > MOST_SHOWN ? ` and ${names.length - MOST_SHOWN} more` : "");

const unique = (tests: readonly TestResult[]): TestResult[] => [
  ...new Map(tests.map((test) => [test.name, test])).values(),
];
