/** Words of an issue and of failing tests, and which functions speak of them. */

import { largest } from "../../utils/base/data/extremes.ts";
import type { FunctionPlace } from "../project/functions.ts";

/** How much the words of a failing test count beside those of an issue. */
const FAILURE_WORDS = 0.4;

/** One function as words. */
export interface Document {
  file: string;
  place: FunctionPlace;
  /** Words with their number. */
  words: Map<string, number>;
  name: Set<string>;
  length: number;
}

/** Identifiers of a text and their parts, in lower case. */
export function wordsIn(text: string): string[] {
  return (text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []).flatMap((word) => {
    const parts = word.split(/_+|(?<=[\p{Ll}\d])(?=\p{Lu})/u).filter((part) => part.length > 2);
    return [...new Set([word, ...parts].map((part) => part.toLowerCase()))].filter((part) => part.length > 2);
  });
}

const COMMON = new Set(
  `the and for that this with from not are was were has have had but its can will when which should would could
  instead only also than then into some such use uses used using add adds added fix fixes fixed bug issue test tests
  self none true false null undefined return returns def function class var let const import assert expect describe
  equal`.split(/\s+/),
);

/** What was said, with how much it counts: identifiers more than plain words, an issue more than a test. */
export function weightedWords({ issue, failure }: { issue: string; failure: string }): Map<string, number> {
  const query = new Map<string, number>();
  const read = (text: string, weight: number) => {
    for (const found of text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
      const isCode =
        /[_$]|\p{Ll}\p{Lu}/u.test(found[0]) ||
        /[(`.]/.test(text.charAt(found.index + found[0].length)) ||
        text.charAt(found.index - 1) === "`";
      for (const word of wordsIn(found[0])) {
        if (COMMON.has(word)) continue;
        query.set(word, Math.max(query.get(word) ?? 0, weight * (isCode && word === found[0].toLowerCase() ? 2 : 1)));
      }
    }
  };
  read(issue, 1);
  read(failure, issue === "" ? 1 : FAILURE_WORDS);
  return query;
}

/** Okapi BM25 over functions, a name counting as its words several times; divided by the best. */
export function wordScores(
  documents: readonly Document[],
  query: ReadonlyMap<string, number>,
): { score: number; words: string[] }[] {
  const [k, b, inName] = [1.2, 0.5, 3];
  const frequency = new Map<string, number>();
  for (const word of query.keys()) {
    frequency.set(word, documents.filter(({ words, name }) => words.has(word) || name.has(word)).length);
  }
  const average = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length);
  const raw = documents.map(({ words, name, length }) => {
    const parts = [...query].flatMap(([word, weight]) => {
      const count = (words.get(word) ?? 0) + (name.has(word) ? inName : 0);
      if (count === 0) return [];
      const among = frequency.get(word) ?? 0;
      const idf = Math.log(1 + (documents.length - among + 0.5) / (among + 0.5));
      return [
        { word, part: (weight * idf * count * (k + 1)) / (count + k * (1 - b + (b * length) / Math.max(1, average))) },
      ];
    });
    const best = parts.sort((x, y) => y.part - x.part).slice(0, 4);
    return { score: parts.reduce((sum, { part }) => sum + part, 0), words: best.map(({ word }) => word) };
  });
  const most = largest(
    raw.map(({ score }) => score),
    0,
  );
  return raw.map(({ score, words }) => ({ score: most > 0 ? score / most : 0, words }));
}
