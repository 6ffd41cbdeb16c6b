/** mocha. */

import type { Framework, TestReport } from "../framework.ts";
import { parseLines } from "../lines.ts";
import {
  filesOf,
  hookEnvironment,
  imports,
  isDeclared,
  nodeCommand,
  runnerFile,
  startedBy,
  titlePattern,
  usesGlobals,
} from "./command.ts";
import { installedCommand } from "./installed.ts";

/** Of our own: those that come with mocha can write to a file only in its later versions. */
const REPORTER = runnerFile("mocha_reporter.cjs");

export const mocha: Framework = {
  name: "mocha",
  language: "javascript",
  recognises: (tests, project) =>
    imports(tests, "mocha") || imports(tests, "chai") || (usesGlobals(tests) && isDeclared(project, "mocha")),
  commands: startedBy("_?mocha"),
  command: async ({ project, args, results, ...wanted }) => {
    const hooks = hookEnvironment(wanted);
    const files = hooks.file ? [hooks.file] : [];
    const command = installedCommand(project, "mocha", [
      ...["--reporter", REPORTER, "--reporter-options", `output=${results}`],
      ...args,
      ...files,
    ]);
    const {
      argv: [node = "", ...loader],
      readable,
    } = nodeCommand(project, args);
    const [, ...rest] = command.argv;
    return {
      argv: [node, ...loader, ...rest],
      env: { ...command.env, ...hooks.env },
      readable: [...command.readable, ...readable, REPORTER, ...files],
    };
  },
  select: (tests) => [...(filesOf(tests) ?? []), "--grep", titlePattern(tests)],
  hooks: true,
  parseResults: (text): TestReport | null => {
    const report = parseLines(text);
    return report && { ...report, fatal: report.tests.length === 0 ? "no tests were found" : null };
  },
};
