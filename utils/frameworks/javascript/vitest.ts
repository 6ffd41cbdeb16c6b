/** vitest. */

import type { Framework } from "../framework.ts";
import { imports, isDeclared, startedBy, usesGlobals } from "./command.ts";
import { installedCommand } from "./installed.ts";
import { parseJestJson } from "./jest_json.ts";

export const vitest: Framework = {
  name: "vitest",
  language: "javascript",
  recognises: (tests, project) => imports(tests, "vitest") || (usesGlobals(tests) && isDeclared(project, "vitest")),
  commands: startedBy("vitest", "(?:\\s+run)?"),
  command: async ({ project, args, results }) =>
    installedCommand(project, "vitest", [
      "run",
      "--reporter=json",
      `--outputFile=${results}`,
      "--no-cache",
      "--no-file-parallelism",
      ...args,
    ]),
  parseResults: parseJestJson,
};
