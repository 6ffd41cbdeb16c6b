/** Whether a commit makes a task: its tests fail without its source and pass with it, each twice, in the box. */

import { whyNoTests } from "../../../../fix/project/baseline.ts";
import { planSuite, type Suite, type SuiteRun } from "../../../../fix/project/suite.ts";
import { UserError } from "../../../../utils/base/data/errors.ts";
import { makeTemporaryFolder } from "../../../../utils/base/files/temporary.ts";
import { copyTree } from "../../../../utils/base/files/trees/copy_tree.ts";
import { environmentsFolder } from "../../../../utils/base/host/cache_folder.ts";
import { clause, plural } from "../../../../utils/base/text/format.ts";
import { isFail } from "../../../../utils/frameworks/test_run.ts";
import { saysFix } from "../../../../utils/git/git_history.ts";
import { languageOf } from "../../../../utils/languages/registry.ts";
import { usualTestsIn } from "../../../../utils/languages/source_files.ts";
import { repositoryProject } from "../../../../utils/project/project.ts";
import type { CommandBox } from "../../../../utils/sandbox/command/command_box.ts";
import { applyPatch, type Repositories } from "../checkout.ts";
import { addEnvironment } from "../environment/environment.ts";
import { NO_IMAGE } from "../formats.ts";
import type { RepositoryTask } from "../rows.ts";
import { copyWithSuites } from "../tests.ts";
import { type Commit, patchOf } from "./history.ts";

/** Why commits are no tasks, in the order in which it is asked. */
export const FILTERS = {
  message: "the message speaks of no fix",
  source: "no source of one language is changed",
  tests: "no test is changed",
  size: "more source is changed than in a small fix",
  set_up: "its tests cannot be set up",
  run: "its tests do not run to their end",
  before: "no test fails before the fix and passes after it",
  flaky: "what its tests say changes from run to run",
} as const;
export type Filter = keyof typeof FILTERS;

/** Why a commit is no task. */
export interface Rejection {
  filter: Filter;
  /** More of it. */
  why: string;
}

const dropped = (filter: Filter, why = ""): Rejection => ({ filter, why });

export const MOST_FILES = 3;
const MOST_LINES = 100;

/** Why a commit is dropped without running anything; null if nothing speaks against it. */
export function lookAt(commit: Commit): Rejection | null {
  const { source, tests, lines } = commit;
  if (!saysFix(commit)) return dropped("message");
  const languages = new Set([...source, ...tests].map((file) => languageOf(file)?.name));
  if (source.length === 0 || languages.size > 1) return dropped("source");
  if (tests.length === 0) return dropped("tests");
  if (source.length > MOST_FILES || lines > MOST_LINES)
    return dropped("size", `${plural(source.length, "file")}, ${plural(lines, "line")}`);
  return null;
}

export interface ConfirmOptions {
  repository: string;
  /** `owner/name`. */
  name: string;
  repositories: Repositories;
  /** How the tests are run, where not as is usual for their language. */
  test?: string | undefined;
  python?: string | undefined;
  prepare: boolean;
  box: CommandBox;
  signal: AbortSignal;
}

export interface MinedTask {
  task: RepositoryTask;
  /** Tests that fail with the fix, too. */
  alreadyFailing: string[];
}

/** @throws Error where the harness failed; the reason of `signal` */
export async function confirm(commit: Commit, options: ConfirmOptions): Promise<MinedTask | Rejection> {
  try {
    return await confirmWith(commit, options);
  } catch (error) {
    if (error instanceof UserError) return dropped("set_up", error.message);
    throw error;
  }
}

