/** Whether tests that pass with a patch pass because of what it does. */

import { tryForeignText } from "../../utils/base/files/foreign_file.ts";
import { listed } from "../../utils/base/text/text.ts";
import type { TestResult } from "../../utils/frameworks/framework.ts";
import { BoxFailure } from "../../utils/project/repository_box.ts";
import { testFilesOf } from "../project/baseline.ts";
import type { Patch } from "../project/patch.ts";
import type { Suite } from "../project/suite.ts";
import { knownByHeart } from "./by_heart.ts";
import { MOST_SHOWN, type PatchVerdict, refusal, unique } from "./verdict.ts";
import { falsify, neutralCopy, type TestedTree } from "./wrong_tests.ts";

/** Passing tests that run beside the targets in another order. */
const MOST_BESIDE = 60;
/** Targets that are checked: with more, these tell enough. */
const MOST_TARGETS = 200;
/** Tests that can only be run all together are not run again where they take longer than this. */
const MOST_SECONDS = 120;
const UNTRIED = "mend could not check that these tests would catch a wrong patch";

/**
 * @param patch what was changed in `tree`
 * @param tree where `targets` pass
 * @returns why they are not to be believed, or what speaks against calling it fixed, a line each
 */
export async function believe(
  known: TestedTree,
  patch: Pick<Patch, "source">,
  tree: string,
  targets: readonly TestResult[],
  signal?: AbortSignal,
): Promise<PatchVerdict | string[]> {
  const { suite, baseline } = known;
  if (!suite.canSelect && baseline.run.cpuSeconds > MOST_SECONDS) return [`${UNTRIED}: they take too long`];
  const some = targets.slice(0, MOST_TARGETS);
  const only = some.length > 0 ? some : baseline.passing.slice(0, MOST_SHOWN);
  if (only.length === 0) return [`${UNTRIED}: none ran`];
  const { forged, doubt, texts } = await falsify(known, tree, only, signal);
  if (forged.length > 0)
    return refusal(
      "the tests pass whatever they expect",
      `These tests pass with the patch even when they expect a wrong value: ${listed(forged, MOST_SHOWN)}`,
    );
  const order = await inOtherOrder(known, tree, some, signal);
  const read = [...texts].map(([file, { wrong }]) => {
    const { text } = tryForeignText(tree, file);
    return { text: text ?? "", expected: (wrong[0] ?? []).map(([start, end]) => text?.slice(start, end) ?? "") };
  });
  const answers = read.flatMap(({ expected }) => expected);
  const heart = knownByHeart(
    patch.source,
    answers,
    read.map(({ text }) => text),
  );
  const unseen = doubt === null ? null : `${UNTRIED}: ${doubt}`;
  return [unseen, ...order, heart].filter((one) => one !== null);
}

/**
 * Runs the targets in another order, in files with another length and other times. Reports nothing if tests beside
 * them fail as well: then the repository's own tests depend on their order.
 */
async function inOtherOrder(known: TestedTree, tree: string, targets: readonly TestResult[], signal?: AbortSignal) {
  const { suite, baseline } = known;
  if (!suite.canSelect || targets.length === 0) return [];
  const files = new Set(testFilesOf(suite, targets));
  const isNear = (test: TestResult) => testFilesOf(suite, [test]).some((file) => files.has(file));
  const beside = baseline.passing.filter(isNear).slice(0, MOST_BESIDE);
  using changed = neutralCopy(known, tree, targets);
  const run = await runOf(suite, changed.path, unique([...targets, ...beside]).reverse(), signal);
  if (run?.ending !== "complete") return [];
  const fails = (test: TestResult) => run.tests.has(test.name) && run.tests.get(test.name)?.status !== "passed";
  const failing = targets.filter(fails);
  if (failing.length === 0 || beside.some(fails)) return [];
  const names = failing.map(({ name }) => name);
  return [`these tests fail when they run in another order: ${listed(names, MOST_SHOWN)}`];
}

/** Null where the tests end the box itself, as they may in an order in which they were never meant to run. */
async function runOf(suite: Suite, tree: string, only: readonly TestResult[], signal: AbortSignal | undefined) {
  try {
    return await suite.run(tree, { only, signal });
  } catch (error) {
    if (error instanceof BoxFailure) return null;
    throw error;
  }
}
