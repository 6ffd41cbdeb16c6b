/** A file of plain assertions (`node:assert`, `console.assert`), which is one test. Takes what no framework does. */

import type { Framework } from "../framework.ts";
import { parseLines } from "../lines.ts";
import { NODE_ENVIRONMENT, nodeCommand, runnerFile } from "./command.ts";

const RUNNER = runnerFile("run_script.mjs");

export const script: Framework = {
  name: "assertions",
  language: "javascript",
  recognises: ({ path }) => /\.[cm]?[jt]sx?$/.test(path),
  commands: null,
  command: async ({ project, args, results }) => {
    const { argv, readable } = nodeCommand(project, args);
    return { argv: [...argv, RUNNER, results, ...args], env: NODE_ENVIRONMENT, readable: [...readable, RUNNER] };
  },
  parseResults: parseLines,
};
