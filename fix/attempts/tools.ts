/** The tools of a repair in a repository. */

import type { Observation } from "../../agent/dialects/reply.ts";
import { createTool, replaceLinesTool, replaceTextTool } from "../../agent/tools/edit.ts";
import { listTool, searchTool, viewTool } from "../../agent/tools/files.ts";
import { RUN_TESTS } from "../../agent/tools/run_tests.ts";
import { defineTool, type Registry, registry, type Tool } from "../../agent/tools/tool.ts";
import type { Workspace } from "../../agent/tools/workspace.ts";
import { clause } from "../../utils/base/text/format.ts";
import { firstLines, headAndTail } from "../../utils/base/text/text.ts";
import type { TestResult } from "../../utils/frameworks/framework.ts";
import { isFail, isPass } from "../../utils/frameworks/test_run.ts";
import type { AgentSandbox } from "../../utils/sandbox/types.ts";
import type { Baseline } from "../project/baseline.ts";
import { patched, readPatch } from "../project/patch.ts";
import type { Suite, SuiteRun } from "../project/suite.ts";

export interface RepositoryToolsOptions {
  workspace: Workspace;
  /** The tree as it was. */
  base: string;
  suite: Suite;
  baseline: Baseline;
  /** Checks Python's grammar. */
  sandbox: AgentSandbox;
  more?: readonly Tool[];
  /** Runs what a tool does. */
  around: <T>(work: () => Promise<T>) => Promise<T>;
}

export const repositoryTools = (options: RepositoryToolsOptions): Registry => {
  const { workspace, sandbox, more = [], around } = options;
  const tools = [
    listTool(workspace),
    viewTool(workspace),
    searchTool(workspace),
    replaceTextTool(workspace, sandbox),
    replaceLinesTool(workspace, sandbox),
    createTool(workspace, sandbox),
    runTestsTool(options),
    ...more,
  ];
  return registry(tools.map((tool) => ({ ...tool, run: (input, signal) => around(() => tool.run(input, signal)) })));
};

const MOST_SHOWN = 6;
const SHOWN_CHARS = 5000;

/** Runs them on a copy of the tree with what was changed in the workspace. */
export function runTestsTool({
  workspace,
  base,
  suite,
  baseline,
}: Pick<RepositoryToolsOptions, "workspace" | "base" | "suite" | "baseline">): Tool {
  return defineTool({
    ...RUN_TESTS,
    run: async ({ tests = [] }, signal) => {
      const began = performance.now();
      const patch = readPatch(base, workspace.root, workspace.changed, baseline.kinds);
      using tree = patched(base, [...patch.source, ...patch.tests]);
      const known = [...baseline.run.tests.values()];
      const files = tests.filter((name) => baseline.kinds.isTest(name) && "text" in workspace.read(name));
      const named = tests.filter((name) => !files.includes(name));
      const only = known.filter(({ name }) => named.some((part) => name === part || name.includes(part)));
      const unknown = named.filter((part) => !known.some(({ name }) => name.includes(part)));
      if (known.length > 0 && unknown.length > 0 && only.length === 0 && files.length === 0) {
        return refused(
          `No test has the name ${unknown.join(", ")}. Tests are named like ${known
            .slice(0, 3)
            .map(({ name }) => name)
            .join(", ")}.`,
        );
      }
      const run = await suite.run(tree.path, {
        ...(only.length > 0 ? { only } : {}),
        ...(files.length > 0 && only.length === 0 ? { files } : {}),
        signal,
      });
      return { ...describeRun(run, only), durationMs: performance.now() - began };
    },
  });
}

const refused = (output: string): Observation => ({ status: "nothing was run", output, durationMs: 0 });

/** @param only the tests that were asked for. Default: all */
export function describeRun(run: SuiteRun, only: readonly TestResult[] = []): Omit<Observation, "durationMs"> {
  if (run.ending !== "complete") {
    const status =
      run.ending === "timeout" ? "the tests do not come to their end" : "the run ended before the tests did";
    return { status, output: headAndTail(run.output, SHOWN_CHARS) };
  }
  const wanted = new Set(only.map(({ name }) => name));
  const all = [...run.tests.values()];
  const asked = all.filter(({ name }) => wanted.has(name));
  // A command that could not build its tests tells of none by name.
  const tests = asked.length > 0 ? asked : all;
  const failing = tests.filter(isFail);
  const lines = failing.slice(0, MOST_SHOWN).map(({ name, message }) => `${name}\n${message.replace(/^/gm, "    ")}`);
  const more = failing.length > MOST_SHOWN ? [`and ${failing.length - MOST_SHOWN} more`] : [];
  const fatal = run.fatal === null ? [] : [`not loaded: ${firstLines(run.fatal, 12)}`];
  const status =
    failing.length === 0 && run.fatal === null
      ? clause(tests.filter(isPass).length, "test", "pass")
      : `${failing.length} of ${clause(tests.length, "test", "fail")}`;
  return { status, output: headAndTail([...fatal, ...lines, ...more].join("\n"), SHOWN_CHARS) };
}
