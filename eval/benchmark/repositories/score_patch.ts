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
import type { Suite, SuiteRun } from "../../../fix/project/suite.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "../../../utils/base/files/temporary.ts";
import { copyTree } from "../../../utils/base/files/trees/copy_tree.ts";
import { isExitCodeAlone } from "../../../utils/frameworks/command_report.ts";
import { isPass } from "../../../utils/frameworks/test_run.ts";
import { javascript } from "../../../utils/languages/javascript/index.ts";
import type { CommandBox } from "../../../utils/sandbox/command/command_box.ts";
import type { Scored } from "../scorer.ts";
import { applyPatch } from "./checkout.ts";
import { inWords as inPackages, missingPackages } from "./environment/missing.ts";
import { type Disagreement, disagreement, inWords, namedTests } from "./named_tests.ts";
import type { RepositoryTask } from "./rows.ts";
import { copyWithSuites } from "./tests.ts";

export interface ScoreOptions {
  /** The repository at its base, with the developer's tests. */
  tree: string;
  box: CommandBox;
  python?: string | undefined;
  signal: AbortSignal;
}

/**
 * Resolved: the answer's source part makes FAIL_TO_PASS pass and leaves PASS_TO_PASS, the developer's tests in place.
 */
export async function scorePatch(
  row: RepositoryTask,
  answer: string | null,
  { tree, box, python, signal }: ScoreOptions,
): Promise<Scored> {
  using base = makeTemporaryFolder("scored");
  const suiteOf = copyWithSuites(row, tree, base.path, { box, python });
  using suite = suiteOf("files");
  const run = await suite.run(base.path, { signal });
  const fixed = async () => {
    using developer = withDevelopersPatch(row, base.path);
    return developer && (await suite.run(developer.path, { signal }));
  };
  const kinds = kindsOf(base.path, testFilesOf(suite, run.tests.values()));
  const baseline = await baselineOf(row, { command: suite.plan.command, run, kinds }, fixed);
  if (typeof baseline === "string")
    return { error: `the task cannot be run here: ${baseline}${packageAdvice(row, run)}` };
  if (answer === null || answer.trim() === "") return failed("nothing was changed");
  using work = makeTemporaryFolder("answer");
  copyTree(base.path, work.path);
  const problem = applyPatch(work.path, answer);
  if (problem !== null) return failed(`the patch does not apply: ${problem}`);
  const files = new Set([...filesOfTree(base.path), ...filesOfTree(work.path)]);
  const patch = readPatch(base.path, work.path, files, baseline.kinds);
  const verdict = await new Verifier({ suite, base: base.path, baseline, covering: [] }).check(
    { ...patch, tests: [] },
    signal,
  );
  if (!verdict.accepted) return failed(`${verdict.status}: ${verdict.output}`.slice(0, 2000));
  using all = suiteOf("all");
  const difference = await differenceTo(row, patch, { suite: all, base: base.path, signal });
  const explanation = typeof difference === "string" ? `unlike with the developer's patch: ${difference}` : "";
  const overfit = difference === undefined ? null : difference !== null;
  return { score: { passed: true, outcome: "passed", explanation, overfit } };
}

/**
 * A test that ends otherwise with the patch than with the developer's; null where none does, undefined where the suite
 * cannot tell.
 */
async function differenceTo(
  row: RepositoryTask,
  patch: Patch,
  { suite, base, signal }: { suite: Suite; base: string; signal: AbortSignal },
): Promise<string | null | undefined> {
  using developer = withDevelopersPatch(row, base);
  if (!developer) return undefined;
  const theirs = readPatch(base, developer.path, filesOfTree(developer.path));
  if (normalised(theirs.source) === normalised(patch.source)) return null;
  using answered = patched(base, patch.source);
  const first = await suite.run(developer.path, { signal });
  const second = await suite.run(developer.path, { signal });
  const stable = [...first.tests.values()].filter(
    ({ name, status }) => second.tests.get(name)?.status === status && status !== "skipped",
  );
  if (!stable.some(isPass)) return undefined;
  const run = await suite.run(answered.path, { signal });
  const other = stable.find(({ name, status }) => run.tests.get(name)?.status !== status);
  return other ? `${other.name} ${run.tests.get(other.name)?.status ?? "does not run"}` : null;
}

