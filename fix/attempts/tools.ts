/** The tools of a repair in a repository. */

import type { Observation } from "../../agent/dialects/reply.ts";
import { fileTools } from "../../agent/tools/editor_table.ts";
import { RUN_TESTS, type Shell } from "../../agent/tools/run_tests.ts";
import { defineTool, type Registry, registry, type Tool } from "../../agent/tools/tool.ts";
import type { Workspace } from "../../agent/tools/workspace.ts";
import { clause, doing, plural, seconds } from "../../utils/base/text/format.ts";
import { firstLines, further, headAndTail } from "../../utils/base/text/text.ts";
import type { TestResult } from "../../utils/frameworks/framework.ts";
import { isFail, isPass } from "../../utils/frameworks/test_run.ts";
import { fromFolder } from "../../utils/project/project.ts";
import type { AgentSandbox } from "../../utils/sandbox/types.ts";
import { fileOf } from "../places/evidence.ts";
import type { Baseline } from "../project/baseline.ts";
import { type FileChange, type Patch, patched, readPatch } from "../project/patch.ts";
import type { Suite, SuiteRun } from "../project/suite.ts";

export interface RepositoryToolsOptions {
  workspace: Workspace;
  /** The tree as it was. */
  base: string;
  suite: Suite;
  baseline: Baseline;
  /** Checks Python's grammar. */
  sandbox: AgentSandbox;
  shell?: Shell | undefined;
  more?: readonly Tool[];
  /** Runs what a tool does. */
  around: <T>(work: () => Promise<T>) => Promise<T>;
}

export const repositoryTools = (options: RepositoryToolsOptions): Registry => {
  const { workspace, sandbox, shell, more = [], around } = options;
  const tools = [...fileTools(workspace, sandbox, shell), runTestsTool(options), ...more];
  return registry(tools.map((tool) => pausing(tool, around)));
};

/** @param around runs what the tool does */
export const pausing = (tool: Tool, around: RepositoryToolsOptions["around"]): Tool => ({
  ...tool,
  run: (input, signal) => around(() => tool.run(input, signal)),
});

const MOST_SHOWN = 6;
const SHOWN_CHARS = 5000;

type TestedParts = Pick<RepositoryToolsOptions, "workspace" | "base" | "suite" | "baseline">;

/** All tests of a slower suite are better not run without need. */
const SLOW_SECONDS = 10;

/** Runs them on a copy of the tree with what was changed in the workspace. */
export function runTestsTool(parts: TestedParts): Tool {
  const { clockSeconds } = parts.baseline.run;
  const cost = clockSeconds < SLOW_SECONDS ? "" : ` All take ${seconds(clockSeconds)}.`;
  return defineTool({
    ...RUN_TESTS,
    description: RUN_TESTS.description + cost,
    run: async ({ tests: names = [] }, signal) => {
      const { workspace, base, suite, baseline } = parts;
      const began = performance.now();
      const patch = readPatch(base, workspace.root, workspace.changed, baseline.kinds);
      using tree = patched(base, [...patch.source, ...patch.tests]);
      const asked = askedFor(names, parts, patch.tests);
      if ("problem" in asked) return refused(asked.problem);
      const { only, files, isAsked } = asked;
      const runs =
        only.length > 0 || files.length === 0 ? [await suite.run(tree.path, { only: some(only), signal })] : [];
      const created = names.length === 0 && runs[0] ? notRun(runs[0], patch.tests, suite) : [];
      const alsoRun = [...files, ...created];
      if (alsoRun.length > 0) runs.push(await suite.run(tree.path, { files: alsoRun, signal }));
      const { run, note } = await steady(together(runs), tree.path, parts, signal);
      const old = await oldTests(run, patch, parts, signal);
      const { status, output } = describeRun(run, isAsked, baseline, names.length > 0, old.passing);
      const notes = [note, await ownTests(run, patch, parts, signal), old.said];
      const text = [...notes, output].filter((one) => one !== "").join("\n");
      return { status, output: text, durationMs: performance.now() - began };
    },
  });
}

/** More tests that fail only now are broken by the change, and not by chance. */
const MOST_BY_CHANCE = 5;

