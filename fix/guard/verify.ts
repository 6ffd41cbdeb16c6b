/** Judges a patch: its source part alone, in fresh copies, by tests whose results have to make sense. */

import { clause, plural } from "../../utils/base/text/format.ts";
import { firstLines, headAndTail, listed } from "../../utils/base/text/text.ts";
import type { TestResult } from "../../utils/frameworks/framework.ts";
import { isFail, isPass } from "../../utils/frameworks/test_run.ts";
import { type Baseline, lastWords, unloadedIn } from "../project/baseline.ts";
import { type Patch, patched, renderPatch } from "../project/patch.ts";
import type { SuiteRun } from "../project/suite.ts";
import type { TypeCheck } from "../project/types.ts";
import { believe } from "./belief.ts";
import { reaches } from "./runner_access.ts";
import { type Excuse, MOST_SHOWN, type PatchVerdict, refusal, unique } from "./verdict.ts";
import type { TestedTree } from "./wrong_tests.ts";

interface VerifierOptions extends TestedTree {
  /** A patch that passes the tests but breaks the project's types is not a repair. Default: types are not checked. */
  types?: TypeCheck | undefined;
}

/** Tests that a run reports. */
interface TestsToReport {
  mustPass: readonly TestResult[];
  /** The run has to report these. */
  present: readonly TestResult[];
  excuse?: Excuse | null;
}

const excuses = (excuse: Excuse | null, name: string): boolean =>
  excuse !== null && "oldTests" in excuse && excuse.oldTests.includes(name);

const MOST_SAID_CHARS = 1500;
/** If more tests than these fail, it is not by chance. */
const MOST_RUN_AGAIN = 20;
const MOST_SECONDS_AGAIN = 5;

export class Verifier {
  readonly #options: VerifierOptions;
  /** Names of tests that failed once more without any patch. */
  readonly #failing = new Set<string>();
  /** The last run of all tests, and its patch: it is judged again where something is excused. */
  #last: { patch: string; run: SuiteRun } | null = null;

  constructor(options: VerifierOptions) {
    this.#options = options;
  }

