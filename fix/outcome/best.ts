/** Without a repair: what came nearest to one. */

import type { TestResult } from "../../utils/frameworks/framework.ts";
import { isPass } from "../../utils/frameworks/test_run.ts";
import type { Attempt } from "../attempts/attempt.ts";
import type { Preparation } from "../attempts/prepare.ts";
import { type Patch, patched } from "../project/patch.ts";

export interface Best {
  patch: Patch;
  /** How many tests pass with it. */
  passing: number;
  /** How many of them ran, those apart that were skipped. */
  of: number;
  failing: TestResult[];
}

/** More are not looked at: each is a run of all tests. */
const MOST = 2;
/** Of tests that take longer than so many seconds of processor time one is looked at. */
const SLOW_SECONDS = 5;

/**
 * Of what was tried the patch with which most tests pass, where more do than without; null where there is none.
 * @param attempts the last one is looked at first
 */
export async function bestOf(
  { suite, base, baseline }: Preparation,
  attempts: readonly Pick<Attempt, "candidates">[],
  signal?: AbortSignal,
): Promise<Best | null> {
  let best: Best | null = null;
  const most = baseline.run.cpuSeconds > SLOW_SECONDS ? 1 : MOST;
  const patches = attempts.toReversed().flatMap(({ candidates }) => candidates);
  for (const patch of patches.slice(0, most)) {
    using tree = patched(base, patch.source);
    const { tests } = await suite.run(tree.path, { signal });
    const ran = [...tests.values()].filter(({ status }) => status !== "skipped");
    const passing = ran.filter(isPass).length;
    if (passing <= Math.max(baseline.passing.length, best?.passing ?? 0)) continue;
    best = { patch, passing, of: ran.length, failing: ran.filter((test) => !isPass(test)) };
  }
  return best;
}
