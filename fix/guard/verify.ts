/** Judges a patch: its source part alone, in fresh copies, by tests whose results have to make sense. */

import { clause } from "../../utils/base/text/format.ts";
import { firstLines, headAndTail } from "../../utils/base/text/text.ts";
import type { TestResult } from "../../utils/frameworks/framework.ts";
import { isFail, isPass } from "../../utils/frameworks/test_run.ts";
import type { Baseline } from "../project/baseline.ts";
import { type Patch, patched } from "../project/patch.ts";
import type { Suite, SuiteRun } from "../project/suite.ts";
import type { TypeCheck } from "../project/types.ts";
import { Belief } from "./belief.ts";
import { reaches } from "./reaches.ts";
import { listed, MOST_SHOWN, type PatchVerdict, refusal, unique } from "./verdict.ts";

export interface VerifierOptions {
  suite: Suite;
  /** The tree as it was. */
  base: string;
  baseline: Baseline;
  /** Tests that run what is likely at fault. */
  covering: readonly TestResult[];
  /** What the tests accept and the types of the project do not is no repair. Default: nobody looks at types. */
  types?: TypeCheck | undefined;
}

const MOST_SAID_CHARS = 1500;

export class Verifier {
  readonly #options: VerifierOptions;
  readonly #belief: Belief;

  constructor(options: VerifierOptions) {
    this.#options = options;
    this.#belief = new Belief(options);
  }

  /** The same, by other tests that fail. */
  by(baseline: Baseline): Verifier {
    return new Verifier({ ...this.#options, baseline });
  }

  /** @throws the reason of `signal` */
  async check(patch: Patch, signal?: AbortSignal): Promise<PatchVerdict> {
    if (patch.source.length === 0) return refusal("nothing was changed", nothing(patch));
    const { suite, base, baseline, covering } = this.#options;
    using tree = patched(base, patch.source);
    const { failing } = baseline;
    // Where these are all tests there are, the run of all says the same.
    const isSome = (tests: readonly TestResult[]) => tests.length < baseline.run.tests.size;
    if (failing.length > 0 && suite.canSelect && isSome(failing)) {
      const first = await suite.run(tree.path, { only: failing, signal });
      const wrong = this.#problem(
        first,
        failing.map(({ name }) => name),
        [],
      );
      if (wrong) return wrong;
      const near = unique([...failing, ...covering]);
      if (near.length > failing.length && isSome(near)) {
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
    const { whole, targets, wrong, unchecked } = await this.#whole(patch, tree.path, signal);
    if (wrong) return wrong;
    const belief = await this.#belief.check(patch, tree.path, targets, signal);
    if (!Array.isArray(belief)) return belief;
    return {
      accepted: true,
      status: "it passes the tests",
      output: `${clause([...whole.tests.values()].filter(isPass).length, "test", "pass")}.`,
      reproduced,
      doubts: [
        ...(unchecked === null ? [] : [`types were not checked: ${unchecked}`]),
        ...reaches(patch.source),
        ...belief,
      ],
      after: [...targets, ...baseline.aside].map(({ name }) => ({
        name,
        status: whole.tests.get(name)?.status ?? "absent",
      })),
    };
  }

  /** Whether all tests pass with it, and types are right: less than `check` asks, in one run. */
  async passes(patch: Patch, signal?: AbortSignal): Promise<boolean> {
    using tree = patched(this.#options.base, patch.source);
    return (await this.#whole(patch, tree.path, signal)).wrong === null;
  }

  /** All tests, and the types. */
  async #whole({ source }: Patch, tree: string, signal?: AbortSignal) {
    const { suite, baseline, types } = this.#options;
    const whole = await suite.run(tree, { signal });
    // Where none could be loaded before, what is there now has to pass.
    const loaded = [...whole.tests.values()].filter(({ status }) => status !== "skipped");
    const targets = baseline.notLoaded === null ? baseline.failing : loaded;
    const mustPass = targets.map(({ name }) => name);
    const failed = this.#problem(whole, mustPass, [...baseline.run.tests.keys()]) ?? this.#exitCode(whole);
    const { errors = [], unchecked = null } = (failed ? undefined : await types?.check(source, signal)) ?? {};
    const untyped =
      errors.length > 0 ? refusal("it passes the tests, and its types are wrong", errors.join("\n")) : null;
    return { whole, targets, wrong: failed ?? untyped, unchecked };
  }

  /** What keeps a run from agreeing with the baseline. @param present names that it has to tell of */
  #problem(run: SuiteRun, mustPass: readonly string[], present: readonly string[]): PatchVerdict | null {
    const { baseline } = this.#options;
    const after = mustPass.map((name) => ({ name, status: run.tests.get(name)?.status ?? "absent" }));
    const refuse = (status: string, output: string) => ({ ...refusal(status, output), after });
    if (run.ending === "timeout") return refuse("the tests do not come to their end", firstLines(run.output, 12));
    if (run.ending === "no report")
      return refuse(
        "the run ended before the tests did",
        firstLines([run.fatal ?? "", run.output].join("\n").trim(), 12),
      );
    if (run.fatal !== null && (baseline.notLoaded !== null || run.fatal !== baseline.run.fatal))
      return refuse("tests cannot be loaded with it", firstLines(run.fatal, 20));
    const excused = new Set([...baseline.flaky, ...baseline.aside.map(({ name }) => name)]);
    const passed = new Set(baseline.passing.map(({ name }) => name));
    const wanted = [...new Set([...mustPass, ...present])];
    const missing = wanted.filter((name) => !run.tests.has(name) && !excused.has(name));
    if (missing.length > 0) {
      // What could not be built tells of no test by name, but says why.
      const others = [...run.tests.values()].filter((test) => isFail(test) && !wanted.includes(test.name));
      const said = others.slice(0, MOST_SHOWN).map(({ message }) => headAndTail(message, MOST_SAID_CHARS));
      return refuse("tests are missing from the results", [listed(missing), ...said].join("\n"));
    }
    const broken = wanted.filter(
      (name) => (mustPass.includes(name) || passed.has(name)) && run.tests.get(name)?.status !== "passed",
    );
    if (broken.length === 0) return null;
    const lines = broken.slice(0, MOST_SHOWN).map((name) => {
      const test = run.tests.get(name);
      const said = (test?.message || test?.status || "absent").replace(/^/gm, "    ");
      return `${name}${passed.has(name) ? " (passed before)" : ""}\n${said}`;
    });
    const more = broken.length > MOST_SHOWN ? [`and ${broken.length - MOST_SHOWN} more`] : [];
    return refuse(`${broken.length} of ${clause(run.tests.size, "test", "fail")}`, [...lines, ...more].join("\n"));
  }

  #exitCode({ tests, exitCode }: SuiteRun): PatchVerdict | null {
    const fails = [...tests.values()].some(isFail);
    if (fails === (exitCode !== 0)) return null;
    return refusal(
      "the results do not fit the exit code",
      `The command ended with ${exitCode ?? "a signal"}, and its report says that ` +
        `${fails ? "tests fail" : "all tests pass"}.`,
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
}

function nothing({ tests, dropped }: Patch): string {
  const said = [
    ...dropped.map(({ file, why }) => `${file}: ${why}, so its change does not count.`),
    ...tests.map(({ file }) => `${file} is a test.`),
  ];
  return [...said, "Change the source that is at fault."].join("\n");
}
