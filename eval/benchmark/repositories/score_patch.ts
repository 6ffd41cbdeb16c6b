/** Whether a patch resolves a task: the developer's tests decide, in fresh copies. */

import { Verifier } from "../../../fix/guard/verify.ts";
import { type Baseline, testFilesOf, whyNoTests } from "../../../fix/project/baseline.ts";
import type { Kinds } from "../../../fix/project/kinds.ts";
import {
  filesIn as filesOfTree,
  kindsOf,
  normalised,
  type Patch,
  patched,
  readPatch,
} from "../../../fix/project/patch.ts";
import { filesThatRunTests } from "../../../fix/project/runs_tests.ts";
import type { Suite, SuiteRun } from "../../../fix/project/suite.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "../../../utils/base/files/temporary.ts";
import { copyTree } from "../../../utils/base/files/trees/copy_tree.ts";
import { isExitCodeAlone } from "../../../utils/frameworks/command_report.ts";
import { isPass } from "../../../utils/frameworks/test_run.ts";
import type { CommandBox } from "../../../utils/sandbox/command/command_box.ts";
import type { ScoreResult } from "../scorer.ts";
import { applyPatch } from "./checkout.ts";
import { inWords as inPackages, missingPackages } from "./environment/missing_packages.ts";
import { expectedOf } from "./expectations.ts";
import type { RepositoryTask } from "./rows.ts";
import { copyWithSuites } from "./tests.ts";

