/** jest, and vitest after its example: both are installed with npm and write the same report. */

import { z } from "zod";
import { readJson } from "../../base/data/record.ts";
import { firstLines } from "../../base/text/text.ts";
import {
  type CommandRequest,
  configFiles,
  type Framework,
  type TestReport,
  type TestResult,
  type TestStatus,
} from "../framework.ts";
import {
  filesOf,
  hookEnvironment,
  imports,
  installedCommand,
  isDeclared,
  startedBy,
  titlePattern,
  usesGlobals,
  withExpect,
} from "./command.ts";

export const jest: Framework = {
  name: "jest",
  language: "javascript",
  names: { modules: ["jest"], settings: [configFiles("jest")], signs: /\bJEST_WORKER_ID\b/ },
  writes: withExpect(),
  recognises: (tests, project) =>
    imports(tests, "@jest/globals") || (usesGlobals(tests) && isDeclared(project, "jest")),
  commands: startedBy("jest"),
  command: async (request) => {
    const options = ["--json", "--runInBand", "--cache=false", "--watchman=false"];
    const command = commandOf("jest", options, "--setupFilesAfterEnv", request);
    const [node = "", ...rest] = command.argv;
    return { ...command, argv: [node, LATE_REJECTIONS, ...rest] };
  },
  select,
  hooks: true,
  parseResults,
};

export const vitest: Framework = {
  name: "vitest",
  language: "javascript",
  names: { modules: ["vitest"], settings: [configFiles(/vite(?:st)?/)], signs: /\bVITEST\b/ },
  writes: withExpect(/\bexpect\b/),
  recognises: (tests, project) => imports(tests, "vitest") || (usesGlobals(tests) && isDeclared(project, "vitest")),
  commands: startedBy("vitest", "(?:\\s+run)?"),
  command: async (request) =>
    commandOf("vitest", ["run", "--reporter=json", "--no-cache", "--no-file-parallelism"], "--setupFiles", request),
  select,
  parseResults,
};

/**
 * A promise that is rejected when no test runs any more, and that nobody waits for, would end Node and the results of
 * all tests with it. So it is told, and the run ends with 1 all the same.
 */
const LATE_REJECTIONS = "--unhandled-rejections=warn-with-error-code";

/** @param setUp the option that names a file to be loaded before the tests */
function commandOf(
  name: string,
  options: string[],
  setUp: string,
  { project, args, results, ...wanted }: CommandRequest,
) {
  const { file, env } = hookEnvironment({ project, ...wanted });
  // Last: it takes what follows for more files.
  const hooks = file ? [`${setUp}=${file}`] : [];
  const command = installedCommand(project, name, [...options, `--outputFile=${results}`, ...args, ...hooks]);
  return { ...command, env: { ...command.env, ...env } };
}

function select(tests: readonly TestResult[]): string[] {
  return [...(filesOf(tests) ?? []), "--testNamePattern", titlePattern(tests)];
}

const STATUSES: Record<string, TestStatus> = { passed: "passed", failed: "failed" };

const Report = z.looseObject({
  testResults: z.array(
    z.looseObject({
      status: z.string(),
      name: z.string().nullish(),
      message: z.string().nullish(),
      assertionResults: z.array(
        z.looseObject({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

function parseResults(text: string): TestReport | null {
  const report = readJson(text, Report);
  if (!report) return null;
  const files = report.testResults;
  const tests = files.flatMap(({ assertionResults, name: file }) =>
    assertionResults.map(({ fullName, status, failureMessages }) => ({
      name: fullName.trim(),
      file: file ?? undefined,
      status: STATUSES[status] ?? "skipped",
      message: firstLines(withoutStack((failureMessages ?? []).join("\n")), 6),
    })),
  );
  const broken = files.find(({ status, assertionResults }) => status === "failed" && assertionResults.length === 0);
  const fatal = broken ? firstLines(withoutStack(broken.message ?? "the file could not be loaded"), 8) : null;
  return { tests, fatal: fatal ?? (tests.length === 0 ? "no tests were found" : null) };
}

const withoutStack = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes of colours
    .replace(/\u001b\[[\d;]*m/g, "")
    .replace(/^\s+at .*$/gm, "")
    .replace(/\n\s*\n/g, "\n")
    .trim();
