/** jest. */

import type { Framework } from "../framework.ts";
import { filesOf, hookEnvironment, imports, isDeclared, startedBy, titlePattern, usesGlobals } from "./command.ts";
import { installedCommand } from "./installed.ts";
import { parseJestJson } from "./jest_json.ts";

export const jest: Framework = {
  name: "jest",
  language: "javascript",
  recognises: (tests, project) =>
    imports(tests, "@jest/globals") || (usesGlobals(tests) && isDeclared(project, "jest")),
  commands: startedBy("jest"),
  command: async ({ project, args, results, ...wanted }) => {
    const hooks = hookEnvironment(wanted);
    const command = installedCommand(project, "jest", [
      "--json",
      `--outputFile=${results}`,
      "--runInBand",
      "--cache=false",
      "--watchman=false",
      ...args,
      // Last: it takes what follows for more files.
      ...(hooks.file ? [`--setupFilesAfterEnv=${hooks.file}`] : []),
    ]);
    return {
      ...command,
      env: { ...command.env, ...hooks.env },
      readable: [...command.readable, ...(hooks.file ? [hooks.file] : [])],
    };
  },
  select: (tests) => [...(filesOf(tests) ?? []), "--testNamePattern", titlePattern(tests)],
  hooks: true,
  parseResults: parseJestJson,
};
