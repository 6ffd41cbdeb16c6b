/** Whether a patch resolves a task: the developer's tests decide, in fresh copies. */

import { cpSync, existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Baseline } from "../../../agent/repository/baseline.ts";
import { copyRepository, repositoryProject } from "../../../agent/repository/copy.ts";
import { filesIn as filesOfTree, readPatch } from "../../../agent/repository/patch.ts";
import { planSuite, Suite, type SuiteRun } from "../../../agent/repository/suite.ts";
import { Verifier } from "../../../agent/repository/verify.ts";
import { makeTemporaryFolder } from "../../../utils/files/temporary.ts";
import type { TestResult } from "../../../utils/frameworks/framework.ts";
import type { CommandBox } from "../../../utils/sandbox/command_box.ts";
import type { Scored } from "../scorer.ts";
import { applyPatch } from "./checkout.ts";
import type { RepositoryTask } from "./rows.ts";

/** Processor time of one run of the tests, in seconds. */
export const TEST_SECONDS = 300;

export interface ScoreOptions {
  /** The repository at its base, with the developer's tests. */
  tree: string;
  box: CommandBox;
  python?: string | undefined;
  signal: AbortSignal;
}

/** The tests of a task; without them the folder that they are going to lie in. */
export function commandOf({ build, framework, testFiles }: RepositoryTask, tree: string, withTests: boolean): string {
  const prefix = build === "" ? "" : `${build} && `;
  const folder = dirname(testFiles[0] ?? "");
  if (withTests) return `${prefix}${framework} ${testFiles.join(" ")}`;
  if (framework !== "pytest" && existsSync(join(tree, folder))) {
    const files = readdirSync(join(tree, folder)).filter((name) => /\.[cm]?[jt]s$/.test(name));
    return `${prefix}${framework} ${files.map((name) => join(folder, name)).join(" ")}`;
  }
  return `${prefix}${framework} ${folder}`;
}

/** Resolved: the answer's source part makes FAIL_TO_PASS pass and leaves PASS_TO_PASS, the developer's tests in place. */
export async function scorePatch(
  row: RepositoryTask,
  answer: string | null,
  { tree, box, python, signal }: ScoreOptions,
): Promise<Scored> {
  using base = makeTemporaryFolder("scored");
  const project = repositoryProject(tree, python);
  const { installed } = copyRepository(project.root, base.path, box.layer);
  const plan = planSuite(project, commandOf(row, tree, true));
  const suite = new Suite({ box, project, plan, installed, environment: {}, seconds: TEST_SECONDS });
  const run = await suite.run(base.path, { signal });
  const baseline = baselineOf(row, run);
  if (typeof baseline === "string") return { error: `the task cannot be run here: ${baseline}` };
  if (answer === null || answer.trim() === "") return failed("nothing was changed");
  using work = makeTemporaryFolder("answer");
  cpSync(base.path, work.path, { recursive: true, verbatimSymlinks: true });
  const problem = applyPatch(work.path, answer);
  if (problem !== null) return failed(`the patch does not apply: ${problem}`);
  const files = new Set([...filesOfTree(base.path), ...filesOfTree(work.path)]);
  const patch = readPatch(base.path, work.path, files);
  const verdict = await new Verifier({ suite, base: base.path, baseline, covering: [] }).check(
    { ...patch, tests: [] },
    signal,
  );
  const explanation = `${verdict.status}${verdict.accepted ? "" : `: ${verdict.output}`}`.slice(0, 2000);
  return verdict.accepted ? { score: { passed: true, outcome: "passed", explanation } } : failed(explanation);
}

const failed = (explanation: string): Scored => ({ score: { passed: false, outcome: "failed", explanation } });

/** What the row says of its tests, as the run names them; or why it does not hold on this machine. */
function baselineOf({ failToPass, passToPass, testFiles }: RepositoryTask, run: SuiteRun): Baseline | string {
  const byName = new Map<string, TestResult>();
  for (const test of run.tests.values()) {
    byName.set(test.name, test);
    if (test.file !== undefined) byName.set(`${test.file} ${test.name}`, test);
  }
  const bare = (name: string) => name.slice((testFiles.find((file) => name.startsWith(`${file} `))?.length ?? -1) + 1);
  const failing = failToPass.map(
    (name): TestResult =>
      byName.get(name) ?? { name: bare(name), status: "failed", message: "it is not there before the fix" },
  );
  const passing = passToPass.flatMap((name) => byName.get(name) ?? []);
  const early = failing.find(({ status }) => status === "passed");
  if (early) return `${early.name} passes before the fix`;
  const broken = passToPass.find((name) => byName.get(name)?.status !== "passed");
  if (broken !== undefined)
    return `${broken} does not pass before the fix (${(run.fatal ?? run.output).trim().split("\n").at(-1)?.slice(0, 200)})`;
  if (run.ending !== "complete") return run.output.trim().split("\n").at(-1) ?? run.ending;
  const known = new Set([...failing, ...passing].map(({ name }) => name));
  return { failing, passing, flaky: [...run.tests.keys()].filter((name) => !known.has(name)), run };
}
