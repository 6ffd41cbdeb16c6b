/** pytest: for files that need it, and for test functions wherever it is installed. */

import { UserError } from "../../errors.ts";
import { hasPackage, projectPython } from "../../project/python_environment.ts";
import type { Framework } from "../framework.ts";
import { parseLines } from "../lines.ts";
import { hasTestFunctions, hasTopLevelAsserts, pythonCommand, usesPytest } from "./command.ts";

export const pytest: Framework = {
  name: "pytest",
  language: "python",
  recognises: async (tests, project) =>
    usesPytest(tests) ||
    (hasTestFunctions(tests) && !hasTopLevelAsserts(tests) && hasPackage(await projectPython(project), "pytest")),
  commands: /^(?:\S*python[\d.]*\s+-m\s+)?(?:\S*\/)?py\.?test(?=\s|$)/,
  command: async (request) => {
    const python = await projectPython(request.project);
    if (!(await hasPackage(python, "pytest"))) {
      throw new UserError(
        `The tests need pytest, and ${python.executable} does not have it: install it there, or name another runner with --test-command.`,
      );
    }
    return pythonCommand("pytest", request);
  },
  takesFolders: true,
  namesHold: "::",
  select: (tests) => tests.map(({ name }) => name),
  hooks: true,
  parseResults: parseLines,
};
