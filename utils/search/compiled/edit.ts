/** One edit of a program, before it has a price. */

import type { Node } from "./grammar.ts";

export interface Change {
  start: number;
  end: number;
  text: string;
}

export interface Edit {
  /** A name that `priors.json` knows. */
  operator: string;
  changes: readonly Change[];
  /** How much less likely than others of its operator. */
  extra: number;
}

export const replace = (node: Pick<Node, "startIndex" | "endIndex">, text: string): Change => ({
  start: node.startIndex,
  end: node.endIndex,
  text,
});

/** The program with its changes made. */
export function changed(program: string, changes: readonly Change[]): string {
  let [text, at] = ["", 0];
  for (const one of changes.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    text += program.slice(at, one.start) + one.text;
    at = one.end;
  }
  return text + program.slice(at);
}

export const overlap = (some: readonly Change[], others: readonly Change[]): boolean =>
  some.some((a) => others.some((b) => a.start < b.end && b.start < a.end) || others.some((b) => a.start === b.start));
