/**
 * Which tests say whether a repair of a file is right: those that the user names, else those that the project runs
 * itself.
 */

import { UserError } from "../../utils/data/errors.ts";
import { tryForeignText } from "../../utils/files/foreign_file.ts";
import { planFile, type TestPlan } from "../../utils/frameworks/test_run.ts";
import { languageOfFile } from "../../utils/project/outline.ts";
import { type Project, packageJson } from "../../utils/project/project.ts";
import { planSuite } from "../project/suite.ts";

/** Files with settings of pytest, and what begins these there. */
const PYTEST: readonly [file: string, settings: RegExp][] = [
  ["pytest.toml", /^\[/m],
  ["pytest.ini", /^\[pytest\]/m],
  ["pyproject.toml", /^\[tool\.pytest/m],
  ["setup.cfg", /^\[tool:pytest\]/m],
  ["tox.ini", /^\[pytest\]/m],
];

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
  if (runtime?.compiled) return planSuite(project, files.usualTests);
  if (tests !== null) return await planFile(project, tests);
  const plan = projectsOwnPlan(project);
  if (plan) return plan;
  throw new UserError("--tests FILE or --test-command COMMAND is needed: what says whether a repair is right?");
}

/**
 * The `test` script of `package.json` where it starts one runner that mend knows, else pytest where the project has
 * settings of it: the runner finds its tests. Null where neither says so plainly.
 */
function projectsOwnPlan(project: Project): TestPlan | null {
  const command = project.target.endsWith(".py") ? pytestCommand(project) : scriptCommand(project);
  if (command === null) return null;
  const plan = planSuite(project, command);
  return plan.framework === null || plan.setup !== "" ? null : plan;
}

const scriptCommand = ({ folder }: Project): string | null =>
  packageJson(folder)?.scripts.test === undefined ? null : "npm test";

function pytestCommand({ folder }: Project): string | null {
  const has = PYTEST.some(([file, settings]) => settings.test(tryForeignText(folder, file).text ?? ""));
  return has ? "pytest" : null;
}
