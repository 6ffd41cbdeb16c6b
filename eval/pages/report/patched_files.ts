/** A patch file by file, for a page. */

import { parsePatch } from "diff";

/** A run of lines: kept, removed from `before`, or added in `after`. */
export type Change = [kind: " " | "-" | "+", lines: number];

/** A file of a patch: each stretch of lines as it was and as it is. */
export interface PatchedFile {
  file: string;
  hunks: { from: number; before: string; after: string; changes: Change[] }[];
}

/** Null for a text that is not a git patch. */
export function patchedFiles(answer: string): PatchedFile[] | null {
  if (!answer.startsWith("diff --git ")) return null;
  return parsePatch(answer).map(({ oldFileName = "", newFileName = "", hunks }) => ({
    file: (newFileName === "/dev/null" ? oldFileName : newFileName).replace(/^[ab]\//, ""),
    hunks: hunks.map(({ newStart, lines }) => {
      const without = (sign: string) =>
        lines.flatMap((line) => (/^[\\]/.test(line) || line.startsWith(sign) ? [] : line.slice(1)));
      const kinds = lines.flatMap((line) => KINDS.find((kind) => line.startsWith(kind)) ?? []);
      return {
        from: newStart,
        before: without("+").join("\n"),
        after: without("-").join("\n"),
        changes: kinds.map((kind): Change => [kind, 1]),
      };
    }),
  }));
}

const KINDS: readonly Change[0][] = [" ", "-", "+"];
