/** vitest, installed with npm. */

import { configFiles, type Framework } from "../framework.ts";
import { imports, isDeclared, startedBy, usesGlobals, withExpect } from "./command.ts";
import { jestLikeCommand, parseResults, select } from "./jest_like.ts";

export const vitest: Framework = {
  name: "vitest",
  language: "javascript",
  names: { modules: ["vitest"], settings: [configFiles(/vite(?:st)?/)], signs: /\bVITEST\b/ },
  writes: withExpect(/\bexpect\b/),
  recognises: (tests, project) => imports(tests, "vitest") || (usesGlobals(tests) && isDeclared(project, "vitest")),
  commands: startedBy("vitest", "(?:\\s+run)?"),
  command: async (request) =>
    jestLikeCommand(
      "vitest",
      ["run", "--reporter=json", "--no-cache", "--no-file-parallelism"],
      "--setupFiles",
      request,
    ),
  select,
  parseResults,
};
