/**
 * What runners of many languages print, a line for each test: Go, cargo, CTest, GoogleTest, automake, surefire, Gradle,
 * jest, vitest and mocha. As Multi-SWE-bench counts it: a class of surefire, a file of jest and a task of Gradle are
 * tests, too. Source: multi-swe-bench (PyPI), `parse_log` of its 39 first repositories.
 */

import type { TestReport, TestResult, TestStatus } from "../framework.ts";
import { logged } from "./log.ts";
import { pytestLog } from "./pytest_log.ts";

const TIME = String.raw`(?: \(\d*\.?\d+ ?\w+\)| \d+ms)?`;
/** Each with the groups `name` and `end`. */
const LINES = [
  /^--- (?<end>PASS|FAIL|SKIP): (?<name>\S+)/,
  /^test (?<name>\S.*?)(?: - should panic)? \.\.\. (?<end>ok|FAILED|ignored)/,
  /^\d+\/\d+ +Test +#\d+: +(?<name>.+?) \.*\s*(?:\*+)?(?<end>Passed|Failed|Not Run|Skipped|Timeout|Exception)/,
  /^\[ *(?<end>OK|FAILED|SKIPPED) *\] (?<name>[^\s,]+)(?:, where .*)?(?: \(\d+ ms\))?$/,
  /^(?<end>PASS|FAIL|SKIP): (?<name>\S+)$/,
  /^(?<name>.+ > .+) (?<end>PASSED|FAILED|SKIPPED)$/,
  /^> Task :(?<name>\S+)(?: (?<end>UP-TO-DATE|FROM-CACHE|FAILED|SKIPPED|NO-SOURCE))?$/,
  new RegExp(`^(?<end>[✓✔√✕✖×✗]|\\d+\\)) (?<name>.+?)(?: \\(\\d+ tests?\\))?${TIME}$`),
];
/** A file, whose tests follow. */
const SUITE = new RegExp(`^(?<end>PASS|FAIL) +(?<name>\\S+)${TIME}$`);
const RUNNING = /^(?:\[\w+\] )?Running (\S+)/;
const CLASS =
  /Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+), Time elapsed: [\d.,]+ \S+(?:.*? in (\S.*))?/;

const PASSED = /^(?:PASS(?:ED)?|OK|UP-TO-DATE|FROM-CACHE|[✓✔√])$/i;
const SKIPPED = /^(?:SKIP(?:PED)?|ignored|NO-SOURCE|Not Run)$/i;
const statusOf = (end: string): TestStatus => (PASSED.test(end) ? "passed" : SKIPPED.test(end) ? "skipped" : "failed");

/** Null where it names no test. What pytest prints is read as pytest's. */
export function printedLog(text: string): TestReport | null {
  const python = pytestLog(text);
  if (python) return python;
  const tests: TestResult[] = [];
  let suite = "";
  let running = "";
  for (const whole of logged(text).split("\n")) {
    const line = whole.trim();
    const add = (title: string, status: TestStatus, prefix = "") =>
      tests.push({ name: prefix + title, title, status, message: status === "failed" ? line : "" });
    running = RUNNING.exec(line)?.[1] ?? running;
    const file = SUITE.exec(line)?.groups;
    const test = LINES.map((pattern) => pattern.exec(line)?.groups).find(Boolean);
    const [found, run, failures, errors, skipped, name = running] = CLASS.exec(line) ?? [];
    if (file?.name !== undefined) {
      suite = `${file.name}:`;
      add(file.name, statusOf(file.end ?? ""));
    } else if (test?.name !== undefined) add(test.name, statusOf(test.end ?? "ok"), /^\S /.test(line) ? suite : "");
    else if (found !== undefined && run !== "0" && name !== "")
      add(name, Number(failures) + Number(errors) > 0 ? "failed" : skipped === run ? "skipped" : "passed");
  }
  return tests.length === 0 ? null : { tests, fatal: null };
}
