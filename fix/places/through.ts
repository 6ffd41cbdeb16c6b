/** Which failing tests run which lines of the source, as far as that is known. */

import type { TestResult } from "../../utils/frameworks/framework.ts";
import type { LineRange } from "../../utils/languages/places.ts";
import type { Baseline } from "../project/baseline.ts";
import type { Evidence } from "./localise.ts";

export type Lines = LineRange & { file: string };

interface TestEvidence {
  baseline: Pick<Baseline, "failing" | "kinds">;
  /** Null where nothing was watched. */
  evidence: Evidence | null;
}

/** Failing tests that run some of the lines, and those that run only other source; the rest is unknown. */
export function testsThrough(places: readonly Lines[], { baseline: { failing, kinds }, evidence }: TestEvidence) {
  const ran = new Map(evidence?.failing.map(({ test, lines }) => [test, lines]));
  const isThrough = ({ name }: TestResult) =>
    places.some(({ file, start, end }) => ran.get(name)?.[file]?.some((line) => start <= line && line <= end));
  // A program that a test starts is not watched, so a test without lines of source is unknown.
  const isWatched = ({ name }: TestResult) =>
    Object.entries(ran.get(name) ?? {}).some(([file, lines]) => lines.length > 0 && !kinds.isTest(file));
  return {
    through: failing.filter(isThrough),
    past: failing.filter((test) => isWatched(test) && !isThrough(test)),
  };
}

/**
 * Those where an edit may make all failing tests pass: not where some of them run it and others do not. What runs in
 * none may be at fault before the tests begin, and is left out beside these alone.
 * @param isCompiled what a program runs before its tests counts as run by each: what runs in none is left out, too
 */
export function placesForAll<T>(
  places: readonly T[],
  linesOf: (place: T) => Lines,
  known: TestEvidence,
  { isCompiled = false } = {},
): T[] {
  const all = places.map((place) => ({ place, ...testsThrough([linesOf(place)], known) }));
  const left = all.filter(({ through, past }) => through.length === 0 || past.length === 0);
  const isIdle = left.length < all.length && left.every(({ through }) => through.length === 0);
  const run = left.filter(({ past }) => past.length < known.baseline.failing.length);
  return (isIdle ? [] : isCompiled && run.length > 0 ? run : left).map(({ place }) => place);
}
