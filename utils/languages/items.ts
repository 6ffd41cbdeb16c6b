/**
 * Functions, types and other pieces of source in languages with the brackets of C. They are found by brackets alone, so
 * that any text has some.
 */

import type { Language, ProgramParts } from "./language.ts";
import { beginningIn, type FunctionPlace, lineOf, lineStarts } from "./places.ts";
import type { SourceFiles } from "./source_files.ts";
import type { Span, Token } from "./tokens.ts";

/** What all languages say of a piece. */
export interface Item extends Span {
  kind: string;
  /** Empty where it has none. */
  name: string;
  /** Offset behind the `{` of its body; null where it has none. */
  body: number | null;
}

/** With the pieces in it, of a type or a module. */
type Nested<T> = Item & { items: readonly T[] };

/** Brackets around a piece, at most: what lies deeper counts as a part of the piece that it is in. */
const DEEPEST = 100;

/** Tokens of a source, and its pieces at a depth of brackets. */
export class BracketReader<T extends Token<string>> {
  readonly tokens: readonly T[];

  constructor(tokens: readonly T[]) {
    this.tokens = tokens;
  }

  text(at: number): string {
    return this.tokens[at]?.text ?? "";
  }

  /** Offsets of the tokens from one to another, which does not belong to them. */
  span(from: number, to: number): Span {
    return { start: this.tokens[from]?.start ?? 0, end: this.tokens[to - 1]?.end ?? 0 };
  }

  /** The first token of this text, between two others and at a depth; null if there is none. */
  find(text: string, from: number, to: number, depth: number): number | null {
    for (let at = from; at < to; at++) if (this.tokens[at]?.depth === depth && this.text(at) === text) return at;
    return null;
  }

  /** @param ends whether a piece that begins at `start` ends with the token `at` */
  pieces(
    from: number,
    to: number,
    depth: number,
    ends: (start: number, at: number) => boolean,
  ): [from: number, to: number][] {
    if (depth > DEEPEST) return [];
    const found: [number, number][] = [];
    let start = from;
    for (let at = from; at < to; at++) {
      if (this.tokens[at]?.depth !== depth || !ends(start, at)) continue;
      found.push([start, at + 1]);
      start = at + 1;
    }
    if (start < to) found.push([start, to]);
    return found;
  }
}

/**
 * All items with those in others, with the names around them: `["shop", "Basket"]`.
 * @param isMeant false leaves one out, with all that is in it
 */
export function* allItems<T extends Nested<T>>(
  items: readonly T[],
  isMeant: (item: T) => boolean = () => true,
  around: readonly string[] = [],
): Generator<T & { around: readonly string[] }> {
  for (const item of items.filter(isMeant)) {
    yield { ...item, around };
    yield* allItems(item.items, isMeant, item.name === "" ? around : [...around, item.name]);
  }
}

/** How a language's functions are found in its files. */
interface FunctionReading<T> {
  itemsOf(text: string): readonly T[];
  /** Whether it is a function, with a body or without. */
  isFunction(item: T): boolean;
  /** Whether it is listed with the functions. Default: whether it is one. */
  isListed?(item: T): boolean;
  /** The function that a task means by a name, or the type. */
  find(items: readonly T[], name: string): Item | null | undefined;
  /** As a person names a function. */
  nameOf(item: T & { around: readonly string[] }, text: string): string;
  /** False for what is no function that may be repaired, with all that is in it. */
  isMeant?(text: string): (item: T) => boolean;
}

/** The functions of a file with their lines, and the file around one of them. */
export const functionsBy = <T extends Nested<T>>({
  itemsOf,
  isFunction,
  isListed = isFunction,
  find,
  nameOf,
  isMeant,
}: FunctionReading<T>): Pick<Language, "partsAround"> & Pick<SourceFiles, "functions"> => ({
  partsAround(source, name, line) {
    const items = itemsOf(source);
    if (line === undefined) return partsAt(source, find(items, name));
    const named = [...allItems(items)].filter((one) => isFunction(one) && one.name === name);
    return partsAt(source, named.find(beginningIn(source, line)));
  },
  functions(text): FunctionPlace[] {
    const starts = lineStarts(text);
    return [...allItems(itemsOf(text), isMeant?.(text))]
      .filter((one) => isListed(one) && one.body !== null)
      .map((one) => ({
        name: nameOf(one, text),
        start: lineOf(starts, one.start),
        end: lineOf(starts, one.end - 1),
      }))
      .sort((a, b) => a.start - b.start);
  },
});

/**
 * A file around what stands from `body` to `end`; null where there is no such thing, or it has no body. The declaration
 * ends with the line of its `{`.
 */
function partsAt(source: string, found: Pick<Item, "body" | "end"> | null | undefined): ProgramParts | null {
  if (!found || found.body === null) return null;
  const { body, end } = found;
  const lineEnd = source.indexOf("\n", body);
  const from = lineEnd !== -1 && source.slice(body, lineEnd).trim() === "" ? lineEnd + 1 : body;
  const to = source.charAt(end) === "\n" ? end + 1 : end;
  return { declaration: source.slice(0, from), body: source.slice(from, to), epilogue: source.slice(to) };
}
