/** Which of several patches is handed over, in Agentless's order. */

import { clause } from "../../utils/base/text/format.ts";
import { isFail } from "../../utils/frameworks/test_run.ts";
import { type FileChange, normalised, patched } from "../project/patch.ts";
import type { Suite } from "../project/suite.ts";
import type { Attempt } from "./attempt.ts";

interface ChosenAttempt {
  chosen: Attempt;
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
  const keyed = attempts
    .filter(({ patch }) => patch.source.length > 0)
    .map((attempt) => ({ attempt, key: normalised(attempt.patch.source) }));
  const validated = keyed.filter(({ attempt }) => attempt.verdict?.accepted === true);
  const pool = validated.length > 0 ? validated : keyed;
  const tests = reproductionTests(validated.map(({ attempt }) => attempt));
  const passes = new Map<string, number>();
  // One at a time: each is a run of tests.
  if (tests.length > 0 && pool.length > 1)
    for (const { attempt, key } of pool)
      if (!passes.has(key)) passes.set(key, await passesOf(attempt, tests, base, suite, signal));
  const rated = pool.map(({ attempt, key }) => ({
    ...{ attempt, key, passes: passes.get(key) ?? 0, isExcused: attempt.verdict?.excuse ? 1 : 0 },
    votes: pool.filter((one) => one.key === key).length,
  }));
  const [best] = rated.toSorted((a, b) => a.isExcused - b.isExcused || b.passes - a.passes || b.votes - a.votes);
  if (!best) return null;
  const seen = new Set([best.key]);
  const others = validated.filter(({ key }) => (seen.has(key) ? false : seen.add(key)));
  const parts = [
    validated.length > 0 ? `${validated.length} of ${attempts.length} attempts pass` : "no attempt passes",
    ...(tests.length > 0 ? [`${best.passes} of ${clause(tests.length, "new test", "pass")}`] : []),
    `${best.votes} of ${pool.length} gave this patch`,
  ];
  return { chosen: best.attempt, why: `${parts.join(", ")}.`, others: others.map(({ attempt }) => attempt) };
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
    const { ending, fatal, tests: ran } = await suite.run(tree.path, { files: [test.file], signal });
    if (ending === "complete" && fatal === null && ran.size > 0 && ![...ran.values()].some(isFail)) passes += 1;
  }
  return passes;
}
