/** What SymPy's `bin/test -C --verbose` prints. */

import type { TestReport, TestResult, TestStatus } from "../framework.ts";
import { blocksIn, logged } from "./log.ts";

const END = /^=+ tests finished: /m;
const FILE = /^(\S+\.py)\[(?:\d+|\?)\]/;
const TEST = /^(test_\w+)\s+(ok|F|E|f|X|s|T|K|w)?\b/;
const STATUSES: Record<string, TestStatus> = { ok: "passed", F: "failed", E: "error", f: "passed", X: "passed" };
const BLOCK = /^_{3,} (\S+\.py:\w+) _{3,}$/;
const UNLOADED = /^_{3,} (\S+\.py) _{3,}$/;
const END_OF_BLOCK = /^(?:=+ tests finished: .*|_{40,}|DO \*NOT\* COMMIT!)$/;

/** Null where it did not come to its end. */
export function sympyLog(text: string): TestReport | null {
  const log = logged(text);
  if (!END.test(log)) return null;
  const said = blocksIn(log, BLOCK, END_OF_BLOCK);
  const tests: TestResult[] = [];
  let file = "";
  for (const line of log.split("\n")) {
    file = FILE.exec(line)?.[1] ?? file;
    const [, title, ending] = TEST.exec(line.trim()) ?? [];
    if (title === undefined || file === "") continue;
    const name = `${file}:${title}`;
    const status = ending === undefined ? (said.has(name) ? "failed" : "skipped") : (STATUSES[ending] ?? "skipped");
    tests.push({ name, title, file, status, message: said.get(name) ?? "" });
  }
  const unloaded = [...blocksIn(log, UNLOADED, END_OF_BLOCK).values()];
  return { tests, fatal: unloaded.length === 0 ? null : unloaded.join("\n") };
}
