/** One edit of a program, before it has a price. */

import type { Node } from "../syntax/grammar.ts";

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
  /** The condition that it puts before a statement, or around one: where it never holds, or always, nothing changes. */
  asks?: { condition: string; at: number; isAround: boolean };
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

/** Texts with what each costs more than usual, once and at the least. */
export class Cheapest {
  readonly #found = new Map<string, number>();

  add(text: string, extra: number): void {
    this.#found.set(text, Math.min(extra, this.#found.get(text) ?? extra));
  }

  get all(): [text: string, extra: number][] {
    return [...this.#found];
  }

  first(most: number): [text: string, extra: number][] {
    return this.all.toSorted((a, b) => a[1] - b[1]).slice(0, most);
  }
}

/** Whether a name stands in a text by itself. */
export const speaksOf = (text: string, name: string) => new RegExp(`(?<![\\w.])${name}(?!\\w)`).test(text);

export function grouped<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const found = new Map<K, T[]>();
  for (const one of items) found.set(keyOf(one), [...(found.get(keyOf(one)) ?? []), one]);
  return found;
}
