/** Edits in words. */

import type { FoundEdit } from "./result.ts";

const shorten = (text: string) => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 60 ? `${line.slice(0, 57)}…` : line;
};

/** An edit in one line, e.g. `line 4: x < 0 → x > 0`. */
export const describeEdit = ({ line, old, new: changed }: Pick<FoundEdit, "line" | "old" | "new">): string =>
  `line ${line}: ${shorten(old) || "(nothing)"} → ${shorten(changed) || "(nothing)"}`;
