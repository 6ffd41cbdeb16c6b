/**
 * What a command of somebody's own says of its tests: by name where it prints them as TAP, as JUnit's XML or as
 * GoogleTest does, else by its exit code alone.
 */

import type { TestReport, TestResult } from "./framework.ts";
import { googleTestReport } from "./reports/gtest.ts";
import { junitReport } from "./reports/junit.ts";
import { parseTap, settled } from "./tap.ts";

/**
 * @param ended how it did; null is the exit code of what was stopped
 * @param said what it printed, for where it failed
 */
export function commandReport(
  command: string,
  { exitCode, stdout }: { exitCode: number | null; stdout: string },
  said: string,
): TestReport {
  const failed = exitCode !== 0;
  const why = `exit code ${exitCode ?? "unknown"}`;
  const tap = parseTap(stdout);
  if (tap.isSure && tap.tests.length > 0) {
    const cut = tap.isPlanned ? tap.fatal : (tap.fatal ?? "it ended before it told how many tests there are");
    return settled({ ...tap, fatal: cut }, failed, `${command} ended with ${why}`);
  }
  const told = stdout.includes("<testcase") ? junitReport(stdout, "class") : googleTestReport(stdout);
  if (told && told.tests.length > 0) {
    const agrees =
      !failed || told.fatal !== null || told.tests.some(({ status }) => status === "failed" || status === "error");
    return agrees ? told : { ...told, fatal: `${command} ended with ${why}` };
  }
  const message = failed ? `${why}\n${said}` : "";
  return { tests: [{ name: command, status: failed ? "failed" : "passed", message }], fatal: null };
}

/** Whether a run reported only the exit code of its command. */
export function isExitCodeAlone(command: string, tests: Iterable<TestResult>): boolean {
  const [first, second] = tests;
  return first?.name === command && second === undefined;
}
