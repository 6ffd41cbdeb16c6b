/** What Django's `tests/runtests.py --verbosity 2` prints, and any other runner of unittest that is as verbose. */

import type { TestReport, TestResult, TestStatus } from "../framework.ts";
import { blocksIn, logged } from "./log.ts";

const END = /^Ran \d+ tests? in [\d.]+s$/m;
const STARTS = /^(.+?) \.\.\. *(.*)$/;
const TEST = /^\w+ \([\w.]+\)$/;
/** Longer ones first. */
const ENDINGS: readonly [RegExp, TestStatus][] = [
  [/^ok\b/i, "passed"],
  [/^skipped\b/, "skipped"],
  [/^expected failure\b/, "skipped"],
  [/^unexpected success\b/, "failed"],
  [/^FAIL\b/, "failed"],
  [/^ERROR\b/, "error"],
];
const BLOCK = /^(?:FAIL|ERROR): (.+)$/;

/** Null where it did not come to its end. */
export function djangoLog(text: string): TestReport | null {
  const log = logged(text);
  if (!END.test(log)) return null;
  const said = blocksIn(log, BLOCK, /^(?:={3,}|Ran \d+ tests? in .*)$/);
  const tests = new Map<string, TestResult>();
  let before = "";
  let open: Pick<TestResult, "name" | "title"> | null = null;
  const add = (ending: string) => {
    const status = ENDINGS.find(([pattern]) => pattern.test(ending))?.[1];
    if (!open || status === undefined) return;
    tests.set(open.name, { ...open, status, message: "" });
    open = null;
  };
  for (const whole of log.split("\n")) {
    const line = whole.trim();
    const [, name, ending = ""] = STARTS.exec(line) ?? [];
    if (name === undefined) add(line);
    else {
      // A test with a docstring is printed by the docstring's first line, below its name.
      open = TEST.test(before) && !TEST.test(name) ? { name: before, title: name } : { name };
      // What a test prints may come between its name and how it ended.
      add(ending.replace(/^.* (?=(?:ok|FAIL|ERROR)$)/, ""));
    }
    before = line;
  }
  // Fixtures of classes and modules that fail have a block alone.
  for (const [name, message] of said) {
    const test = tests.get(name) ?? { name, status: "error" as const };
    tests.set(name, { ...test, message: message.replace(/^-+\n/, "") });
  }
  const all = [...tests.values()];
  const unloaded = all.filter(({ name }) => /_FailedTest\b/.test(name)).map(({ message }) => message);
  return { tests: all, fatal: unloaded.length === 0 ? null : unloaded.join("\n") };
}
