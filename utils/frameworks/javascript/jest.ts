/** jest, installed with npm. */

import { configFiles, type Framework } from "../framework.ts";
import { imports, isDeclared, runnerFile, startedBy, usesGlobals, withExpect } from "./command.ts";
import { jestLikeCommand, parseResults, select } from "./jest_like.ts";

export const jest: Framework = {
  name: "jest",
  language: "javascript",
  names: { modules: ["jest"], settings: [configFiles("jest")], signs: /\bJEST_WORKER_ID\b/ },
  writes: withExpect(),
  recognises: (tests, project) =>
    imports(tests, "@jest/globals") || (usesGlobals(tests) && isDeclared(project, "jest")),
  commands: startedBy("jest"),
  command: async (request) => {
    const options = [...OWN_REPORTER, "--json", "--runInBand", "--cache=false", "--watchman=false"];
    const command = jestLikeCommand("jest", options, "--setupFilesAfterEnv", request);
    const [node = "", ...rest] = command.argv;
    return { ...command, argv: [node, LATE_REJECTIONS, ...rest] };
  },
  select,
  hooks: true,
  parseResults,
};

/**
 * Reporters of the project's settings may not be installed, and a threshold of its coverage may fail a run whose tests
 * pass.
 */
const OWN_REPORTER = ["--reporters=default", `--reporters=${runnerFile("own_words.cjs")}`, "--coverage=false"];

/**
 * A promise that is rejected after the last test, without a handler, would end Node before the results are written.
 * With this option Node prints a warning, and the run still ends with 1.
 */
const LATE_REJECTIONS = "--unhandled-rejections=warn-with-error-code";
