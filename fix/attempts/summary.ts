/** The summary of one or several attempts: what was found, and why it may be wrong. */

import type { Suspect } from "../places/localise.ts";
import { type FileChange, renderPatch } from "../project/patch.ts";
import type { Choices } from "./alternatives.ts";
import type { FunctionPlace } from "./attempt_function.ts";
import type { Attempt } from "./run.ts";

/**
 * Its choices are the patch of `attempt` and others beside it; before the end of an attempt, all that have passed until
 * then.
 */
export interface AttemptSummary extends Choices {
  /** The attempt that found something, else the last. */
  attempt: Attempt;
  /** All that were made. */
  attempts: Attempt[];
  /** What was repaired with its file alone; null where a repair was found elsewhere, or none. */
  place: FunctionPlace | null;
  /** Why what was found is a suggestion and not a repair; null if only other choices speak against it. */
  doubt: string | null;
  /** Functions that may be at fault as well, without tried or compared edits. */
  unsearched?: readonly string[];
  /** A change that makes some of the failing tests pass, with their names; reported if the search is interrupted. */
  part?: { source: FileChange[]; passing: readonly string[] } | undefined;
  /** Why this attempt among several; empty where there was no choice. */
  why: string;
}

/** Where something may be at fault. */
export interface Where {
  /** What can be searched with its file alone. */
  places: readonly FunctionPlace[];
  /** What can be searched where the tests run, the likeliest first. */
  suspects: readonly Suspect[];
}

const DIFFERENT = "different edits pass the same tests:";

/** Why what passes is a suggestion: others pass that are not known to do the same. */
export const differentEdits = (count: number): string =>
  `${count} ${DIFFERENT} choose one, or add a test that tells them apart`;

/** Why what passes is a suggestion, in order. @param others that are shown beside it */
export function doubtsAbout(doubt: string | null, others: number): string[] {
  const isSaid = doubt?.includes(DIFFERENT) ?? false;
  return [...(others > 0 && !isSaid ? [differentEdits(others + 1)] : []), ...(doubt === null ? [] : [doubt])];
}

export const chosenEdit = (number: number, count: number): string =>
  `it is number ${number} of ${count} different edits that pass the same tests: add a test that tells them apart`;

/** The patch of an attempt as `git apply` takes it; empty where it changed nothing. */
export const patchText = ({ patch }: Attempt): string => renderPatch(patch.source);
