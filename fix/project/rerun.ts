/** Runs tests again, so that what they do by chance is not taken for what a change does. */

import type { TestResult } from "../../utils/frameworks/framework.ts";
import type { Suite } from "./suite.ts";

interface AgainOptions {
  /** How they ended, and have to end in each further run. */
  end: "passed" | "not passed";
  /** Further runs. */
  times: number;
  signal?: AbortSignal | undefined;
}

/**
 * Returns those of some tests that end alike in each of some further runs of them in `tree`. A run that does not come
 * to its end says nothing.
 */
export async function alikeAgain(
  suite: Suite,
  tree: string,
  tests: readonly TestResult[],
  { end, times, signal }: AgainOptions,
): Promise<TestResult[]> {
  let alike = [...tests];
  for (let i = 0; i < times && alike.length > 0; i++) {
    const run = await suite.run(tree, { only: alike, signal });
    if (run.ending !== "complete") break;
    alike = alike.filter(({ name }) => (run.tests.get(name)?.status === "passed") === (end === "passed"));
  }
  return alike;
}