/** Tests that passed before and fail now run again, alone: those that pass then failed by chance, and pass. */
async function steady(
  run: SuiteRun,
  tree: string,
  { suite, baseline }: TestedParts,
  signal?: AbortSignal,
): Promise<{ run: SuiteRun; note: string }> {
  const passed = new Set(baseline.passing.map(({ name }) => name));
  const broken = [...run.tests.values()].filter((test) => isFail(test) && passed.has(test.name));
  if (run.ending !== "complete" || broken.length > MOST_BY_CHANCE) return { run, note: "" };
  const passing = await suite.alikeAgain(tree, broken, { end: "passed", times: 1, signal });
  if (passing.length === 0) return { run, note: "" };
  const tests = new Map(run.tests);
  for (const test of passing) tests.set(test.name, { ...test, status: "passed" });
  const names = passing.map(({ name }) => name).join(", ");
  return { run: { ...run, tests }, note: `passed when run again, after a failure: ${names}` };
}

/** What the model's new tests do, with its change and without it; empty where it wrote none. */
async function ownTests(
  run: SuiteRun,
  { source, tests: created }: Patch,
  { base, suite }: TestedParts,
  signal?: AbortSignal,
): Promise<string> {
  const files = created.filter(({ after }) => after !== null).map(({ file }) => file);
  if (files.length === 0 || run.ending !== "complete") return "";
  const places = new Set(files.map((file) => fromFolder(suite.project, file)));
  const own = [...run.tests.values()].filter((test) => places.has(fileOf(test)));
  const named = `your new tests (${files.join(", ")})`;
  if (own.length === 0) return `${named} did not run`;
  const said = `${named}: ${doing(own.filter(isPass).length, "pass")}, ${doing(own.filter(isFail).length, "fail")}`;
  if (source.length === 0 || suite.plan.framework === null) return said;
  using tree = patched(base, created);
  const { tests } = await suite.run(tree.path, { files, signal });
  const failing = own.filter(({ name }) => tests.get(name)?.status !== "passed");
  return `${said}; without your change ${doing(failing.length, "fail")}`;
}

/** Existing tests that the model has updated were run as they are in the base: those that pass with the update. */
async function oldTests(
  run: SuiteRun,
  { source, tests, updated }: Patch,
  { base, suite }: TestedParts,
  signal?: AbortSignal,
): Promise<{ said: string; passing: ReadonlySet<string> }> {
  if (updated.length === 0) return { said: "", passing: new Set() };
  const places = new Set(updated.map(({ file }) => fromFolder(suite.project, file)));
  const failing = [...run.tests.values()].filter((test) => isFail(test) && places.has(fileOf(test)));
  const ran = `${updated.map(({ file }) => file).join(", ")} ran without your update`;
  if (failing.length === 0) return { said: ran, passing: new Set() };
  using tree = patched(base, [...source, ...tests, ...updated]);
  const passing = await suite.alikeAgain(tree.path, failing, { end: "passed", times: 1, signal });
  const verb = passing.length === 1 ? "passes" : "pass";
  const said = `${ran}; with it ${passing.length} of ${plural(failing.length, "failing test")} ${verb}`;
  return { said, passing: new Set(passing.map(({ name }) => name)) };
}

const some = <T>(items: readonly T[]): readonly T[] | undefined => (items.length > 0 ? items : undefined);

interface TestSelection {
  /** Known tests. */
  only: readonly TestResult[];
  /** Test files, from the root. */
  files: readonly string[];
  isAsked(test: TestResult): boolean;
}

/** The tests that are meant: known ones by their names or parts of these, and files, new ones among them. */
function askedFor(
  names: readonly string[],
  { workspace, suite, baseline }: TestedParts,
  created: readonly FileChange[],
): TestSelection | { problem: string } {
  const known = [...baseline.run.tests.values()];
  const isFile = (name: string) => baseline.kinds.isTest(name) && "text" in workspace.read(name);
  const [files, named] = [names.filter(isFile), names.filter((name) => !isFile(name))];
  const isNamed = ({ name }: TestResult) => named.some((part) => name.includes(part));
  const only = known.filter(isNamed);
  // A name that no known test has may be that of a test in a new file.
  const unknown = named.filter((part) => !known.some(({ name }) => name.includes(part)));
  const isIn = ({ file, after }: FileChange) =>
    named.some((part) => part.startsWith(file) || after?.includes(part.split(/::|\.| > /).at(-1) ?? part));
  files.push(...created.filter(isIn).map(({ file }) => file));
  if (known.length > 0 && unknown.length > 0 && only.length === 0 && files.length === 0) {
    const like = known.slice(0, 3).map(({ name }) => name);
    return { problem: `No test has the name ${unknown.join(", ")}. Tests are named like ${like.join(", ")}.` };
  }
  const isAsked = (test: TestResult) =>
    named.length === 0 || isNamed(test) || files.some((file) => fileOf(test) === fromFolder(suite.project, file));
  return { only, files: suite.plan.framework === null ? [] : files, isAsked };
}

