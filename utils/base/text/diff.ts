/** Differences between two texts, for people. */

// Not the package as a whole, which is 19 files.
import { createTwoFilesPatch, structuredPatch } from "diff/lib/patch/create.js";

/** A unified diff with three lines of context; empty where the texts are equal. `patch -p1` can apply it. */
export function unifiedDiff(name: string, before: string, after: string): string {
  if (before === after) return "";
  return createTwoFilesPatch(`a/${name}`, `b/${name}`, before, after, undefined, undefined, { context: 3 }).replace(
    /^=+\n/,
    "",
  );
}

/** Lines of `before`, from 1, that `after` changes or takes away, and those behind which it puts something in. */
export function changedLines(before: string, after: string): number[] {
  const { hunks } = structuredPatch("", "", before, after, undefined, undefined, { context: 0 });
  return hunks.flatMap(({ oldStart, oldLines }) =>
    oldLines === 0 ? [Math.max(1, oldStart - 1)] : Array.from({ length: oldLines }, (_, i) => oldStart + i),
  );
}
