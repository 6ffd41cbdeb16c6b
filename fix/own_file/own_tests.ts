/** The tests of a project as it runs them itself, where none are named after the file. */

import { tryForeignText } from "../../utils/files/foreign_file.ts";
import type { TestPlan } from "../../utils/frameworks/test_run.ts";
import { type Project, packageJson } from "../../utils/project/project.ts";
import { planSuite } from "../suite.ts";

/** Files with settings of pytest, and what begins these there. */
const PYTEST: readonly [file: string, settings: RegExp][] = [
  ["pytest.toml", /^\[/m],
  ["pytest.ini", /^\[pytest\]/m],
  ["pyproject.toml", /^\[tool\.pytest/m],
  ["setup.cfg", /^\[tool:pytest\]/m],
  ["tox.ini", /^\[pytest\]/m],
];

/**
 * The `test` script of `package.json` where it starts one runner that mend knows, else pytest where the project has settings
 * of it: the runner finds its tests. Null where neither says so plainly.
 */
export function projectsOwnPlan(project: Project): TestPlan | null {
  const command = project.target.endsWith(".py") ? pytestCommand(project) : scriptCommand(project);
  if (command === null) return null;
  const { framework, args, setup } = planSuite(project, command);
  return framework === null || setup !== "" ? null : { project, framework, command, args };
}

const scriptCommand = ({ folder }: Project): string | null =>
  packageJson(folder)?.scripts.test === undefined ? null : "npm test";

function pytestCommand({ folder }: Project): string | null {
  const has = PYTEST.some(([file, settings]) => settings.test(tryForeignText(folder, file).text ?? ""));
  return has ? "pytest" : null;
}
