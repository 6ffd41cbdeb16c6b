/** What TypeScript says of a project's types: a change may bring no error that was not there before. */

import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readForeignText } from "../base/files/foreign_file.ts";
import { ancestors, within } from "../base/host/project_root.ts";
import { nodeModules, type Project } from "./project.ts";
import type { TestCommand } from "./test_command.ts";

const TYPED = /\.[cm]?tsx?$/;
const DECLARED = /\.d\.[cm]?ts$/;

/** How to check the types of a file. */
export interface TypeChecker {
  /** The nearest `tsconfig.json`, then those that it references: the first that includes the file checks it. */
  configs: string[];
  /** Null where no TypeScript was found. */
  command: ((config: string) => TestCommand) | null;
}

/**
 * Finds the compiler that checks a file's types: the project's own, else one installed beside mend or globally. Null
 * for a file that is not TypeScript, or has no `tsconfig.json` above it.
 * @param file absolute path, as it is in the project
 * @param elsewhere folders `node_modules` for a project that has no compiler
 */
export function typeCheck(project: Project, file: string, elsewhere = installedElsewhere()): TypeChecker | null {
  if (!TYPED.test(file) || DECLARED.test(file)) return null;
  const folders = ancestors(dirname(file)).filter((folder) => within(project.root, folder));
  const config = folders.map((folder) => join(folder, "tsconfig.json")).find((path) => existsSync(path));
  if (config === undefined) return null;
  const configs = [config, ...referredBy(config).filter((path) => within(project.root, path))];
  const own = nodeModules(project.folder);
  const modules = [...own, ...elsewhere].find((folder) => existsSync(compilerIn(folder)));
  if (modules === undefined) return { configs, command: null };
  const words = ["--noEmit", "--skipLibCheck", "--incremental", "false", "--composite", "false", "--pretty", "false"];
  const command = (config: string): TestCommand => ({
    argv: [process.execPath, compilerIn(modules), "-p", config, ...words, "--listFiles"],
    env: { NODE_OPTIONS: "--max-old-space-size=2048", CI: "1", NO_COLOR: "1" },
    readable: own.includes(modules) ? own : [...own, modules],
  });
  return { configs, command };
}

const MOST_REFERRED = 8;

/** Configurations in its `references`, absolute. */
function referredBy(config: string): string[] {
  const list = /"references"\s*:\s*\[([^\]]*)\]/.exec(readForeignText(dirname(config), basename(config)))?.[1] ?? "";
  const paths = [...list.matchAll(/"path"\s*:\s*"([^"]+)"/g)].map(([, path = ""]) => join(dirname(config), path));
  return paths
    .map((path) => (path.endsWith(".json") ? path : join(path, "tsconfig.json")))
    .filter((path) => existsSync(path))
    .slice(0, MOST_REFERRED);
}

const compilerIn = (modules: string): string => join(modules, "typescript/bin/tsc");

/** Beside mend, and where npm installs globally. */
const installedElsewhere = (): string[] => [
  ...nodeModules(import.meta.dirname),
  join(dirname(dirname(process.execPath)), "lib/node_modules"),
];

/**
 * Why a check says nothing of a file; null where it says what it has to say.
 * @param file from the root
 * @param config from the root
 */
export function uncheckedBecause(output: string, file: string, config: string): string | null {
  // Then the compiler looks at no types.
  const stops = /^(?:error TS|\S*tsconfig\S*\(|\S.*: error TS1\d{3}:).*$/m.exec(output)?.[0];
  if (stops !== undefined) return `the compiler goes no further than: ${stops}`;
  const isListed = output.split("\n").some((line) => line.trimEnd().endsWith(`/${file}`));
  return isListed ? null : `${config} does not take in ${file}`;
}

/** Errors of a check that another one did not have, in its own words; an error on a moved line is not new. */
export function newTypeErrors(before: string, after: string): string[] {
  const known = new Map<string, number>();
  for (const error of errorsIn(before)) known.set(error.key, (known.get(error.key) ?? 0) + 1);
  return errorsIn(after).flatMap(({ key, text }) => {
    const left = known.get(key) ?? 0;
    known.set(key, left - 1);
    return left > 0 ? [] : [text];
  });
}

const errorsIn = (output: string): { key: string; text: string }[] =>
  [...output.matchAll(/^(\S.*?)\((\d+),\d+\): error (TS\d+): (.*)$/gm)].map(
    ([, file = "", line = "", code = "", message = ""]) => ({
      key: `${file} ${code} ${message}`,
      text: `${file}, line ${line}: ${message} (${code})`,
    }),
  );
