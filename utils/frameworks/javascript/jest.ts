/** jest. */

import type { Framework } from "../framework.ts";
import { imports, isDeclared, startedBy, usesGlobals } from "./command.ts";
import { installedCommand } from "./installed.ts";
import { parseJestJson } from "./jest_json.ts";

export const jest: Framework = {
  name: "jest",
  language: "javascript",
  recognises: (tests, project) =>
    imports(tests, "@jest/globals") || (usesGlobals(tests) && isDeclared(project, "jest")),
  commands: startedBy("jest"),
  command: async ({ project, args, results }) =>
    installedCommand(project, "jest", [
      "--json",
      `--outputFile=${results}`,
      "--runInBand",
      "--cache=false",
      "--watchman=false",
      ...args,
    ]),
  parseResults: parseJestJson,
};
