/** node:test, the test runner that comes with Node.js. */

import { pathToFileURL } from "node:url";
import type { Framework } from "../framework.ts";
import { parseLines } from "../lines.ts";
import { imports, NODE_ENVIRONMENT, nodeCommand, runnerFile } from "./command.ts";

const REPORTER = runnerFile("node_reporter.mjs");

export const nodeTest: Framework = {
  name: "node:test",
  language: "javascript",
  recognises: (tests) => imports(tests, "node:test"),
  commands: /^(?:(?:\S*\/)?node\s+--test|node:test)(?=\s|$)/,
  command: async ({ project, args, results }) => {
    const { argv, readable } = nodeCommand(project, args);
    const report = [`--test-reporter=${pathToFileURL(REPORTER).href}`, `--test-reporter-destination=${results}`];
    // One file needs no process of its own.
    return {
      argv: [...argv, ...report, ...(args.length === 1 ? [] : ["--test"]), ...args],
      env: NODE_ENVIRONMENT,
      readable: [...readable, REPORTER],
    };
  },
  parseResults: parseLines,
};
