/** Where a bug likely is: functions ranked by what ran in failing tests, by stack traces and by the words of the issue. */

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Covered } from "../../utils/frameworks/framework.ts";
import { type FunctionPlace, functionAt, functionsOf, isSource } from "./functions.ts";
import { isTestFile } from "./patch.ts";

export interface Suspect extends FunctionPlace {
  file: string;
  score: number;
  /** Why it is here, a few words each. */
  reasons: string[];
}

export interface Evidence {
  /** Of the issue; empty where there is none. */
  issue: string;
  /** Names and source of failing tests, and what they said. */
  failure: string;
  failing: readonly Covered[];
  passing: readonly Covered[];
}

/** What stands outside of all functions of a file. */
export const TOP_LEVEL = "(top level)";
const MOST_BYTES = 1_000_000;
/** Files that are looked at closely. */
const MOST_FILES = 400;

/** Shares of the sources of evidence in a score: each is between 0 and 1. */
const WEIGHTS = { words: 1, coverage: 0.8, stack: 0.4 };
/** How much the words of a failing test count beside those of an issue. */
const FAILURE_WORDS = 0.4;
/** What the failing tests never ran is seldom at fault. */
const NOT_RUN = 0.35;

interface Indexed {
  file: string;
  text: string;
  functions: FunctionPlace[];
}

/** The likeliest functions, best first. @param tree folder with the files */
export function localise(tree: string, files: readonly string[], evidence: Evidence, most: number): Suspect[] {
  const query = weightedWords(evidence);
  const frames = framesIn(`${evidence.failure}\n${evidence.issue}`);
  const ran = new Set(evidence.failing.flatMap(({ lines }) => Object.keys(lines)));
  const indexed = likelyFiles(tree, files, query, ran, frames).map(({ file, text }): Indexed => {
    const functions = functionsOf(file, text);
    const end = text.split("\n").length;
    return { file, text, functions: [{ name: TOP_LEVEL, start: 1, end }, ...functions] };
  });
  const documents = indexed.flatMap((one) => documentsOf(one));
  const words = wordScores(documents, query);
  const coverage = ochiai(indexed, evidence);
  const suspects = documents.map(({ file, place }, i): Suspect => {
    const key = keyOf(file, place);
    const told = words[i] ?? { score: 0, words: [] };
    const run = coverage.get(key);
    const depth = frames.findIndex((frame) => frame.file === file && contains(indexed, file, place, frame.line));
    const stack = depth === -1 ? 0 : 1 / (1 + depth / 2);
    const isUnlikely = evidence.failing.length > 0 && ran.size > 0 && !run && place.name !== TOP_LEVEL;
    const score =
      (WEIGHTS.words * told.score + WEIGHTS.coverage * (run?.score ?? 0) + WEIGHTS.stack * stack) *
      (isUnlikely ? NOT_RUN : place.name === TOP_LEVEL ? 0.6 : 1);
    const reasons = [
      ...(run
        ? [
            `runs in ${run.failing} of ${evidence.failing.length} failing and ${run.passing} of ${evidence.passing.length} passing tests`,
          ]
        : []),
      ...(stack > 0 ? [`in the stack trace, line ${frames[depth]?.line}`] : []),
      ...(told.words.length > 0 ? [`told of: ${told.words.join(", ")}`] : []),
    ];
    return { file, ...place, score, reasons };
  });
  return suspects
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.file.localeCompare(b.file, "en") || a.start - b.start)
    .slice(0, most);
}

const keyOf = (file: string, { start, end, name }: FunctionPlace): string => `${file}:${start}:${end}:${name}`;

/** Source files that ran in failing tests, stand in a trace, or share words with the issue: those with most first. */
function likelyFiles(
  tree: string,
  files: readonly string[],
  query: ReadonlyMap<string, number>,
  ran: ReadonlySet<string>,
  frames: readonly Frame[],
): { file: string; text: string }[] {
  const traced = new Set(frames.map(({ file }) => file));
  const rare = [...query].sort((a, b) => b[1] - a[1]).slice(0, 60);
  const rated = files.flatMap((file) => {
    if (
      !isSource(file) ||
      isTestFile(file) ||
      /(?:^|\/)(?:vendor|dist|build|third_party|docs?|examples?|benchmarks?)\//.test(file)
    ) {
      if (!ran.has(file) || isTestFile(file) || !isSource(file)) return [];
    }
    const found = statSync(join(tree, file), { throwIfNoEntry: false });
    if (!found?.isFile() || found.size > MOST_BYTES) return [];
    const text = readFileSync(join(tree, file), "utf8");
    const lower = `${file}\n${text}`.toLowerCase();
    const said = rare.reduce((sum, [word, weight]) => sum + (lower.includes(word) ? weight : 0), 0);
    const rank = said + (ran.has(file) ? 1000 : 0) + (traced.has(file) ? 1000 : 0);
    return rank > 0 ? [{ file, text, rank }] : [];
  });
  return rated.sort((a, b) => b.rank - a.rank).slice(0, MOST_FILES);
}

