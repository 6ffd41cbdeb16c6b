/** Differences between two texts, for people. */

// Not the package as a whole, which is 19 files.
import { createTwoFilesPatch } from "diff/lib/patch/create.js";

/** A unified diff with three lines of context; empty where the texts are equal. `patch -p1` can apply it. */
export function unifiedDiff(name: string, before: string, after: string): string {
  if (before === after) return "";
  return createTwoFilesPatch(`a/${name}`, `b/${name}`, before, after, undefined, undefined, { context: 3 }).replace(
    /^=+\n/,
    "",
  );
}