/** New test files that the user's command does not run. */
function notRun({ tests }: SuiteRun, created: readonly FileChange[], { plan, project }: Suite): string[] {
  const ran = new Set([...tests.values()].map(fileOf));
  const isRun = (file: string) => ran.has(fromFolder(project, file));
  return plan.framework === null ? [] : created.map(({ file }) => file).filter((file) => !isRun(file));
}

/** Several runs as one; the first that did not come to its end stands for all. */
function together(runs: readonly SuiteRun[]): SuiteRun {
  const [first, second] = runs;
  if (!first) throw new Error("no tests were run");
  if (!second || first.ending !== "complete") return first;
  if (second.ending !== "complete") return second;
  const fatal = [first.fatal, second.fatal].filter((one) => one !== null).join("\n");
  return { ...first, tests: new Map([...first.tests, ...second.tests]), fatal: fatal === "" ? null : fatal };
}

const refused = (output: string): Observation => ({ status: "nothing was run", output, durationMs: 0 });

/**
 * @param before what the tests were before the change: what failed then, too, is marked
 * @param isNamed false where all were run: then tests that failed before and need not pass are listed by name only
 * @param settled names of failing tests that are counted but not listed
 */
export function describeRun(
  run: SuiteRun,
  isAsked: (test: TestResult) => boolean = () => true,
  before?: Pick<Baseline, "failing" | "aside" | "passing">,
  isNamed = true,
  settled: ReadonlySet<string> = new Set(),
): Omit<Observation, "durationMs"> {
  if (run.ending !== "complete") {
    const status = run.ending === "timeout" ? "the tests did not end in time" : "the run ended before the tests did";
    return { status, output: headAndTail(run.output, SHOWN_CHARS) };
  }
  const all = [...run.tests.values()];
  const asked = all.filter(isAsked);
  // A command that could not build its tests names none of them.
  const tests = asked.length > 0 ? asked : all;
  const failed = new Set([...(before?.failing ?? []), ...(before?.aside ?? [])].map(({ name }) => name));
  const passed = new Set(before?.passing.map(({ name }) => name));
  const mark = (name: string) =>
    failed.has(name) ? " (failed before your change, too)" : passed.has(name) ? " (passed before your change)" : "";
  const failing = tests.filter(isFail);
  const aside = new Set(isNamed ? [] : before?.aside.map(({ name }) => name));
  const known = failing.filter(({ name }) => aside.has(name));
  const telling = failing.filter(({ name }) => !aside.has(name));
  const unsettled = telling.filter(({ name }) => !settled.has(name));
  const lines = unsettled
    .slice(0, MOST_SHOWN)
    .map(({ name, message }) => `${name}${mark(name)}\n${message.replace(/^/gm, "    ")}`);
  const more = [
    ...further(
      unsettled.map(({ name }) => name),
      MOST_SHOWN,
    ),
    ...known.slice(0, MOST_SHOWN).map(({ name }) => `${name}${mark(name)}`),
    ...(known.length > MOST_SHOWN ? [`and ${known.length - MOST_SHOWN} more that failed before`] : []),
  ];
  const fatal = run.fatal === null ? [] : [`not loaded: ${firstLines(run.fatal, 12)}`];
  const passing = tests.filter(isPass).length;
  const ran = passing + failing.length;
  const status =
    run.fatal !== null || telling.length > 0
      ? `${telling.length} of ${clause(ran, "test", "fail")}`
      : clause(passing, "test", "pass");
  const old = known.length > 0 ? `, ${known.length} failed before your change, too` : "";
  return { status: status + old, output: headAndTail([...fatal, ...lines, ...more].join("\n"), SHOWN_CHARS) };
}