  /** The same, by other tests that fail. */
  by(baseline: Baseline): Verifier {
    return new Verifier({ ...this.#options, baseline });
  }

  /** @param excuse what does not count against the patch. @throws the reason of `signal` */
  async check(patch: Patch, signal?: AbortSignal, excuse: Excuse | null = null): Promise<PatchVerdict> {
    if (patch.source.length === 0) return refusal("nothing was changed", nothing(patch));
    const { suite, base, baseline } = this.#options;
    using tree = patched(base, patch.source);
    const { failing } = baseline;
    // Where these are all tests there are, the run of all says the same.
    if (failing.length > 0 && suite.canSelect && failing.length < baseline.run.tests.size) {
      const first = await suite.run(tree.path, { only: failing, signal });
      const wrong = this.#problem(first, { mustPass: failing, present: [] });
      if (wrong) return wrong;
    }
    const reproduced = await this.#reproduce(patch, tree.path, signal);
    if (!Array.isArray(reproduced)) return reproduced;
    const { whole, targets, wrong, unchecked } = await this.#whole(patch, tree.path, signal, excuse);
    if (wrong?.excuse && excuse && "noRun" in wrong.excuse && "noRun" in excuse)
      return { ...wrong, accepted: true, reproduced, doubts: reaches(patch.source) };
    if (wrong) return wrong;
    const before = [...targets, ...baseline.aside, ...this.#loadedNow(whole)];
    const now = before.filter(({ name }) => whole.tests.get(name)?.status === "passed");
    const repaired = baseline.notLoaded === null ? await this.#surely(now, tree.path, signal) : now;
    const belief = await believe(this.#options, patch, tree.path, repaired, signal);
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
      unloaded: unloadedIn(whole),
      after: before.map((test) => ({
        name: test.name,
        status:
          now.includes(test) && !repaired.includes(test) ? "flaky" : (whole.tests.get(test.name)?.status ?? "absent"),
      })),
      excuse,
    };
  }

  /** Whether all tests pass with it, and types are right: less than `check` asks, in one run. */
  async passes(patch: Patch, signal?: AbortSignal): Promise<boolean> {
    using tree = patched(this.#options.base, patch.source);
    return (await this.#whole(patch, tree.path, signal)).wrong === null;
  }

  /** All tests, and the types. */
  async #whole({ source }: Patch, tree: string, signal?: AbortSignal, excuse: Excuse | null = null) {
    const { suite, baseline, types } = this.#options;
    const text = renderPatch(source);
    const known = excuse !== null && this.#last?.patch === text ? this.#last.run : null;
    const whole = known ?? (await suite.run(tree, { signal }));
    this.#last = { patch: text, run: whole };
    // Where none could be loaded before, what is there now has to pass.
    const loaded = [...whole.tests.values()].filter(({ status }) => status !== "skipped");
    const targets = baseline.notLoaded === null ? baseline.failing : loaded;
    const wanted = { mustPass: targets, present: [...baseline.run.tests.values()], excuse };
    const failed = (await this.#confirmed(whole, wanted, tree, signal)) ?? this.#exitCode(whole);
    const { errors = [], unchecked = null } = (failed ? undefined : await types?.(source, signal)) ?? {};
    const untyped =
      errors.length > 0 ? refusal("it passes the tests, but not the type check", errors.join("\n")) : null;
    return { whole, targets, wrong: failed ?? untyped, unchecked };
  }

  /** Tests of files that could not be loaded before. */
  #loadedNow({ tests, fatal }: SuiteRun): TestResult[] {
    const { run, notLoaded } = this.#options.baseline;
    if (notLoaded !== null || run.fatal === null || fatal !== null) return [];
    return [...tests.values()].filter(({ name, status }) => status !== "skipped" && !run.tests.has(name));
  }

  /** Of tests that failed before and pass now, those that fail in further runs without the patch and pass with it. */
  async #surely(now: readonly TestResult[], tree: string, signal?: AbortSignal): Promise<TestResult[]> {
    const { suite, base } = this.#options;
    // A command that takes long and cannot run single tests is not run once more for this.
    const isSlow = !suite.canSelect && this.#options.baseline.run.cpuSeconds > MOST_SECONDS_AGAIN;
    if (isSlow) return [...now];
    const unknown = now.filter(({ name }) => !this.#failing.has(name));
    for (const { name } of await suite.alikeAgain(base, unknown, { end: "not passed", times: 1, signal }))
      this.#failing.add(name);
    const failing = now.filter(({ name }) => this.#failing.has(name));
    const { aside } = this.#options.baseline;
    const others = failing.filter((test) => aside.includes(test));
    const passing = await suite.alikeAgain(tree, others, { end: "passed", times: 1, signal });
    return failing.filter((test) => !others.includes(test) || passing.includes(test));
  }

  /** The same as `#problem`; a test that passed before fails only where it fails again, and never without the patch. */
  async #confirmed(
    run: SuiteRun,
    wanted: TestsToReport,
    tree: string,
    signal?: AbortSignal,
  ): Promise<PatchVerdict | null> {
    const problem = this.#problem(run, wanted);
    const passed = new Set(this.#options.baseline.passing.map(({ name }) => name));
    const broken = this.#broken(run, wanted).filter(({ name }) => passed.has(name));
    if (problem === null || broken.length === 0 || broken.length > MOST_RUN_AGAIN) return problem;
    const { suite, base } = this.#options;
    const again = await suite.alikeAgain(tree, broken, { end: "not passed", times: 2, signal });
    // It may fail only behind others.
    const whole = again.length < broken.length ? await suite.run(tree, { signal }) : run;
    const failing = broken.filter(({ name }) => whole.tests.get(name)?.status !== "passed");
    const sure = await suite.alikeAgain(base, failing, { end: "passed", times: 2, signal });
    return this.#problem(run, wanted, new Set(broken.filter((test) => !sure.includes(test)).map(({ name }) => name)));
  }

  /** Tests that have to pass in a run and do not. */
  #broken(run: SuiteRun, { mustPass, present, excuse = null }: TestsToReport): TestResult[] {
    const required = new Set([...mustPass, ...this.#options.baseline.passing].map(({ name }) => name));
    return unique([...mustPass, ...present]).filter(
      ({ name }) => required.has(name) && run.tests.get(name)?.status !== "passed" && !excuses(excuse, name),
    );
  }

  /** What keeps a run from agreeing with the baseline. @param chance names of tests that failed by chance */
  #problem(run: SuiteRun, wanted: TestsToReport, chance: ReadonlySet<string> = new Set()): PatchVerdict | null {
    const { baseline } = this.#options;
    const { mustPass, present } = wanted;
    const after = mustPass.map(({ name }) => ({ name, status: run.tests.get(name)?.status ?? "absent" }));
    const refuse = (status: string, output: string, excuse: Excuse | null = null) => ({
      ...refusal(status, output),
      after,
      excuse,
    });
    const noRun = this.#noRun(run);
    if (run.ending === "timeout") return refuse("the tests did not end in time", firstLines(run.output, 12));
    if (run.ending === "no report")
      return refuse(
        "the run ended before the tests did",
        firstLines([run.fatal ?? "", run.output].join("\n").trim(), 12),
        noRun,
      );
    if (run.fatal !== null && (baseline.notLoaded !== null || baseline.run.fatal === null))
      return refuse("the tests cannot be loaded with it", firstLines(run.fatal, 20), noRun);
    const excused = new Set([...chance, ...baseline.flaky, ...baseline.aside.map(({ name }) => name)]);
    const names = unique([...mustPass, ...present]).map(({ name }) => name);
    const missing = names.filter((name) => !run.tests.has(name) && !excused.has(name));
    if (missing.length > 0) {
      // A failed build reports no test by name, but says why.
      const others = [...run.tests.values()].filter((test) => isFail(test) && !names.includes(test.name));
      const said = others.slice(0, MOST_SHOWN).map(({ message }) => headAndTail(message, MOST_SAID_CHARS));
      const fatal = run.fatal === null ? [] : [firstLines(run.fatal, 20)];
      return refuse("tests are missing from the results", [listed(missing, MOST_SHOWN), ...fatal, ...said].join("\n"));
    }
    const broken = this.#broken(run, wanted).filter(({ name }) => !chance.has(name));
    if (broken.length === 0) return null;
    const passed = new Set(baseline.passing.map(({ name }) => name));
    const lines = broken.slice(0, MOST_SHOWN).map(({ name }) => {
      const test = run.tests.get(name);
      const said = (test?.message || test?.status || "absent").replace(/^/gm, "    ");
      return `${name}${passed.has(name) ? " (passed before)" : ""}\n${said}`;
    });
    const more = broken.length > MOST_SHOWN ? [`and ${broken.length - MOST_SHOWN} more`] : [];
    const were = broken.filter(({ name }) => passed.has(name)).length;
    const status =
      were === broken.length
        ? `${plural(were, "test")} that passed before ${were === 1 ? "fails" : "fail"}`
        : `${broken.length} of ${clause(run.tests.size, "test", "fail")}`;
    const oldTests = broken.map(({ name }) => name);
    return refuse(status, [...lines, ...more].join("\n"), were === broken.length ? { oldTests } : null);
  }

  /** Whether no test is reported now, for the same reason as before the change. */
  #noRun({ tests, fatal, output }: SuiteRun): Excuse | null {
    const { notLoaded } = this.#options.baseline;
    const why = lastWords([fatal ?? "", output].join("\n"));
    return notLoaded !== null && tests.size === 0 && lastWords(notLoaded) === why ? { noRun: why } : null;
  }

  #exitCode({ tests, fatal, exitCode }: SuiteRun): PatchVerdict | null {
    const fails = [...tests.values()].some(isFail);
    // What cannot be loaded, with the patch and without it, is no test that fails.
    if (fails === (exitCode !== 0) || (fatal !== null && exitCode !== 0)) return null;
    return refusal(
      "the test results contradict the exit code",
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
    ...dropped.map(({ file, why }) => `${file}: ${why}, so this change was left out.`),
    ...tests.map(({ file }) => `${file} is a test.`),
  ];
  return [...said, "Change the source that is at fault."].join("\n");
}
