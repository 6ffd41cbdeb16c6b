/** One edit of a program, before it has a price, and which edits give the same program. */

import type { Facts } from "../syntax/facts.ts";
import type { Node } from "../syntax/grammar.ts";

/** Extra cost of an edit that people do not write. */
export const UNLIKELY = 1.5;

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

const PIECE = /[\w$]+|\s+|[^\w$\s]+/g;

/** A change without the tokens that both texts begin or end with, so that their formatting survives. */
export function trimmed(program: string, { start, end, text }: Change): Change {
  const old: string[] = program.slice(start, end).match(PIECE) ?? [];
  const now: string[] = text.match(PIECE) ?? [];
  // A space stays, be it that there is more of it or less.
  const isSame = (one = "", other = "") => one === other || (/^\s/.test(one) && /^\s/.test(other));
  const most = Math.min(old.length, now.length);
  let first = 0;
  while (first < most && isSame(old[first], now[first])) first += 1;
  let last = 0;
  while (last < most - first && isSame(old.at(-1 - last), now.at(-1 - last))) last += 1;
  const length = (pieces: readonly string[]) => pieces.join("").length;
  return {
    start: start + length(old.slice(0, first)),
    end: end - length(old.slice(old.length - last)),
    text: now.slice(first, now.length - last).join(""),
  };
}

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

const SPACED = /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`[^`]*`)|\s*([^\w\s"'`])\s*|\s+/g;

/** A comparison that stands by itself, without white space: what stands before it, its parts, what stands behind. */
const COMPARISON = new RegExp(
  /(?<=^|(?<![<>=!])=|(?<!:):|&&|\|\||[(,;{}?]|\b(?:if|while|return) )/.source +
    /([\w.]+)([<>]=?|[=!]==?)([\w.]+)/.source +
    /(?=[),;{}?:]|&&|\|\||$)/.source,
  "g",
);

/** Whether a text is a number, or a name that stands for one wherever it is declared. */
function numbersOf(facts: Facts): (text: string) => boolean {
  const others = new Set(facts.names.filter(({ kind }) => !facts.isNumber(kind)).map(({ name }) => name));
  const numbers = new Set(facts.names.map(({ name }) => name).filter((name) => !others.has(name)));
  return (text) => /^\d/.test(text) || numbers.has(text);
}

/** Where lines begin, and one behind the last. */
function startsOf(text: string): number[] {
  return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1), text.length + 1];
}

/**
 * Gives the same text for edits of a function whose programs differ in white space outside of texts, or in the sides of
 * comparisons of plain numbers: `b > a` is `a < b`. Its cost is that of the lines that an edit changes.
 */
export function sameness(facts: Facts): (changes: readonly Change[]) => string {
  const { startIndex: begin, endIndex: end } = facts.function;
  const text = facts.program.slice(begin, end);
  const starts = startsOf(text);
  const isNumber = numbersOf(facts);
  const known = new Map<string, string>();
  const plain = (line: string): string => {
    const indent = facts.isIndented ? (/^ */.exec(line)?.[0] ?? "") : "";
    const found = known.get(line) ?? (line.trim() && indent + plainly(line.trim(), isNumber));
    known.set(line, found);
    return found;
  };
  const linesOf = (some: string) =>
    some
      .split("\n")
      .map(plain)
      .filter((line) => line !== "");
  const whole = text.split("\n").map(plain);
  const own = whole.filter((line) => line !== "");
  /** For each line how many with something on them stand before it. */
  const before = [0];
  for (const [at, line] of whole.entries()) before.push((before[at] ?? 0) + (line === "" ? 0 : 1));
  const lineAt = (offset: number) => starts.findLastIndex((start) => start <= offset);
  return (changes) => {
    const from = lineAt(Math.min(...changes.map(({ start }) => start - begin)));
    const to = lineAt(Math.max(...changes.map((one) => one.end - begin))) + 1;
    const [first = 0, behind = 0] = [starts[from], starts[to]];
    const moved = changes.map((one) => ({ ...one, start: one.start - begin - first, end: one.end - begin - first }));
    const made = linesOf(changed(text.slice(first, behind - 1), moved));
    return difference(own, before[from] ?? 0, before[to] ?? 0, made);
  };
}

function plainly(line: string, isNumber: (text: string) => boolean): string {
  const key = line.replace(SPACED, (_, text?: string, sign?: string) => text ?? sign ?? " ");
  return key.replace(COMPARISON, (all: string, left: string, sign: string, right: string) => {
    const isOther = sign.startsWith(">") || (/^[=!]/.test(sign) && left > right);
    return isOther && isNumber(left) && isNumber(right) ? `${right}${sign.replace(">", "<")}${left}` : all;
  });
}

/** What differs where lines stand in place of those from one on to before another. */
function difference(own: readonly string[], from: number, to: number, made: readonly string[]): string {
  const length = from + made.length + own.length - to;
  const at = (line: number) =>
    line < from ? own[line] : line < from + made.length ? made[line - from] : own[to + line - from - made.length];
  const most = Math.min(length, own.length);
  let same = from;
  while (same < most && at(same) === own[same]) same += 1;
  let last = Math.min(own.length - to, most - same);
  while (last < most - same && at(length - 1 - last) === own[own.length - 1 - last]) last += 1;
  const lines = Array.from({ length: length - same - last }, (_, line) => at(same + line));
  return `${same} ${last}\n${lines.join("\n")}`;
}
