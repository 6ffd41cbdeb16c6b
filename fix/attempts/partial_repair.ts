/** What is made of a patch with which tests fail that failed before: a part of a repair, or an answer in doubt. */

import { changedLines } from "../../utils/base/text/diff.ts";
import { firstLines, listed } from "../../utils/base/text/text.ts";
import type { TestResult } from "../../utils/frameworks/framework.ts";
import { MOST_SHOWN, type PatchVerdict, refusal } from "../guard/verdict.ts";
import { sourceOf } from "../places/evidence.ts";
import { testsThrough } from "../places/through.ts";
import { functionAt, functionsOf, type PlaceInFile } from "../project/functions.ts";
import type { FileChange, Patch } from "../project/patch.ts";
import { limitedTo, type Preparation } from "./prepare.ts";

/**
 * A part of a repair: some of the failing tests pass with it, no other fails, and what it changes does not run in those
 * that still fail. Returns what the verifier says by the tests that pass with it; null where it is no such part.
 * @param tried what was tried, and the tests that fail with it
 */
export async function partOf(
  prepared: Preparation,
  { patch, failing }: { patch: Patch; failing: readonly TestResult[] },
  signal?: AbortSignal,
): Promise<PatchVerdict | null> {
  const changed = patch.source.map(functionsChanged);
  if (changed.some((places) => places === null)) return null;
  const places = changed.flatMap((one) => one ?? []);
  const { through, past } = testsThrough(places, prepared);
  const now = new Map(failing.map((test) => [test.name, test]));
  const isApart = (test: TestResult) =>
    past.includes(test) ||
    // It is unknown what it runs.
    (!through.includes(test) && now.get(test.name)?.message === test.message && !isSaid(prepared, places, test));
  const { failing: before } = prepared.baseline;
  const left = before.filter(({ name }) => now.has(name));
  if (left.length === before.length || !left.every(isApart)) return null;
  const verdict = await limitedTo(
    prepared,
    before.filter((test) => !left.includes(test)),
  ).verifier.check(patch, signal);
  return verdict.accepted ? verdict : null;
}

/** Whether the text of a test names one of the functions. */
function isSaid({ base, suite }: Preparation, places: readonly PlaceInFile[], test: TestResult): boolean {
  const words = new Set(wordsOf(`${test.name}\n${sourceOf(base, suite.folderIn(base), test)}`));
  return places.some(({ name }) => words.has(name.split(".").at(-1) ?? name));
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];

/** The functions that a change touches, as they were; null where it touches anything else. */
function functionsChanged({ file, before, after }: FileChange): PlaceInFile[] | null {
  if (before === null || after === null) return null;
  const functions = functionsOf(file, before);
  const found = changedLines(before, after).map((line) => functionAt(functions, line));
  const places = found.flatMap((one) => (one ? [{ ...one, file }] : []));
  return places.length === found.length ? places : null;
}

/**
 * Returns a refusal that names the tests that failed before, still fail, and run what was changed: they may show the
 * problem. Null if there are none, or if the patch makes another test pass. They need not pass: the same answer is
 * accepted the next time.
 */
export function stillFailing(prepared: Preparation, patch: Patch, verdict: PatchVerdict): PatchVerdict | null {
  if (prepared.issue === "" || shownBy(verdict).length > 0) return null;
  const places = patch.source.flatMap((change) => functionsChanged(change) ?? []);
  const { through } = testsThrough(places, prepared.byTests());
  const failing = through.filter(({ name }) => verdict.after.some((one) => one.name === name));
  if (failing.length === 0) return null;
  const said = failing
    .slice(0, MOST_SHOWN)
    .map(({ name, message }) => `${name}\n${firstLines(message, 8).replace(/^/gm, "    ")}`);
  const names = listed(
    failing.map(({ name }) => name),
    MOST_SHOWN,
  );
  return refusal(
    "nothing that passed fails, and no test shows that it helps",
    `${names} failed before your change, too, and run what you changed. ` +
      "If they have nothing to do with the problem, answer again; if they show it, go on.\n" +
      said.join("\n"),
  );
}

/** Names of the tests that show what a patch repairs: they failed before and pass with it. */
export const shownBy = ({ after, reproduced }: Pick<PatchVerdict, "after" | "reproduced">): string[] => [
  ...after.flatMap(({ name, status }) => (status === "passed" ? name : [])),
  ...reproduced,
];
