/** The tools of a repair in a repository. */

import type { Observation } from "../../agent/dialects/reply.ts";
import { fileTools } from "../../agent/tools/editor_table.ts";
import { RUN_TESTS, type Shell } from "../../agent/tools/run_tests.ts";
import { defineTool, type Registry, registry, type Tool } from "../../agent/tools/tool.ts";
import type { Workspace } from "../../agent/tools/workspace.ts";
import { clause } from "../../utils/base/text/format.ts";
import { firstLines, headAndTail } from "../../utils/base/text/text.ts";
import type { TestResult } from "../../utils/frameworks/framework.ts";
import { isFail, isPass } from "../../utils/frameworks/test_run.ts";
import { fromFolder } from "../../utils/project/project.ts";
import type { AgentSandbox } from "../../utils/sandbox/types.ts";
import { fileOf } from "../places/evidence.ts";
import type { Baseline } from "../project/baseline.ts";
import { type FileChange, patched, readPatch } from "../project/patch.ts";
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

/** Runs them on a copy of the tree with what was changed in the workspace. */
export function runTestsTool(parts: TestedParts): Tool {
  return defineTool({
    ...RUN_TESTS,
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
      const further = [...files, ...created];
      if (further.length > 0) runs.push(await suite.run(tree.path, { files: further, signal }));
      return { ...describeRun(together(runs), isAsked, baseline), durationMs: performance.now() - began };
    },
  });
}

const some = <T>(items: readonly T[]): readonly T[] | undefined => (items.length > 0 ? items : undefined);

interface AskedTests {
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
): AskedTests | { problem: string } {
  const known = [...baseline.run.tests.values()];
  const isFile = (name: string) => baseline.kinds.isTest(name) && "text" in workspace.read(name);
  const [files, named] = [names.filter(isFile), names.filter((name) => !isFile(name))];
  const isNamed = ({ name }: TestResult) => named.some((part) => name.includes(part));
  const only = known.filter(isNamed);
  // A name that no known test has may be that of a test in a new file.
  const unknown = named.filter((part) => !known.some(({ name }) => name.includes(part)));
  const isIn = ({ file, after }: FileChange) =>
    unknown.some((part) => part.startsWith(file) || after?.includes(part.split(/::|\.| > /).at(-1) ?? part));
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

/** @param before what the tests were before the change: what failed then, too, is marked */
export function describeRun(
  run: SuiteRun,
  isAsked: (test: TestResult) => boolean = () => true,
  before?: Pick<Baseline, "failing" | "aside" | "passing">,
): Omit<Observation, "durationMs"> {
  if (run.ending !== "complete") {
    const status =
      run.ending === "timeout" ? "the tests do not come to their end" : "the run ended before the tests did";
    return { status, output: headAndTail(run.output, SHOWN_CHARS) };
  }
  const all = [...run.tests.values()];
  const asked = all.filter(isAsked);
  // A command that could not build its tests tells of none by name.
  const tests = asked.length > 0 ? asked : all;
  const failed = new Set([...(before?.failing ?? []), ...(before?.aside ?? [])].map(({ name }) => name));
  const passed = new Set(before?.passing.map(({ name }) => name));
  const mark = (name: string) =>
    failed.has(name) ? " (failed before your change, too)" : passed.has(name) ? " (passed before your change)" : "";
  const failing = tests.filter(isFail);
  const lines = failing
    .slice(0, MOST_SHOWN)
    .map(({ name, message }) => `${name}${mark(name)}\n${message.replace(/^/gm, "    ")}`);
  const more = failing.length > MOST_SHOWN ? [`and ${failing.length - MOST_SHOWN} more`] : [];
  const fatal = run.fatal === null ? [] : [`not loaded: ${firstLines(run.fatal, 12)}`];
  const status =
    failing.length === 0 && run.fatal === null
      ? clause(tests.filter(isPass).length, "test", "pass")
      : `${failing.length} of ${clause(tests.length, "test", "fail")}`;
  return { status, output: headAndTail([...fatal, ...lines, ...more].join("\n"), SHOWN_CHARS) };
}
