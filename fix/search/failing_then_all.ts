/** How a process that starts the tests once for each edit is told of them. */

import type { TestCommand } from "../../utils/project/test_command.ts";
import type { Prepared } from "../attempts/prepare.ts";

/**
 * The words of two commands behind the number of the first's: it starts the tests that failed, the other all tests.
 * @param results absolute path of the report that either writes
 */
export async function failingThenAll({ suite, baseline }: Prepared, results: string): Promise<TestCommand> {
  const { project, plan } = suite;
  const commandFor = (args: string[]) => plan.framework?.command({ project, args, results });
  const all = await commandFor(plan.args);
  const only = await commandFor(plan.framework?.select?.(baseline.failing, plan.args) ?? plan.args);
  const words = only?.argv ?? [];
  return {
    ...all,
    argv: [String(words.length), ...words, ...(all?.argv ?? [])],
    env: all?.env ?? {},
    readable: [...(all?.readable ?? []), ...(only?.readable ?? [])],
  };
}
