/** Which of several patches is handed over, in Agentless's order. */

import { clause } from "../../utils/base/text/format.ts";
import type { TestResult } from "../../utils/frameworks/framework.ts";
import { isFail } from "../../utils/frameworks/test_run.ts";
import { type FileChange, normalised, patched } from "../project/patch.ts";
import type { Suite } from "../project/suite.ts";
import type { Attempt } from "./attempt.ts";

export interface ChosenAttempt {
  chosen: Attempt;
  /** Position among the attempts. */
  index: number;
  /** One sentence. */
  why: string;
  /** Validated attempts with another patch. */
  others: Attempt[];
}

/**
 * Validated by the suite first, before these those that need no excuse; among them those that pass most of the
 * reproduction tests which all attempts wrote; then the patch that most attempts agree on but for blanks and comments;
 * then the earliest. Null where none changed source.
 */
export async function choose(
  attempts: readonly Attempt[],
  base: string,
  suite: Suite,
  signal?: AbortSignal,
): Promise<ChosenAttempt | null> {
  const found = attempts.filter(({ patch }) => patch.source.length > 0);
  const validated = found.filter(({ verdict }) => verdict?.accepted === true);
  const pool = validated.length > 0 ? validated : found;
  if (pool[0] === undefined) return null;
  const tests = reproductionTests(validated);
  const rated = await Promise.all(
    pool.map(async (attempt) => {
      const key = normalised(attempt.patch.source);
      const votes = pool.filter(({ patch }) => normalised(patch.source) === key).length;
      const isExcused = attempt.verdict?.excuse ? 1 : 0;
      return { attempt, key, votes, passes: 0, isExcused };
    }),
  );
  // One at a time: each is a run of tests.
  if (tests.length > 0 && pool.length > 1) {
    const known = new Map<string, number>();
    for (const one of rated) {
      const passes = known.get(one.key) ?? (await passesOf(one.attempt, tests, base, suite, signal));
      known.set(one.key, passes);
      one.passes = passes;
    }
  }
  const [best] = rated.toSorted((a, b) => a.isExcused - b.isExcused || b.passes - a.passes || b.votes - a.votes);
  if (!best) return null;
  const seen = new Set([best.key]);
  const others = validated.filter(({ patch }) => {
    const key = normalised(patch.source);
    return seen.has(key) ? false : seen.add(key);
  });
  const parts = [
    validated.length > 0 ? `${validated.length} of ${attempts.length} attempts pass` : "no attempt passes",
    ...(tests.length > 0 ? [`${best.passes} of ${clause(tests.length, "new test", "pass")}`] : []),
    `${best.votes} of ${pool.length} gave this patch`,
  ];
  return { chosen: best.attempt, index: attempts.indexOf(best.attempt), why: `${parts.join(", ")}.`, others };
}

/** New test files of validated attempts that showed the problem. */
function reproductionTests(attempts: readonly Attempt[]): FileChange[] {
  const files = attempts.flatMap(({ patch, verdict }) => (verdict && verdict.reproduced.length > 0 ? patch.tests : []));
  return [...new Map(files.map((change) => [change.after, change])).values()];
}

async function passesOf(
  { patch }: Attempt,
  tests: readonly FileChange[],
  base: string,
  suite: Suite,
  signal?: AbortSignal,
) {
  let passes = 0;
  for (const test of tests) {
    using tree = patched(base, [...patch.source, test]);
    const { ending, fatal, tests: results } = await suite.run(tree.path, { files: [test.file], signal });
    const all: TestResult[] = [...results.values()];
    if (ending === "complete" && fatal === null && all.length > 0 && !all.some(isFail)) passes += 1;
  }
  return passes;
}