interface GoldOptions {
  /** The repository at its base, with the developer's tests. */
  tree: string;
  box: CommandBox;
  /** Whether packages are installed here. */
  prepare: boolean;
  python?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface ScoreOptions extends GoldOptions {
  /** Gets what disagrees with the row, in one line. */
  say: (line: string) => void;
}

/**
 * Resolved: the answer's source part makes FAIL_TO_PASS pass and leaves PASS_TO_PASS, the developer's tests in place.
 * The developer's own patch is judged by these results alone.
 */
export async function scorePatch(
  row: RepositoryTask,
  answer: string | null,
  options: ScoreOptions,
): Promise<ScoreResult> {
  const { tree, box, python, say, signal } = options;
  using base = makeTemporaryFolder("scored");
  const suiteOf = copyWithSuites(row, tree, base.path, { box, python });
  using suite = suiteOf("files");
  using developer = withDevelopersPatch(row, base.path);
  const gold = await askGold(row, suite, { ...options, tree: base.path, developer: developer.path });
  if (typeof gold === "string") return { error: `the task cannot be run here: ${gold}` };
  if (gold.remark !== "") say(`${row.id}: ${gold.remark}`);
  const known = kindsOf(base.path, testFilesOf(suite, [...gold.run.tests.values(), ...gold.fixed.tests.values()]));
  const kinds = known.with(await filesThatRunTests(suite, base.path, known, signal));
  const baseline: Baseline & { remark: string } = { ...gold, aside: [], notLoaded: null, covered: null, kinds };
  if (answer === null || answer.trim() === "") return failed("nothing was changed");
  const patch = patchOf(answer, base.path, kinds);
  if (typeof patch === "string") return failed(`the patch does not apply: ${patch}`, false);
  const theirs = readPatch(base.path, developer.path, filesOf(base.path, developer.path), kinds);
  if (normalised(theirs.source) === normalised(patch.source)) return passed(baseline.remark, false);
  const verifier = new Verifier({ suite, base: base.path, baseline });
  const verdict = await verifier.check({ ...patch, tests: [] }, signal);
  const isExcused =
    !verdict.accepted &&
    (await resolves(patch, { suite, base: base.path, baseline, signal })) &&
    (await verifier.check({ ...theirs, tests: [] }, signal)).status === verdict.status;
  if (!verdict.accepted && !isExcused) return failed(`${verdict.status}: ${verdict.output}`.slice(0, 2000));
  using all = suiteOf("all");
  // A whole suite in containers would take hours.
  const difference = box.inside
    ? undefined
    : await differenceTo(developer.path, patch, { suite: all, base: base.path, signal });
  const unlike = typeof difference === "string" ? `unlike with the developer's patch: ${difference}` : "";
  const excuse = isExcused ? `the developer's patch is refused, too: ${verdict.status}` : "";
  const explanation = [unlike, excuse, baseline.remark].filter(Boolean).join("; ");
  const unchecked = [...verdict.doubts, ...(excuse === "" ? [] : [excuse])].join("; ");
  return passed(explanation, difference === undefined ? null : difference !== null, unchecked);
}

/** What an answer changes; a text says why it does not apply. */
function patchOf(answer: string, base: string, kinds: Kinds): Patch | string {
  using work = makeTemporaryFolder("answer");
  copyTree(base, work.path);
  const problem = applyPatch(work.path, answer);
  if (problem !== null) return problem;
  return readPatch(base, work.path, filesOf(base, work.path), kinds);
}

const filesOf = (...trees: string[]): Set<string> => new Set(trees.flatMap((tree) => filesOfTree(tree)));

/** Whether the tests of the row, and nothing else, agree with a patch. */
async function resolves(
  { source }: Patch,
  {
    suite,
    base,
    baseline,
    signal,
  }: { suite: Suite; base: string; baseline: Baseline; signal?: AbortSignal | undefined },
): Promise<boolean> {
  using tree = patched(base, source);
  const { tests } = await suite.run(tree.path, { signal });
  return [...baseline.failing, ...baseline.passing].every(({ name }) => tests.get(name)?.status === "passed");
}

/**
 * A test that ends otherwise with the patch than with the developer's; null where none does, undefined where the suite
 * cannot tell.
 */
export async function differenceTo(
  developer: string,
  patch: Patch,
  { suite, base, signal }: { suite: Suite; base: string; signal?: AbortSignal | undefined },
): Promise<string | null | undefined> {
  using answered = patched(base, patch.source);
  const first = await suite.run(developer, { signal });
  const second = await suite.run(developer, { signal });
  const stable = [...first.tests.values()].filter(
    ({ name, status }) => second.tests.get(name)?.status === status && status !== "skipped",
  );
  if (!stable.some(isPass)) return undefined;
  let unlike = stable;
  let said = "";
  // A test of times may end otherwise by chance: what differs is run again, with both patches.
  for (let i = 0; i < RUNS; i++) {
    const run = await suite.run(answered.path, { signal });
    unlike = unlike.filter(({ name, status }) => run.tests.get(name)?.status !== status);
    const [other] = unlike;
    if (!other) return null;
    said = `${other.name} ${run.tests.get(other.name)?.status ?? "does not run"}`;
    if (i + 1 === RUNS) break;
    const again = await suite.run(developer, { only: unlike, signal });
    unlike = unlike.filter(({ name, status }) => again.tests.get(name)?.status === status);
  }
  return said;
}

/** A patch is overfit only if a test differs in this many runs, one after the other. */
const RUNS = 3;

/** @throws UserError where the patch does not apply */
function withDevelopersPatch({ patch }: RepositoryTask, base: string): TemporaryFolder {
  const developer = makeTemporaryFolder("developer");
  copyTree(base, developer.path);
  const problem = applyPatch(developer.path, patch);
  if (problem === null) return developer;
  developer[Symbol.dispose]();
  throw new UserError(`the developer's patch does not apply: ${problem}`);
}

/** What the tests of a task miss, and how to get it; empty where they find all. */
function packageAdvice({ language }: RepositoryTask, run: SuiteRun, { tree, prepare, box }: GoldOptions): string {
  const missing = missingPackages(run, { language, tree });
  const installed = prepare ? "--prepare could not install it" : "run once with --prepare";
  const advice = box.inside ? "its image lacks it" : installed;
  return missing.size === 0 ? "" : ` Its tests do not find ${inPackages(missing)}: ${advice}.`;
}

const failed = (explanation: string, loaded = true): ScoreResult => ({
  score: { passed: false, outcome: "failed", explanation, ...(!loaded && { loaded }) },
});
/** @param unchecked which checks against forged passes could not be made; empty if all were */
const passed = (explanation: string, overfit: boolean | null, unchecked = ""): ScoreResult => ({
  score: { passed: true, outcome: "passed", explanation, overfit, ...(unchecked === "" ? {} : { unchecked }) },
});

/** What the row says of its tests, as runs name them, and what disagrees. */
type Gold = Pick<Baseline, "failing" | "passing" | "flaky" | "run"> & { fixed: SuiteRun; remark: string };

/** Runs the tests before the fix and with the developer's patch. A text says why the row does not hold here. */
async function askGold(
  row: RepositoryTask,
  suite: Suite,
  options: GoldOptions & { developer: string },
): Promise<Gold | string> {
  const { tree, developer, signal } = options;
  const run = await suite.run(tree, { signal });
  const fixed = await suite.run(developer, { signal });
  const because = (why: string) => `${why}${packageAdvice(row, run, options)}`;
  if (fixed.ending !== "complete")
    return because(`with the developer's patch ${fixed.ending}: ${whyNoTests(fixed, suite.layer)}`);
  const { command } = suite.plan;
  const why = fixed.fatal === null ? "" : whyNoTests(fixed, suite.layer);
  // A command that names no test speaks for all names of the row.
  const isAlone = isExitCodeAlone(command, fixed.tests.values());
  const expected = expectedOf(isAlone ? { failToPass: [command], passToPass: [] } : row, {
    ...{ before: run.tests, after: fixed.tests, why },
  });
  if (typeof expected === "string") return because(`tests do not do what its row says: ${expected}`);
  const { failing, passing, remark } = expected;
  const known = new Set([...failing, ...passing].map(({ name }) => name));
  return {
    ...{ failing, passing, fixed, flaky: [...run.tests.keys()].filter((name) => !known.has(name)) },
    // A file that cannot be loaded even with the developer's patch is not the answer's fault.
    run: { ...run, fatal: fixed.fatal },
    remark: remark === "" ? "" : `tests do other than its row says: ${remark}`,
  };
}

/** Why no answer can be scored here, the developer's own included; null where that one passes. */
export async function goldFailure(row: RepositoryTask, options: GoldOptions): Promise<string | null> {
  using base = makeTemporaryFolder("gold");
  using suite = copyWithSuites(row, options.tree, base.path, options)("files");
  using developer = withDevelopersPatch(row, base.path);
  const gold = await askGold(row, suite, { ...options, tree: base.path, developer: developer.path });
  return typeof gold === "string" ? gold : null;
}
