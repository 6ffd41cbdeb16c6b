/** Without a repair: what came nearest to one. */

import type { TestResult } from "../../utils/frameworks/framework.ts";
import { isPass } from "../../utils/frameworks/test_run.ts";
import { type Patch, patched } from "../patch.ts";
import type { Prepared } from "../prepare.ts";

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

/**
 * The patch with which most tests pass, of those with which more do than without; null where there is none.
 * @param patches the likeliest first
 */
export async function bestOf(
  { suite, base, baseline }: Prepared,
  patches: readonly Patch[],
  signal?: AbortSignal,
): Promise<Best | null> {
  let best: Best | null = null;
  for (const patch of patches.filter(({ source }) => source.length > 0).slice(0, MOST)) {
    using tree = patched(base, patch.source);
    const { tests } = await suite.run(tree.path, { signal });
    const ran = [...tests.values()].filter(({ status }) => status !== "skipped");
    const passing = ran.filter(isPass).length;
    if (passing <= Math.max(baseline.passing.length, best?.passing ?? 0)) continue;
    best = { patch, passing, of: ran.length, failing: ran.filter((test) => !isPass(test)) };
  }
  return best;
}
