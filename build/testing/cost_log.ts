/** With `MEND_TEST_COST=FILE` each test file adds a line of JSON to it: the processor time that it and its tests took. */

import { appendFileSync } from "node:fs";
import { afterAll, afterEach, beforeEach, expect } from "vitest";
import { startedSeconds } from "../../utils/testing/children_seconds.ts";

/** Seconds of this worker, and of the processes that it started: a sandbox that files share runs on. */
interface Used {
  own: number;
  children: number;
}

declare global {
  /** What this worker had used when its last test file ended: files of one project share workers. */
  var mendCostBefore: Used | undefined;
}

function used(): Used {
  const { user, system } = process.cpuUsage();
  return { own: (user + system) / 1e6, children: startedSeconds() };
}

const since = (before: Used, after = used()): Used => ({
  own: after.own - before.own,
  children: after.children - before.children,
});

const file = process.env.MEND_TEST_COST;
if (file !== undefined) {
  const start = globalThis.mendCostBefore ?? { own: 0, children: 0 };
  const tests: { name: string; seconds: number }[] = [];
  let before = used();
  beforeEach(() => {
    before = used();
  });
  afterEach(() => {
    const { own, children } = since(before);
    tests.push({ name: expect.getState().currentTestName ?? "", seconds: own + children });
  });
  afterAll(() => {
    const end = used();
    globalThis.mendCostBefore = end;
    appendFileSync(file, `${JSON.stringify({ file: expect.getState().testPath, ...since(start, end), tests })}\n`);
  });
}
