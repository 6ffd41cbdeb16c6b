/** Words of an issue and of failing tests, and which functions speak of them. */

import { largest } from "../../utils/base/data/extremes.ts";
import type { FunctionPlace } from "../project/functions.ts";
import { proseOf } from "./prose.ts";

/** How much the words of a failing test count beside those of an issue. */
const FAILURE_WORDS = 0.2;

/** How much those of an issue's first line count, which says in short what it is about. */
const TITLE_WORDS = 1.4;

/** How much each doubling of a word's number adds to what it counts in an issue. */
const REPEATED = 0.3;

const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** One function as words. */
export interface Document {
  file: string;
  place: FunctionPlace;
  /** Words with their number. */
  words: Map<string, number>;
  name: Set<string>;
  /** Its lines without those of functions inside of it. */
  code: string;
}

/** Identifiers of a text and their parts, as stems. */
export function wordsIn(text: string): string[] {
  return (text.match(IDENTIFIER) ?? []).flatMap((word) => {
    const parts = word.split(/_+|(?<=[\p{Ll}\d])(?=\p{Lu})/u).filter((part) => part.length > 2);
    const known = [word, ...parts].map((part) => part.toLowerCase()).filter((part) => !COMMON.has(part));
    return [...new Set(known.map(stemOf))].filter((part) => part.length > 2);
  });
}

/** How a text spells each stem first. */
export function spellings(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [word] of text.matchAll(IDENTIFIER))
    for (const part of [word, ...word.split(/_+|(?<=[\p{Ll}\d])(?=\p{Lu})/u)]) {
      const stem = stemOf(part.toLowerCase());
      if (!found.has(stem)) found.set(stem, part.toLowerCase());
    }
  return found;
}

/** `parse`, `parses`, `parsed`, `parser` and `parsing` are one word: what is left of each without its ending. */
export function stemOf(word: string): string {
  if (word.length > MOST_STEM_CHARS) return word;
  const plain = word.replace(/ies$/, "y").replace(/([^su])s$/, "$1");
  const [, stem = plain] = /^(.*[aeiouy].*?)(?:ing|ed|er)$/.exec(plain) ?? [];
  const bare = stem.length > 2 ? stem : plain;
  return bare.replace(/([bdfgmnprt])\1$/, "$1").replace(/(?<=..)e$/, "");
}

/** Longer texts are not words of a language. */
const MOST_STEM_CHARS = 40;

const COMMON = new Set(
  `the and for that this with from not are was were has have had but its can will when which should would could
  instead only also than then into some such use uses used using add adds added fix fixes fixed bug issue test tests
  self none true false null undefined return returns def function class var let const import assert expect describe
  equal you your they them their there here very much many like just see seen want what who how why where because while
  still yet really simple however maybe probably actually currently already`.split(/\s+/),
);

/** What stands in a text as code, and not as a part of a path: `a_b`, `aB`, `a(`, `` `a` ``. */
const isCode = (text: string, word: string, at: number): boolean => {
  const [before, after] = [text.charAt(at - 1), text.charAt(at + word.length)];
  if (before === "/" || after === "/") return false;
  return /[_$]|\p{Ll}\p{Lu}/u.test(word) || /[(`]/.test(after) || before === "`";
};

/** Names that stand in a text as code, each with the names before its dot; `""` where none is. */
export function codeIn(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { 0: word, index } of text.matchAll(IDENTIFIER)) {
    if (!isCode(text, word, index)) continue;
    const [, owner = ""] = /([\p{L}\p{N}_$]*)(?:\.|::|->|#)$/u.exec(text.slice(Math.max(0, index - 80), index)) ?? [];
    found.set(word, (found.get(word) ?? new Set()).add(owner));
  }
  return found;
}

/** What was said, with how much it counts: identifiers more than plain words, an issue more than a test. */
export function weightedWords({ issue, failure }: { issue: string; failure: string }): Map<string, number> {
  const query = new Map<string, number>();
  const read = (text: string, weight: number) => {
    for (const { 0: found, index } of text.matchAll(IDENTIFIER)) {
      const whole = stemOf(found.toLowerCase());
      const isName = isCode(text, found, index) || text.charAt(index + found.length) === ".";
      for (const word of wordsIn(found)) {
        const counts = weight * (word === whole && isName ? 2 : 1);
        query.set(word, Math.max(query.get(word) ?? 0, counts));
      }
    }
  };
  const own = proseOf(issue);
  const [title = ""] = own.trimStart().split("\n");
  read(own, 1);
  read(title, TITLE_WORDS);
  const times = new Map<string, number>();
  for (const word of wordsIn(own)) times.set(word, (times.get(word) ?? 0) + 1);
  for (const [word, count] of times) query.set(word, (query.get(word) ?? 0) * (1 + REPEATED * Math.log2(count)));
  read(failure, issue === "" ? 1 : FAILURE_WORDS);
  return query;
}

/** What the words of a function count, and each of them, the one that counts most first. */
export interface WordScore {
  score: number;
  parts: { word: string; part: number }[];
}

/** Okapi BM25 over functions, a name counting as its words several times; divided by the best. */
export function wordScores(documents: readonly Document[], query: ReadonlyMap<string, number>): WordScore[] {
  const [k, b, inName] = [1.2, 0.5, 3];
  const frequency = new Map<string, number>();
  for (const word of query.keys()) {
    frequency.set(word, documents.filter(({ words, name }) => words.has(word) || name.has(word)).length);
  }
  const average = documents.reduce((sum, { code }) => sum + code.length, 0) / Math.max(1, documents.length);
  const raw = documents.map(({ words, name, code }) => {
    const parts = [...query].flatMap(([word, weight]) => {
      const count = (words.get(word) ?? 0) + (name.has(word) ? inName : 0);
      if (count === 0) return [];
      const among = frequency.get(word) ?? 0;
      const idf = Math.log(1 + (documents.length - among + 0.5) / (among + 0.5));
      return [
        {
          word,
          part: (weight * idf * count * (k + 1)) / (count + k * (1 - b + (b * code.length) / Math.max(1, average))),
        },
      ];
    });
    return { score: parts.reduce((sum, { part }) => sum + part, 0), parts: parts.sort((x, y) => y.part - x.part) };
  });
  const most = largest(
    raw.map(({ score }) => score),
    0,
  );
  const share = (part: number) => (most > 0 ? part / most : 0);
  return raw.map(({ score, parts }) => ({
    score: share(score),
    parts: parts.map(({ word, part }) => ({ word, part: share(part) })),
  }));
}

/** What is left of a word's weight for the next function, each time that one with it is chosen. */
const USED = 0.6;

/**
 * The order in which functions say most that is new: one common word shall not fill all places.
 * @param scores sorted, the best first
 */
export function byNewWords<T extends { score: number; told: WordScore }>(scores: readonly T[], most: number): T[] {
  const used = new Map<string, number>();
  const left = [...scores];
  const chosen: T[] = [];
  const gain = ({ score, told }: T) =>
    told.parts.reduce((sum, { word, part }) => sum - part * (1 - USED ** (used.get(word) ?? 0)), score);
  while (left.length > 0 && chosen.length < most) {
    const gains = left.map(gain);
    const [next] = left.splice(gains.indexOf(largest(gains, 0)), 1);
    if (!next) break;
    for (const { word } of next.told.parts) used.set(word, (used.get(word) ?? 0) + 1);
    chosen.push(next);
  }
  return [...chosen, ...left];
}
