/** mocha. */

import { z } from "zod";
import { firstLines } from "../../text.ts";
import type { Framework, TestReport } from "../framework.ts";
import { imports, isDeclared, nodeCommand, startedBy, usesGlobals } from "./command.ts";
import { installedCommand } from "./installed.ts";

const Tests = z.array(
  z.looseObject({ fullTitle: z.string(), err: z.looseObject({ message: z.string().optional() }).optional() }),
);
const Report = z.looseObject({ tests: Tests, pending: Tests, failures: Tests });

export const mocha: Framework = {
  name: "mocha",
  language: "javascript",
  recognises: (tests, project) =>
    imports(tests, "mocha") || imports(tests, "chai") || (usesGlobals(tests) && isDeclared(project, "mocha")),
  commands: startedBy("_?mocha"),
  command: async ({ project, args, results }) => {
    const command = installedCommand(project, "mocha", [
      "--reporter",
      "json",
      "--reporter-option",
      `output=${results}`,
      ...args,
    ]);
    const {
      argv: [node = "", ...loader],
      readable,
    } = nodeCommand(project, args);
    const [, ...rest] = command.argv;
    return { ...command, argv: [node, ...loader, ...rest], readable: [...command.readable, ...readable] };
  },
  parseResults,
};

function parseResults(text: string): TestReport | null {
  let report: z.infer<typeof Report>;
  try {
    report = Report.parse(JSON.parse(text));
  } catch {
    return null;
  }
  const skipped = new Set(report.pending.map(({ fullTitle }) => fullTitle));
  // A hook that fails is among the failures and not among the tests.
  const names = new Set(report.tests.map(({ fullTitle }) => fullTitle));
  const hooks = report.failures.filter(({ fullTitle }) => !names.has(fullTitle));
  const tests = [...report.tests, ...hooks].map(({ fullTitle: name, err }) => {
    const failed = err !== undefined && Object.keys(err).length > 0;
    const status = skipped.has(name) ? ("skipped" as const) : failed ? ("failed" as const) : ("passed" as const);
    return { name, status, message: firstLines(err?.message ?? "", 6) };
  });
  return { tests, fatal: tests.length === 0 ? "no tests were found" : null };
}
