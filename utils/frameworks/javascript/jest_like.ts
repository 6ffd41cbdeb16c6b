/** What jest has in common with frameworks made after its example: their command lines, and the report they write. */

import { z } from "zod";
import { readJson } from "../../base/data/record.ts";
import { firstLines } from "../../base/text/text.ts";
import type { CommandRequest, TestReport, TestResult, TestStatus } from "../framework.ts";
import { filesOf, hookEnvironment, installedCommand, titlePattern } from "./command.ts";

/** @param setUp the option that names a file to be loaded before the tests */
export function jestLikeCommand(
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

export function select(tests: readonly TestResult[]): string[] {
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
          title: z.string().optional(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

export function parseResults(text: string): TestReport | null {
  const report = readJson(text, Report);
  if (!report) return null;
  const files = report.testResults;
  const tests = files.flatMap(({ assertionResults, name: file }) =>
    assertionResults.map(({ fullName, title, status, failureMessages }) => ({
      name: fullName.trim(),
      title: title?.trim(),
      file: file ?? undefined,
      status: STATUSES[status] ?? "skipped",
      message: saidIn((failureMessages ?? []).join("\n")),
    })),
  );
  const broken = files.find(({ status, assertionResults }) => status === "failed" && assertionResults.length === 0);
  const fatal = broken ? firstLines(withoutStack(broken.message ?? "the file could not be loaded"), 8) : null;
  return { tests, fatal: fatal ?? (tests.length === 0 ? "no tests were found" : null) };
}

const MOST_FRAMES = 4;

/** The message, and the frames of the project. */
function saidIn(text: string): string {
  const frames = (text.match(/^\s+at .*$/gm) ?? []).filter((line) => !/node_modules|node:|\(<anonymous>\)/.test(line));
  return [firstLines(withoutStack(text), 6), ...frames.slice(0, MOST_FRAMES)].join("\n");
}

const withoutStack = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes of colours
    .replace(/\u001b\[[\d;]*m/g, "")
    .replace(/^\s+at .*$/gm, "")
    .replace(/\n\s*\n/g, "\n")
    .trim();
