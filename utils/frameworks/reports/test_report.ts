/** What reports of runners have in common. */

import type { TestReport, TestResult } from "../framework.ts";

/** Most lines of a message. */
export const MOST_LINES = 12;

export const testReport = (tests: TestResult[], fatal: string | null = null): TestReport => ({
  tests,
  fatal: fatal ?? (tests.length === 0 ? "no tests were found" : null),
});