async function confirmWith(commit: Commit, options: ConfirmOptions): Promise<MinedTask | Rejection> {
  const { repository, name, repositories, python, prepare, signal } = options;
  const language = languageOf(commit.source[0] ?? "");
  if (!language) return dropped("source");
  const place = { id: `${name.replace("/", "__")}-${commit.sha.slice(0, 8)}`, repo: name, base: commit.parent };
  const patch = patchOf(repository, commit, commit.source);
  const testPatch = patchOf(repository, commit, commit.tests);
  using tree = makeTemporaryFolder("mined");
  await repositories.checkOut(place, tree.path);
  const problem = applyPatch(tree.path, testPatch);
  if (problem !== null) return dropped("set_up", problem);
  const test = options.test ?? usualTestsIn(tree.path, language.files) ?? language.files.usualTests;
  const plan = planSuite(repositoryProject(tree.path, options.box, python), test);
  if (!plan.framework) return dropped("set_up", `no test framework is known by "${plan.command}"`);
  const { framework } = plan;
  const draft: RepositoryTask = {
    ...place,
    issue: commit.message,
    patch,
    testPatch,
    failToPass: [],
    passToPass: [],
    language: language.name,
    framework: framework.name,
    // What builds a project before its tests takes no files of these.
    ...(Object.keys(language.files.buildFiles).length > 0
      ? { command: test, build: "" }
      : { command: "", build: plan.setup }),
    testFiles: commit.tests.filter((file) => testPatch.includes(`\n+++ b/${file}\n`)),
    kind: "repair",
    createdAt: commit.date,
    version: "",
    packagesAt: commit.date,
    image: NO_IMAGE,
  };
  if (draft.testFiles.length === 0) return dropped("tests");
  const lacking = await addEnvironment(draft, tree.path, {
    folder: environmentsFolder(),
    prepare: prepare ? options.box : null,
    python,
  });
  if (lacking !== null) return dropped("set_up", lacking);
  using base = makeTemporaryFolder("before");
  using suite = copyWithSuites(draft, tree.path, base.path, options)("files");
  using fixed = makeTemporaryFolder("after");
  copyTree(base.path, fixed.path);
  const misfit = applyPatch(fixed.path, patch);
  if (misfit !== null) return dropped("set_up", misfit);
  return await judge(draft, suite, base.path, fixed.path, signal);
}

async function judge(
  draft: RepositoryTask,
  suite: Suite,
  base: string,
  fixed: string,
  signal: AbortSignal,
): Promise<MinedTask | Rejection> {
  const after = await suite.run(fixed, { signal });
  if (!isWhole(after)) {
    const end = after.ending === "complete" ? "no tests" : after.ending;
    return dropped("run", `${end}: ${whyNoTests(after, suite.layer)}`);
  }
  const before = await suite.run(base, { signal });
  if (before.ending === "timeout") return dropped("run", "before the fix it does not come to its end");
  const passed = namesOf(after, "passed");
  const passedBefore = new Set(namesOf(before, "passed"));
  const failToPass = passed.filter((name) => !passedBefore.has(name));
  if (failToPass.length === 0) return dropped("before", `${clause(passed.length, "test", "pass")} with and without it`);
  const again = [await suite.run(base, { signal }), await suite.run(fixed, { signal })] as const;
  const flaky = [...statusChanges(before, again[0]), ...statusChanges(after, again[1])];
  const firm = (names: readonly string[]) => names.filter((name) => !flaky.includes(name));
  if (firm(failToPass).length === 0) return dropped("flaky", flaky.join(", ").slice(0, 200));
  const passToPass = firm(passed.filter((name) => passedBefore.has(name)));
  const neverRan = failToPass.every((name) => !before.tests.has(name));
  const kind = neverRan || passToPass.length === 0 ? "weak" : "repair";
  const alreadyFailing = [...after.tests.values()].filter(isFail).map(({ name }) => name);
  return { task: { ...draft, failToPass: firm(failToPass), passToPass, kind }, alreadyFailing };
}

const isWhole = ({ ending, tests }: SuiteRun): boolean => ending === "complete" && tests.size > 0;
const namesOf = ({ tests }: SuiteRun, wanted: string): string[] =>
  [...tests.values()].filter(({ status }) => status === wanted).map(({ name }) => name);

/** Names of tests that did not end alike. */
const statusChanges = (one: SuiteRun, other: SuiteRun): string[] =>
  [...new Set([...one.tests.keys(), ...other.tests.keys()])].filter(
    (name) => one.tests.get(name)?.status !== other.tests.get(name)?.status,
  );
