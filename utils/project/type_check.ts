/** What the project's own TypeScript says of its types: a change may bring no error that was not there before. */

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { ancestors, nodeModules, type Project, within } from "./project.ts";
import type { TestCommand } from "./test_command.ts";

const TYPED = /\.[cm]?tsx?$/;
const DECLARED = /\.d\.[cm]?ts$/;

/**
 * What checks the types of a file; null where none does: no `tsconfig.json` above it, no `typescript` installed.
 * @param file absolute path, as it is in the project
 */
export function typeCheck(project: Project, file: string): TestCommand | null {
  if (!TYPED.test(file) || DECLARED.test(file)) return null;
  const folders = ancestors(dirname(file)).filter((folder) => within(project.root, folder));
  const config = folders.map((folder) => join(folder, "tsconfig.json")).find((path) => existsSync(path));
  const modules = nodeModules(project.folder);
  const compiler = modules.map((folder) => join(folder, "typescript/bin/tsc")).find((path) => existsSync(path));
  if (config === undefined || compiler === undefined) return null;
  const words = ["--noEmit", "--skipLibCheck", "--incremental", "false", "--composite", "false", "--pretty", "false"];
  return {
    argv: [process.execPath, compiler, "-p", config, ...words],
    env: { NODE_OPTIONS: "--max-old-space-size=2048", CI: "1", NO_COLOR: "1" },
    readable: modules,
  };
}

/** Errors of a check that another one did not have, as it says them; a line that moved is no other error. */
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
