/** The command that runs a project's tests, where the user names none. */

import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { UserError } from "../../utils/base/data/errors.ts";
import { tryForeignText } from "../../utils/base/files/foreign_file.ts";
import { isFolder } from "../../utils/base/files/stat.ts";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import { type SourceFiles, usualTestsIn } from "../../utils/languages/source_files.ts";
import { packageJson } from "../../utils/project/project.ts";

const NAME_IT = "--test COMMAND is needed, such as --test 'pytest tests' or --test 'make test'";

/**
 * By the files that build the project, the `test` script of its `package.json`, or files with the names of tests.
 * @throws UserError where nothing or more than one command is found
 */
export function usualTestCommand(folder: string): string {
  if (!isFolder(folder)) throw new UserError(`There is no folder ${folder}.`);
  const found = new Set(Object.values(LANGUAGES).flatMap(({ files }) => commandOf(resolve(folder), files) ?? []));
  const [first, ...others] = found;
  if (first === undefined) throw new UserError(`${NAME_IT}: ${folder} does not say how its tests are run.`);
  if (others.length > 0) throw new UserError(`${NAME_IT}: both \`${[...found].join("` and `")}\` may be meant.`);
  return first;
}

const OF_NODE = /["']node:test["']/;

function commandOf(folder: string, files: SourceFiles): string | null {
  if (Object.keys(files.buildFiles).length > 0) return usualTestsIn(folder, files);
  if (files.isScript && existsSync(join(folder, "package.json")) && hasTestScript(folder)) return files.usualTests;
  const places = ["", "tests", "test"].filter((name) => isFolder(join(folder, name)));
  const names = places.flatMap((place) => readdirSync(join(folder, place)).map((name) => join(place, name)));
  const tests = names.filter((name) => files.testName.test(name));
  if (!files.isScript) return tests.length > 0 ? files.usualTests : null;
  const isOfNode = (name: string) => OF_NODE.test(tryForeignText(folder, name).text ?? "");
  return tests.some(isOfNode) ? "node --test" : null;
}

/** npm writes a script that only fails into a new `package.json`. */
function hasTestScript(folder: string): boolean {
  const script = packageJson(folder)?.scripts.test;
  return script !== undefined && !script.includes("no test specified");
}
