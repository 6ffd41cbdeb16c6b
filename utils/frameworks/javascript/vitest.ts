/** vitest. */

import type { Framework } from "../framework.ts";
import { filesOf, hookEnvironment, imports, isDeclared, startedBy, titlePattern, usesGlobals } from "./command.ts";
import { installedCommand } from "./installed.ts";
import { parseJestJson } from "./jest_json.ts";

export const vitest: Framework = {
  name: "vitest",
  language: "javascript",
  recognises: (tests, project) => imports(tests, "vitest") || (usesGlobals(tests) && isDeclared(project, "vitest")),
  commands: startedBy("vitest", "(?:\\s+run)?"),
  command: async ({ project, args, results, ...wanted }) => {
    const hooks = hookEnvironment(wanted);
    const command = installedCommand(project, "vitest", [
      "run",
      "--reporter=json",
      `--outputFile=${results}`,
      "--no-cache",
      "--no-file-parallelism",
      ...args,
      // Last: it takes what follows for more files.
      ...(hooks.file ? [`--setupFiles=${hooks.file}`] : []),
    ]);
    return {
      ...command,
      env: { ...command.env, ...hooks.env },
      readable: [...command.readable, ...(hooks.file ? [hooks.file] : [])],
    };
  },
  select: (tests) => [...(filesOf(tests) ?? []), "--testNamePattern", titlePattern(tests)],
  parseResults: parseJestJson,
};
