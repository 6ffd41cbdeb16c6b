/**
 * Which tests say whether a repair of a file is right: those that the user names, else those that the project runs
 * itself.
 */

import { existsSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { UserError } from "../../utils/base/data/errors.ts";
import { readNamedText } from "../../utils/base/files/foreign_file.ts";
import { mayHoldTests } from "../../utils/frameworks/registry.ts";
import { planFile, type TestPlan } from "../../utils/frameworks/test_run.ts";
import { type SourceFiles, usualTestsIn } from "../../utils/languages/source_files.ts";
import { languageOfFile } from "../../utils/project/outline.ts";
import { findProject, type Project, packageJson, shown } from "../../utils/project/project.ts";
import { planSuite } from "../project/suite.ts";

/**
 * @param tests absolute path of the file with tests, where there is one
 * @param command the user's own, if any: it decides
 * @throws UserError where nothing says what to run
 */
export async function planTests(
  project: Project,
  tests: string | null,
  command: string | undefined,
): Promise<TestPlan> {
  if (command !== undefined) return planSuite(project, command);
  const { runtime, files } = languageOfFile(project.target);
  // No file of tests runs by itself: all of the project's are built and run.
  if (runtime?.compiled) return planSuite(project, builtTests(project, files, tests));
  if (tests !== null) return await planFile(project, tests);
  const plan = projectsOwnPlan(project);
  if (plan) return plan;
  const { testsOf } = files;
  const ending = extname(project.target);
  const names = testsOf(basename(project.target, ending), ending).slice(0, 2).join(" or ");
  const target = shown(project, project.target);
  if (files.testName.test(target) && !mayHoldTests(languageOfFile(project.target).name, readNamedText(project.target)))
    throw new UserError(`${target} is a file of tests: name the file that it tests.`);
  const own = mayHoldTests(languageOfFile(project.target).name, readNamedText(project.target))
    ? `--tests ${target} takes the assertions in ${target} itself.`
    : "Name them with --tests FILE or --test-command COMMAND.";
  throw new UserError(
    `mend found no tests that tell whether a repair is right: it looked for ${names} beside the file and in folders ` +
      `of tests, and for a test command in the project's settings. ${own}`,
  );
}

/** The file of plain assertions that a command only starts, as mend itself would; null for any other command. */
export function assertionsStartedBy(command: string, target: string): string | null {
  const [, name] = /^python3 (\S+\.py)$/.exec(command.trim()) ?? [];
  const path = name === undefined ? null : join(findProject([target]).folder, name);
  return path !== null && existsSync(path) && mayHoldTests("python", readNamedText(path)) ? path : null;
}

/**
 * What builds a project, or the file by itself, and runs its tests.
 * @throws UserError where the project has no file that says it, and the file no tests
 */
function builtTests(project: Project, files: SourceFiles, tests: string | null): string {
  const { folder, target } = project;
  const text = readNamedText(target);
  const own = {
    file: shown(project, target),
    text,
    tests: tests === null ? null : { file: shown(project, tests), text: readNamedText(tests) },
  };
  const command = usualTestsIn(folder, files) ?? files.alone?.(own);
  if (command) return command;
  const none = new Intl.ListFormat("en", { type: "disjunction" }).format(Object.keys(files.buildFiles));
  throw new UserError(
    `${folder} has no ${none}: name the command that builds and tests it with --test-command COMMAND.`,
  );
}

/**
 * The usual test command of the language, if the project's settings ask for it: a `test` script of `package.json`, or
 * settings of pytest. The runner finds its tests. Null if the settings do not clearly name a runner that mend knows.
 */
function projectsOwnPlan(project: Project): TestPlan | null {
  const { files } = languageOfFile(project.target);
  if (files.isScript && packageJson(project.folder)?.scripts.test === undefined) return null;
  const { framework, ...plan } = planSuite(project, files.usualTests);
  if (framework === null || plan.setup !== "" || framework.isSetUp?.(project) === false) return null;
  return { ...plan, framework };
}