interface Document {
  file: string;
  place: FunctionPlace;
  /** Words with their number. */
  words: Map<string, number>;
  name: Set<string>;
  length: number;
}

function documentsOf({ file, text, functions }: Indexed): Document[] {
  const lines = text.split("\n");
  const owner = lines.map((_, i) => functionAt(functions, i + 1));
  const path = wordsIn(file.replace(/\.\w+$/, ""));
  return functions.map((place) => {
    const own = lines.filter((_, i) => owner[i] === place).join("\n");
    const words = new Map<string, number>();
    for (const word of wordsIn(own)) words.set(word, (words.get(word) ?? 0) + 1);
    for (const word of path) words.set(word, (words.get(word) ?? 0) + 0.5);
    const name = new Set(place.name === TOP_LEVEL ? [] : wordsIn(place.name));
    return { file, place, words, name, length: own.length };
  });
}

/** Identifiers of a text and their parts, in lower case. */
function wordsIn(text: string): string[] {
  return (text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []).flatMap((word) => {
    const parts = word.split(/_+|(?<=[\p{Ll}\d])(?=\p{Lu})/u).filter((part) => part.length > 2);
    return [...new Set([word, ...parts].map((part) => part.toLowerCase()))].filter((part) => part.length > 2);
  });
}

const COMMON = new Set(
  "the and for that this with from not are was were has have had but its can will when which should would could instead only also than then into some such use uses used using add adds added fix fixes fixed bug issue test tests self none true false null undefined return returns def function class var let const import assert expect describe equal should".split(
    " ",
  ),
);

/** What was said, with how much it counts: identifiers more than plain words, an issue more than a test. */
function weightedWords({ issue, failure }: Evidence): Map<string, number> {
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
function wordScores(
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
  const most = Math.max(...raw.map(({ score }) => score), 0);
  return raw.map(({ score, words }) => ({ score: most > 0 ? score / most : 0, words }));
}

interface Ran {
  score: number;
  failing: number;
  passing: number;
}

/** Ochiai's coefficient of each function: that of its most suspicious line, divided by the best. */
function ochiai(indexed: readonly Indexed[], { failing, passing }: Evidence): Map<string, Ran> {
  const scores = new Map<string, Ran>();
  for (const { file, functions } of indexed) {
    const counts = new Map<number, { failing: number; passing: number }>();
    for (const [side, tests] of [
      ["failing", failing],
      ["passing", passing],
    ] as const) {
      for (const { lines } of tests) {
        for (const line of lines[file] ?? []) {
          const count = counts.get(line) ?? { failing: 0, passing: 0 };
          count[side] += 1;
          counts.set(line, count);
        }
      }
    }
    for (const [line, count] of counts) {
      const place = functionAt(functions, line);
      if (!place || count.failing === 0) continue;
      const score = count.failing / Math.sqrt(failing.length * (count.failing + count.passing));
      const known = scores.get(keyOf(file, place));
      if (!known || known.score < score) scores.set(keyOf(file, place), { score, ...count });
    }
  }
  const most = Math.max(...[...scores.values()].map(({ score }) => score), 0);
  return new Map([...scores].map(([key, one]) => [key, { ...one, score: one.score / most }]));
}

interface Frame {
  file: string;
  line: number;
}

/** Places that a trace names, the innermost first: Python's traces end with it, those of V8 begin with it. */
function framesIn(text: string): Frame[] {
  const found = [
    ...text.matchAll(
      /(?:File "([^"\n]+)", line (\d+))|(?:^|[\s(])((?:[\w@.-]+\/)*[\w@.-]+\.(?:py|[cm]?[jt]sx?)):(\d+)/gm,
    ),
  ].map(([, named, at, path, line]) => ({
    file: (named ?? path ?? "").replace(/^\.\//, ""),
    line: Number(at ?? line),
  }));
  const isPythonTrace = found.some(({ file }) => file.endsWith(".py"));
  return (isPythonTrace ? found.reverse() : found).filter(({ file }) => !isTestFile(file)).slice(0, 12);
}

const contains = (indexed: readonly Indexed[], file: string, place: FunctionPlace, line: number): boolean => {
  const one = indexed.find((each) => each.file === file);
  return one !== undefined && functionAt(one.functions, line) === place;
};
