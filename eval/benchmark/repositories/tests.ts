/** How the tests of a task are run. */

import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { whyNoTests } from "../../../fix/project/baseline.ts";
import { isTestName } from "../../../fix/project/kinds.ts";
import { planSuite, Suite } from "../../../fix/project/suite.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { makeTemporaryFolder } from "../../../utils/base/files/temporary.ts";
import { frameworkStartedBy } from "../../../utils/frameworks/registry.ts";
import { LANGUAGES, languageOf } from "../../../utils/languages/registry.ts";
import { usualTestsIn } from "../../../utils/languages/source_files.ts";
import { copyProject, filesOf } from "../../../utils/project/copy.ts";
import { repositoryProject } from "../../../utils/project/project.ts";
import type { CommandBox } from "../../../utils/sandbox/command/command_box.ts";
import type { RepositoryTask } from "./rows.ts";

/** Processor time of one run of the tests, in seconds. */
export const TEST_SECONDS = 300;

/** In an image, where a task's folder of tests may be most of a large suite: as SWE-bench gives them. */
const IMAGE_SECONDS = 1800;

export const testSeconds = ({ inside }: Pick<CommandBox, "inside">): number => (inside ? IMAGE_SECONDS : TEST_SECONDS);

/** Of the first of them alone: what takes longer has started. */
const START_SECONDS = 60;

/** The files of tests of a task; the folder that they lie in, or are going to; all tests of the repository. */
export type Tests = "files" | "folder" | "all";

/** How these tests are run. */
export function commandOf(row: RepositoryTask, tree: string, tests: Tests): string {
  const { framework, command, testFiles } = row;
  const build = row.build || rebuildOf(tree);
  const prefix = build === "" ? "" : `${build} && `;
  const { files } = LANGUAGES[row.language];
  // Which program builds a project in Java is seen in its tree.
  if (command === files.usualTests) return `${prefix}${usualTestsIn(tree, files) ?? command}`;
  if (command !== "") return `${prefix}${command}`;
  if (tests === "files") return `${prefix}${framework} ${testFiles.join(" ")}`;
  const parts = dirname(testFiles[0] ?? "").split("/");
  const outermost = parts.findIndex((_, i) => isTestName(`${parts.slice(0, i + 1).join("/")}/`));
  const folder = (tests === "all" && outermost !== -1 ? parts.slice(0, outermost + 1) : parts).join("/");
  if (!frameworkStartedBy(framework)?.framework.takesFolders && existsSync(join(tree, folder))) {
    const names = readdirSync(join(tree, folder)).filter((name) => languageOf(name));
    return `${prefix}${framework} ${names.map((name) => join(folder, name)).join(" ")}`;
  }
  return `${prefix}${framework} ${folder}`;
}

const COMPILED = /\.(?:so|pyd)$/;
/** As SWE-bench, which installs a project after each patch, runs the tests even where this fails. */
const REBUILD = '"$(command -v python || command -v python3)" setup.py --quiet build_ext --inplace >&2 || true';

/** What compiles modules of Python anew whose sources a patch changes; empty where a tree has none. */
const rebuildOf = (tree: string): string =>
  existsSync(join(tree, "setup.py")) && filesOf(tree, "all").files.some((file) => COMPILED.test(file)) ? REBUILD : "";

/**
 * Why the framework does not start with the settings of a task's repository: an option that no plugin knows, say, or it
 * is not there. Null where it does, and where it cannot be asked by one test.
 * @param tree the repository with the task's tests
 */
export async function startFailure(
  row: RepositoryTask,
  tree: string,
  options: { box: CommandBox; python?: string | undefined },
): Promise<string | null> {
  const first = row.command === "" ? frameworkStartedBy(row.framework)?.framework.firstAlone : undefined;
  if (!first && row.command === "") return null;
  using copy = makeTemporaryFolder("start");
  try {
    using suite = copyWithSuites(row, tree, copy.path, options)("files", first);
    if (!first) return null;
    const run = await suite.run(copy.path, { seconds: START_SECONDS });
    return run.ending === "no report" ? whyNoTests(run, suite.layer) : null;
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

/** Copies `tree` to `copy`. @returns what runs tests in such copies, with more arguments where they are given */
export function copyWithSuites(
  row: RepositoryTask,
  tree: string,
  copy: string,
  { box, python }: { box: CommandBox; python?: string | undefined },
): (tests: Tests, more?: readonly string[]) => Suite {
  const project = repositoryProject(tree, box, python);
  const { installed } = copyProject(filesOf(project.root, "tracked"), copy, box.layer);
  return (tests, more = []) => {
    const plan = planSuite(project, [commandOf(row, tree, tests), ...more].join(" "));
    return new Suite({ box, project, plan, installed, environment: {}, seconds: testSeconds(box) });
  };
}
