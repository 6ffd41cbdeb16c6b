/** How much of one change another change reproduces, wherever in the file it stands. */

import { structuredPatch } from "diff";

/** Each hunk as its removed and added lines; line numbers and context play no part. */
export function hunksOf(before: string, after: string): string[] {
  const { hunks } = structuredPatch("", "", before, after, undefined, undefined, { context: 0 });
  return hunks.map(({ lines }) => lines.filter((line) => !line.startsWith("\\")).join("\n"));
}

/** Length of the longest common subsequence. Source: Wagner, Fischer 1974, "The String-to-String Correction Problem". */
export function longestCommon<T>(a: readonly T[], b: readonly T[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const item of a) {
    const next = [0];
    for (const [j, other] of b.entries()) {
      next.push(item === other ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Share of hunks in common, from 0 to 1; hunks that were not asked for count against it. */
export function editScore(before: string, wanted: string, got: string): number {
  const [asked, made] = [hunksOf(before, wanted), hunksOf(before, got)];
  const most = Math.max(asked.length, made.length);
  return most === 0 ? 1 : longestCommon(asked, made) / most;
}
