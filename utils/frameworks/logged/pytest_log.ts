/** What `pytest -rA` prints. */

import type { TestReport, TestResult, TestStatus } from "../framework.ts";
import { blocksIn, logged } from "./log.ts";

/** A test that fails as its author expects counts as passed, as SWE-bench counts it. */
const STATUSES: Record<string, TestStatus> = {
  PASSED: "passed",
  XFAIL: "passed",
  XPASS: "passed",
  FAILED: "failed",
  ERROR: "error",
  SKIPPED: "skipped",
};
const STATUS = Object.keys(STATUSES).join("|");
const SUMMARY = /^=+ short test summary info =+$/m;
/** Not a captured line of a log, in which more spaces follow. A parameter may hold the dash before the reason. */
const LINE = new RegExp(`^(${STATUS}) (?!\\[\\d+\\] )([^[\\s][^[]*?(?:\\[.*?\\])?)(?: - (.*))?$`, "gm");
/** With `-v`, where no summary names the test. */
const VERBOSE = new RegExp(`^(\\S+::.*?) (${STATUS})(?: +\\[ *\\d+%\\])?$`, "gm");
const END = /^=* ?(?:\d+ \w+|no tests ran).* in [\d.]+ ?s/m;
const BLOCK = /^_{3,} (?:ERROR (?:at \w+ of|collecting) )?(.+?) _{3,}$/;

/** Null where pytest did not come to its end. */
export function pytestLog(text: string): TestReport | null {
  const log = logged(text);
  if (!END.test(log)) return null;
  const said = blocksIn(log, BLOCK, /^=+ .* =+$/);
  const tests = new Map<string, TestResult>();
  const fatal: string[] = [];
  const add = (name: string, status: string, reason = "") => {
    const [file = name, ...levels] = name.split("::");
    const message = [reason, said.get(levels.join("."))].filter(Boolean).join("\n");
    // A file, which could not be loaded.
    if (levels.length === 0) fatal.push(said.get(file) ?? `${file}: ${reason}`);
    else {
      const result = STATUSES[status] ?? "error";
      tests.set(name, { name, file, status: result, message: result === "passed" ? "" : message });
    }
  };
  for (const [, name = "", status = ""] of log.matchAll(VERBOSE)) add(name, status);
  const summary = log.split(SUMMARY).slice(1).at(-1) ?? "";
  for (const [, status = "", name = "", reason] of summary.matchAll(LINE)) add(name.trim(), status, reason);
  return { tests: [...tests.values()], fatal: fatal.length === 0 ? null : fatal.join("\n") };
}
