/** The test commands for a process that starts the tests once for each edit. */

import { isFail } from "../../../utils/frameworks/test_run.ts";
import type { TestCommand } from "../../../utils/project/test_command.ts";
import type { Preparation } from "../../attempts/prepare.ts";

/**
 * The words of three commands, each but the last behind their number: the first builds what has to be built and starts
 * the tests that failed, the second starts these, the third all tests but those that fail and need not pass.
 * @param out absolute path of the folder in which each writes `report`
 * @param isBuiltOnce leaves out of the second and the third what comes before tests, where that can be
 */
export async function testCommands(
  { suite, baseline }: Preparation,
  out: string,
  { isBuiltOnce }: { isBuiltOnce: boolean },
): Promise<TestCommand> {
  const behind = isBuiltOnce ? { isBuilt: true, round: "next" as const } : {};
  const { failing, passing, run } = baseline;
  const meant = new Set([...failing, ...passing].map(({ name }) => name));
  const isAside = [...run.tests.values()].some((test) => isFail(test) && !meant.has(test.name));
  const named = isAside ? { only: [...failing, ...passing] } : {};
  // A command that is not of a framework may test in any of its parts.
  const all = await suite.testCommand(out, suite.plan.framework === null ? {} : { ...behind, ...named });
  const only = await suite.testCommand(out, { only: failing, ...behind });
  const first = isBuiltOnce ? await suite.testCommand(out, { only: failing, round: "first" }) : only;
  return {
    ...all,
    argv: [...[first, only].flatMap(({ argv }) => [String(argv.length), ...argv]), ...all.argv],
    env: { ...first.env, ...all.env },
    readable: [first, only, all].flatMap(({ readable }) => readable),
  };
}
