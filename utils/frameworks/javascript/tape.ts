/** tape: files of tests, each of which is a program of its own. */

import type { Framework } from "../framework.ts";
import { parseLines } from "../lines.ts";
import { hookEnvironment, imports, NODE_ENVIRONMENT, nodeCommand, runnerFile, startedBy } from "./command.ts";

const RUNNER = runnerFile("run_tape.cjs");

export const tape: Framework = {
  name: "tape",
  language: "javascript",
  recognises: (tests) => imports(tests, "tape"),
  commands: startedBy("tape"),
  command: async ({ project, args, results, ...wanted }) => {
    const { argv, readable } = nodeCommand(project, args);
    const hooks = hookEnvironment(wanted);
    return {
      argv: [...argv, RUNNER, results, ...args],
      env: { ...NODE_ENVIRONMENT, ...hooks.env, ...(hooks.file ? { MEND_HOOKS: hooks.file } : {}) },
      readable: [...readable, RUNNER, ...(hooks.file ? [hooks.file] : [])],
    };
  },
  select: (tests) => [...new Set(tests.flatMap(({ file }) => file ?? []))],
  hooks: true,
  parseResults: parseLines,
};
