/** The test commands for a process that starts the tests once for each edit. */

import { isFail } from "../../utils/frameworks/test_run.ts";
import type { TestCommand } from "../../utils/project/test_command.ts";
import type { Preparation } from "../attempts/prepare.ts";

/**
 * The words of commands, each but the last behind their number: one starts the tests that failed, the last all tests,
 * but for those that fail and need not pass.
 * @param out absolute path of the folder in which either writes `report`
 * @param isBuiltOnce puts a command before these that starts the tests that failed behind all that comes before tests,
 * which the others then leave out where they can
 */
export async function failingThenAll(
  { suite, baseline }: Preparation,
  out: string,
  { isBuiltOnce = false } = {},
): Promise<TestCommand> {
  const behind = isBuiltOnce ? { isBuilt: true, round: "next" as const } : {};
  const { failing, passing, run } = baseline;
  const meant = new Set([...failing, ...passing].map(({ name }) => name));
  const isAside = [...run.tests.values()].some((test) => isFail(test) && !meant.has(test.name));
  const named = isAside ? { only: [...failing, ...passing] } : {};
  // A command that is not of a framework may test in any of its parts.
  const all = await suite.testCommand(out, suite.plan.framework === null ? {} : { ...behind, ...named });
  const only = await suite.testCommand(out, { only: failing, ...behind });
  const first = isBuiltOnce ? [await suite.testCommand(out, { only: failing, round: "first" })] : [];
  return {
    ...all,
    argv: [...[...first, only].flatMap(({ argv }) => [String(argv.length), ...argv]), ...all.argv],
    env: { ...first[0]?.env, ...all.env },
    readable: [...first, only, all].flatMap(({ readable }) => readable),
  };
}
