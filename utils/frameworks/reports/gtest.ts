/** What programs of GoogleTest print. */

import { firstLines } from "../../base/text/text.ts";
import type { TestReport, TestResult } from "../framework.ts";
import { MOST_LINES, testReport } from "./test_report.ts";

const BEGUN = /^\[ RUN {6}\] (.+)$/;
const ENDED = /^\[ {2}(?: {5}OK|FAILED {1}|SKIPPED) \] (\S+?)(?:, where .*)?(?: \(\d+ ms\))?$/;
const PLAN = /^\[=+\] Running (\d+) tests? from/m;

/** Null if the text is not from GoogleTest. A test that began and did not end failed, and ended the run. */
export function googleTestReport(text: string): TestReport | null {
  const [, planned] = PLAN.exec(text) ?? [];
  if (planned === undefined) return null;
  const tests: TestResult[] = [];
  let begun: { name: string; said: string[] } | null = null;
  for (const line of text.split(/\r?\n/)) {
    const [, name] = BEGUN.exec(line) ?? [];
    const [whole, ended] = ENDED.exec(line) ?? [];
    if (name !== undefined) begun = { name, said: [] };
    else if (begun && whole !== undefined && ended === begun.name) {
      const status = whole.includes(" OK ") ? "passed" : whole.includes("FAILED") ? "failed" : "skipped";
      tests.push({
        name: ended,
        status,
        message: status === "passed" ? "" : firstLines(begun.said.join("\n").trim(), MOST_LINES),
      });
      begun = null;
    } else begun?.said.push(line);
  }
  if (begun)
    tests.push({
      name: begun.name,
      status: "failed",
      message: firstLines(begun.said.join("\n").trim() || "it ended the program", MOST_LINES),
    });
  const lacking = Number(planned) - tests.length;
  return testReport(tests, lacking > 0 ? `only ${tests.length} of ${planned} tests ran` : null);
}
