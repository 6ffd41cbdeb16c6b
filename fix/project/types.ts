/** Whether a patch keeps the types of a project that has a `tsconfig.json`. */

import { join, relative } from "node:path";
import { appendTo } from "../../utils/base/data/extremes.ts";
import type { TestCommand } from "../../utils/project/test_command.ts";
import { newTypeErrors, typeCheck, uncheckedBecause } from "../../utils/project/type_check.ts";
import { type FileChange, patched } from "./patch.ts";
import type { Suite } from "./suite.ts";

/** Processor time of one check. */
const SECONDS = 300;

export interface TypeReport {
  /** Errors that changes bring, in the compiler's words; none if types are not checked. */
  errors: string[];
  /** Why they were not checked where a `tsconfig.json` asks for it; else null. */
  unchecked: string | null;
  cpuSeconds: number;
}

/**
 * Checks the types with some changes.
 * @param tree the tree that the changes are made in. Default: the original one
 */
export type TypeCheck = (changes: readonly FileChange[], signal?: AbortSignal, tree?: string) => Promise<TypeReport>;

/** @param base the tree as it was */
export function typeCheckOf(suite: Suite, base: string): TypeCheck {
  const { project } = suite;
  /** The compiler's output on the original tree, by configuration. */
  const outputs = new Map<string, Promise<string>>();
  return async (changes, signal, tree = base) => {
    const report: TypeReport = { errors: [], unchecked: null, cpuSeconds: 0 };
    const taking = new Map<string, TestCommand>();
    const run = async (folder: string, command: TestCommand) => {
      const ran = await suite.runCommand({ tree: folder, command: async () => command, seconds: SECONDS, signal });
      report.cpuSeconds += ran.cpuSeconds;
      return ran.stdout;
    };
    const before = (config: string, command: TestCommand) => {
      const known = outputs.get(config) ?? run(base, command);
      outputs.set(config, known);
      return known;
    };
    for (const { file } of changes) {
      const checker = typeCheck(project, join(project.root, file));
      if (checker === null) continue;
      let unchecked: string | null = NO_COMPILER;
      for (const config of checker.command ? checker.configs : []) {
        const command = checker.command?.(config);
        if (command === undefined) continue;
        unchecked = uncheckedBecause(await before(config, command), file, relative(project.root, config));
        if (unchecked === null) taking.set(config, command);
        if (unchecked === null) break;
      }
      report.unchecked ??= unchecked;
    }
    if (taking.size === 0) return report;
    using changed = patched(tree, changes);
    for (const [config, command] of taking)
      appendTo(report.errors, newTypeErrors(await before(config, command), await run(changed.path, command)));
    return report;
  };
}

const NO_COMPILER = "no TypeScript is installed (`npm install --save-dev typescript`)";
