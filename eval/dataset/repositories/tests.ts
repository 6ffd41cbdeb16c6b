/** How the tests of a task are run. */

import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { isTestName } from "../../../agent/repository/guard/kinds.ts";
import { planSuite, Suite } from "../../../agent/repository/suite.ts";
import { frameworkNamed } from "../../../utils/frameworks/registry.ts";
import { languageOf } from "../../../utils/languages/registry.ts";
import { copyProject, filesOf } from "../../../utils/project/copy.ts";
import { repositoryProject } from "../../../utils/project/project.ts";
import type { CommandBox } from "../../../utils/sandbox/command_box.ts";
import type { RepositoryTask } from "./rows.ts";

/** Processor time of one run of the tests, in seconds. */
export const TEST_SECONDS = 300;

/** The files of tests of a task; the folder that they lie in, or are going to; all tests of the repository. */
export type Tests = "files" | "folder" | "all";

/** How these tests are run. */
export function commandOf({ build, framework, testFiles }: RepositoryTask, tree: string, tests: Tests): string {
  const prefix = build === "" ? "" : `${build} && `;
  if (tests === "files") return `${prefix}${framework} ${testFiles.join(" ")}`;
  const parts = dirname(testFiles[0] ?? "").split("/");
  const outermost = parts.findIndex((_, i) => isTestName(`${parts.slice(0, i + 1).join("/")}/`));
  const folder = (tests === "all" && outermost !== -1 ? parts.slice(0, outermost + 1) : parts).join("/");
  if (!frameworkNamed(framework)?.takesFolders && existsSync(join(tree, folder))) {
    const files = readdirSync(join(tree, folder)).filter((name) => languageOf(name));
    return `${prefix}${framework} ${files.map((name) => join(folder, name)).join(" ")}`;
  }
  return `${prefix}${framework} ${folder}`;
}

/** Copies `tree` to `copy`. @returns what runs tests in such copies */
export function copyWithSuites(
  row: RepositoryTask,
  tree: string,
  copy: string,
  { box, python }: { box: CommandBox; python?: string | undefined },
): (tests: Tests) => Suite {
  const project = repositoryProject(tree, box.layer, python);
  const { installed } = copyProject(filesOf(project.root, "tracked"), copy, box.layer);
  return (tests) => {
    const plan = planSuite(project, commandOf(row, tree, tests));
    return new Suite({ box, project, plan, installed, environment: {}, seconds: TEST_SECONDS });
  };
}