/** Null where the patch does not apply. */
function withDevelopersPatch({ patch }: RepositoryTask, base: string): TemporaryFolder | null {
  const developer = makeTemporaryFolder("developer");
  copyTree(base, developer.path);
  if (applyPatch(developer.path, patch) === null) return developer;
  developer[Symbol.dispose]();
  return null;
}

/** Which package has a module that the tests do not find; empty where they find all. */
function packageAdvice({ language }: RepositoryTask, run: SuiteRun): string {
  const missing = language === javascript.name ? missingPackages(run) : new Map<string, string>();
  return missing.size === 0 ? "" : ` Its tests do not find ${inPackages(missing)}: run once with --prepare.`;
}

const failed = (explanation: string): Scored => ({ score: { passed: false, outcome: "failed", explanation } });

/**
 * What the row says of its tests, as runs name them; or why it does not hold on this machine.
 * @param fixed runs the tests with the developer's patch: tests that are not there before it have their names from
 * there
 */
async function baselineOf(
  row: RepositoryTask,
  { command, run, kinds }: { command: string; run: SuiteRun; kinds: Kinds },
  fixed: () => Promise<SuiteRun | null>,
): Promise<Baseline | string> {
  if (run.ending !== "complete") return `${run.ending}: ${whyNoTests(run)}`;
  const { failing, passing, absent, disagreements } = namedTests(row, run.tests.values());
  const why = run.fatal === null ? "" : whyNoTests(run);
  // A command may tell of its tests only where they can be loaded.
  const isAlone = isExitCodeAlone(command, run.tests.values());
  const lost = isAlone ? [] : absent.passing;
  const problems = [...disagreements, ...lost.map((name) => disagreement(name, "passed", undefined, why))];
  const sought = isAlone ? [...absent.failing, ...absent.passing] : absent.failing;
  if (sought.length > 0 && problems.length === 0) {
    const after = await fixed();
    if (isAlone && after && isExitCodeAlone(command, after.tests.values())) return byExitCode(run, after, kinds);
    const there = namedTests({ failToPass: [], passToPass: sought }, after?.tests.values() ?? []);
    const said = after && (after.fatal !== null || after.ending !== "complete") ? whyNoTests(after) : "";
    const missing = there.absent.passing.map((name) => disagreement(name, "passed", undefined, said));
    problems.push(...[...there.disagreements, ...missing].map(withPatch));
    const known = new Set(failing.map(({ name }) => name));
    for (const test of there.passing)
      if (!known.has(test.name)) failing.push({ ...test, status: "failed", message: "it is not there before the fix" });
  }
  if (problems.length > 0) return unlike(problems);
  const known = new Set([...failing, ...passing].map(({ name }) => name));
  const flaky = [...run.tests.keys()].filter((name) => !known.has(name));
  return { failing, aside: [], passing, flaky, notLoaded: null, run, covered: null, kinds };
}

/** Of a command that tells of no test by name: it has to fail before the fix and to pass after it. */
function byExitCode(run: SuiteRun, after: SuiteRun, kinds: Kinds): Baseline | string {
  const [before, fixed] = [run, after].flatMap(({ tests }) => [...tests.values()]);
  if (!before || before.status === "passed") return unlike([disagreement(before?.name ?? "", "failed", before)]);
  if (fixed?.status !== "passed") return unlike([withPatch(disagreement(before.name, "passed", fixed))]);
  return { failing: [before], aside: [], passing: [], flaky: [], notLoaded: null, run, covered: null, kinds };
}

const unlike = (problems: readonly Disagreement[]): string => `tests do not do what its row says: ${inWords(problems)}`;

const withPatch = ({ name, said }: Disagreement): Disagreement => ({
  name,
  said: `with the developer's patch ${said}`,
});
