/**
 * Where a bug likely is: functions ranked by what ran in failing tests, by stack traces and by the words of the issue.
 */

import { basename, join } from "node:path";
import { largest } from "../../utils/base/data/extremes.ts";
import { tryForeignText } from "../../utils/base/files/foreign_file.ts";
import type { Coverage } from "../../utils/frameworks/framework.ts";
import { plainName } from "../../utils/languages/places.ts";
import { type Frame, framesIn } from "../project/frames.ts";
import { type FunctionPlace, functionsOf, isSource, ownersOf, type PlaceInFile } from "../project/functions.ts";
import { Kinds } from "../project/kinds.ts";
import { issueMatches } from "./issue.ts";
import { byNewWords, type Document, spellings, weightedWords, wordScores, wordsIn } from "./words.ts";

export interface Suspect extends PlaceInFile {
  score: number;
  /** Why it is here, a few words each. */
  reasons: string[];
  /** Whether more than shared words speaks for it. */
  isCertain: boolean;
}

export interface Evidence {
  /** Of the issue; empty where there is none. */
  issue: string;
  /** Names and source of failing tests, and what they said. */
  failure: string;
  /** Where the tests run, under the root: what failed may name files from there. */
  folder: string;
  failing: readonly Coverage[];
  passing: readonly Coverage[];
}

/** What stands outside of all functions of a file. */
export const TOP_LEVEL = "(top level)";
const MOST_BYTES = 1_000_000;
/** Files that are looked at closely. */
const MOST_FILES = 400;
const MOST_FRAMES = 12;

/**
 * Weights of the sources of evidence in a score: each source is between 0 and 1. `askedAlone` replaces `asked` where
 * no passing test was watched: then coverage cannot tell the functions apart, and the call that failed comes first.
 */
const WEIGHTS = { words: 1, coverage: 0.8, stack: 0.4, asked: 0.5, askedAlone: 1.5 };
/** What the failing tests never ran is seldom at fault. */
const NOT_RUN = 0.35;
/** With an issue a trace of something else that fails counts less. */
const OTHER_TRACE = 0.25;
/** What stands around other functions and is long speaks of everything. */
const AROUND_ALL = { share: 0.6, chars: 4000, functions: 3 };
const MOST_WORDS = 4;
/** Places that speak of new words come first among so many. */
const MOST_SPREAD = 10;

interface IndexedFile {
  file: string;
  text: string;
  functions: FunctionPlace[];
  /** The innermost function around each line. */
  owners: (FunctionPlace | undefined)[];
}

/**
 * The likeliest functions, best first.
 * @param tree folder with the files
 * @param file the one to look at. Default: all that are source
 */
export function localise(
  tree: string,
  files: readonly string[],
  evidence: Evidence,
  { most, file: only }: { most: number; file?: string | undefined },
): Suspect[] {
  const query = weightedWords(evidence);
  const kinds = new Kinds({ files, text: (file) => readSource(tree, file) }, [], only === undefined ? [] : [only]);
  const inTree = namesIn(files, evidence.folder);
  const placesIn = (text: string): Frame[] => framesIn(text).map(({ file, line }) => ({ file: inTree(file), line }));
  const tracesIn = (text: string, weight: number): Trace[] =>
    placesIn(text)
      .filter(({ file }) => !kinds.isTest(file))
      .slice(0, MOST_FRAMES)
      .map((frame, depth) => ({ ...frame, weight: weight / (1 + depth / 2) }));
  const frames = [
    ...tracesIn(evidence.issue, 1),
    ...tracesIn(evidence.failure, evidence.issue === "" ? 1 : OTHER_TRACE),
  ];
  const ran = new Set(evidence.failing.flatMap(({ lines }) => Object.keys(lines)));
  const likely = only === undefined ? likelyFiles(tree, files, kinds, query, ran, frames) : theOne(tree, only);
  const indexed = likely.map(({ file, text }): IndexedFile => {
    const functions = functionsOf(file, text);
    const end = text.split("\n").length;
    const all = [{ name: TOP_LEVEL, start: 1, end }, ...functions];
    return { file, text, functions: all, owners: ownersOf(all, end) };
  });
  const byName = new Map(indexed.map((one) => [one.file, one]));
  const traced = frames.map(({ file, line }) => byName.get(file)?.owners[line - 1]);
  const tests = new Set(files.filter((file) => kinds.isTest(file)));
  const failed = placesIn(evidence.failure).filter(({ file }) => tests.has(file));
  const asked = callsIn(
    failed.length > 0
      ? failed.slice(0, MOST_FRAMES).map(({ file, line }) => statementAt(linesIn(tree, file), line - 1))
      : [evidence.failure, ...quotedLines(tree, tests, evidence.failure)],
  );
  const askedWeight = evidence.failing.length > 0 && evidence.passing.length > 0 ? WEIGHTS.asked : WEIGHTS.askedAlone;
  const documents = indexed.flatMap((one) => documentsOf(one));
  const words = wordScores(documents, query);
  const matches = issueMatches(
    evidence.issue,
    files.filter(isSource),
    documents.map(({ file, place, code }) => ({ file, name: place.name, code })),
  );
  const coverage = ochiai(indexed, evidence);
  const spelled = spellings(`${evidence.issue}\n${evidence.failure}`);
  const spelledOut = ({ word }: { word: string }) => spelled.get(word) ?? word;
  const suspects = documents.map(({ file, place, code }, i) => {
    const told = words[i] ?? { score: 0, parts: [] };
    const run = coverage.get(place);
    const frame = frames[traced.indexOf(place)];
    const stack = frame?.weight ?? 0;
    const isAsked = asked.has(plainName(place.name));
    const said = matches[i];
    const isLong = code.length > AROUND_ALL.chars;
    const inner = isLong ? documents.filter((one) => one.file === file && isWithin(one.place, place)).length : 0;
    const isAround = place.name === TOP_LEVEL || inner >= AROUND_ALL.functions;
    const isUnlikely = evidence.failing.length > 0 && ran.size > 0 && !run && place.name !== TOP_LEVEL;
    const score =
      (WEIGHTS.words * told.score +
        WEIGHTS.coverage * (run?.score ?? 0) +
        WEIGHTS.stack * stack +
        (isAsked ? askedWeight : 0) +
        (said?.score ?? 0)) *
      (isUnlikely ? NOT_RUN : isAround ? AROUND_ALL.share : 1);
    const reasons = [
      ...(run
        ? [
            `runs in ${run.failing} of ${evidence.failing.length} failing and ${run.passing} of ` +
              `${evidence.passing.length} passing tests`,
          ]
        : []),
      ...(frame ? [`in the stack trace, line ${frame.line}`] : []),
      ...(isAsked ? ["the check that fails calls it"] : []),
      ...(said?.reasons ?? []),
      ...(told.parts.length > 0 ? [`words: ${told.parts.slice(0, MOST_WORDS).map(spelledOut).join(", ")}`] : []),
    ];
    const isCertain = Boolean(run) || frame !== undefined || isAsked || said?.isCertain === true;
    return { suspect: { file, ...place, score, reasons, isCertain }, score, told };
  });
  const sorted = suspects
    .filter(({ score }) => score > 0)
    .sort(
      ({ suspect: a }, { suspect: b }) => b.score - a.score || a.file.localeCompare(b.file, "en") || a.start - b.start,
    );
  // What tests ran says more than new words.
  const ordered = evidence.failing.length > 0 ? sorted : byNewWords(sorted, MOST_SPREAD);
  return ordered.slice(0, most).map(({ suspect }) => suspect);
}

const CALL = /([A-Za-z_$][\w$]*)\s*(?:::<[^>]*>)?\(/g;

const callsIn = (texts: readonly string[]): Set<string> =>
  new Set(texts.flatMap((text) => [...text.matchAll(CALL)].map(([, name = ""]) => name)));

/** A text in quotes that is long enough to name a check: `"ends with a mark"`. */
const QUOTED = /(["'`])((?:(?!\1)[^\\\n]){6,})\1/g;

/** Checks of tests with a text in quotes that the failure repeats: many programs name only the check that failed. */
const quotedLines = (tree: string, tests: ReadonlySet<string>, failure: string): string[] =>
  [...tests]
    .flatMap((file) => {
      const lines = linesIn(tree, file);
      const isRepeated = (line: string) => [...line.matchAll(QUOTED)].some(([, , text = ""]) => failure.includes(text));
      return lines.flatMap((line, at) => (isRepeated(line) ? [statementAt(lines, at)] : []));
    })
    .slice(0, MOST_FRAMES);

const linesIn = (tree: string, file: string): string[] => readSource(tree, file)?.split("\n") ?? [];

const MOST_STATEMENT_LINES = 8;

/** A line with those that close its brackets; a block that it opens is left out. */
function statementAt(lines: readonly string[], at: number): string {
  const isOpen = (text: string) =>
    !/\{\s*$/.test(text) && (text.match(/[([]/g) ?? []).length > (text.match(/[)\]]/g) ?? []).length;
  let text = lines[at] ?? "";
  for (const line of lines.slice(at + 1, at + MOST_STATEMENT_LINES)) if (isOpen(text)) text += `\n${line}`;
  return text;
}

interface Trace extends Frame {
  /** What it counts: the innermost most. */
  weight: number;
}

const isWithin = (one: FunctionPlace, other: FunctionPlace): boolean =>
  one !== other && other.start <= one.start && one.end <= other.end;

function theOne(tree: string, file: string): { file: string; text: string }[] {
  const text = readSource(tree, file);
  return text === null ? [] : [{ file, text }];
}

/**
 * Returns what finds the file that a trace names: from the root, from the tests' folder, or, as traces of Java have no
 * folders, the only file of that name.
 */
function namesIn(files: readonly string[], folder: string): (file: string) => string {
  const known = new Set(files);
  const byName = new Map<string, string | null>();
  for (const file of files) byName.set(basename(file), byName.has(basename(file)) ? null : file);
  return (file) => [file, join(folder, file), byName.get(file)].find((one) => one && known.has(one)) ?? file;
}

/** Null for what is not a file: a link may lead out of the repository, and what lies there is not for a prompt. */
const readSource = (tree: string, file: string): string | null => tryForeignText(tree, file, MOST_BYTES).text;

/** Code of other projects, and files that document, show or build the program. */
const OTHERS = /(?:^|\/)(?:vendor|dist|build|third_party|docs?|examples?|benchmarks?)\/|^(?:setup|versioneer)\.py$/;
/** Libraries that were copied: `jquery-3.5.1.js`, `chart.min.js`. */
const COPIED = /[-.]min\.\w+$|-\d+\.\d[\d.]*\.\w+$/;

/** Characters a line in the mean of code that was written for machines. */
const MINIFIED = 250;

/** Source files that ran in failing tests, stand in a trace, or share words with the issue: those with most first. */
function likelyFiles(
  tree: string,
  files: readonly string[],
  kinds: Kinds,
  query: ReadonlyMap<string, number>,
  ran: ReadonlySet<string>,
  frames: readonly Frame[],
): { file: string; text: string }[] {
  const traced = new Set(frames.map(({ file }) => file));
  const rare = [...query].sort((a, b) => b[1] - a[1]).slice(0, 60);
  const rated = files.flatMap((file) => {
    const isOthers = OTHERS.test(file) || COPIED.test(file);
    if (!isSource(file) || kinds.isTest(file) || (isOthers && !ran.has(file))) return [];
    const text = readSource(tree, file);
    if (text === null) return [];
    if (text.length > MINIFIED * text.split("\n").length && !ran.has(file)) return [];
    const lower = `${file}\n${text}`.toLowerCase();
    const said = rare.reduce((sum, [word, weight]) => sum + (lower.includes(word) ? weight : 0), 0);
    const rank = said + (ran.has(file) ? 1000 : 0) + (traced.has(file) ? 1000 : 0);
    return rank > 0 ? [{ file, text, rank }] : [];
  });
  return rated.sort((a, b) => b.rank - a.rank).slice(0, MOST_FILES);
}

function documentsOf({ file, text, functions, owners }: IndexedFile): Document[] {
  const linesOf = new Map<FunctionPlace | undefined, string[]>(functions.map((place) => [place, []]));
  for (const [i, line] of text.split("\n").entries()) linesOf.get(owners[i])?.push(line);
  const path = wordsIn(file.replace(/\.\w+$/, ""));
  return functions.map((place) => {
    const own = (linesOf.get(place) ?? []).join("\n");
    const words = new Map<string, number>();
    for (const word of wordsIn(own)) words.set(word, (words.get(word) ?? 0) + 1);
    for (const word of path) words.set(word, (words.get(word) ?? 0) + 0.5);
    const name = new Set(place.name === TOP_LEVEL ? [] : wordsIn(place.name));
    return { file, place, words, name, code: own };
  });
}

interface RanLine {
  line: number;
  /** Tests that run it. */
  failing: number;
  passing: number;
  /** Ochiai's coefficient. */
  score: number;
}

/** The lines of a file that failing tests ran. */
export function ranLines(file: string, { failing, passing }: Evidence): RanLine[] {
  const countIn = (tests: readonly Coverage[]) => {
    const counts = new Map<number, number>();
    for (const { lines } of tests) for (const line of lines[file] ?? []) counts.set(line, (counts.get(line) ?? 0) + 1);
    return counts;
  };
  const passed = countIn(passing);
  return [...countIn(failing)].map(([line, count]) => {
    const others = passed.get(line) ?? 0;
    return { line, failing: count, passing: others, score: count / Math.sqrt(failing.length * (count + others)) };
  });
}

/** The most suspicious line of each function, its score divided by the best. */
function ochiai(indexed: readonly IndexedFile[], evidence: Evidence): Map<FunctionPlace, RanLine> {
  const scores = new Map<FunctionPlace, RanLine>();
  for (const { file, owners } of indexed) {
    for (const one of ranLines(file, evidence)) {
      const place = owners[one.line - 1];
      if (place && one.score > (scores.get(place)?.score ?? 0)) scores.set(place, one);
    }
  }
  const most = largest(
    [...scores.values()].map(({ score }) => score),
    0,
  );
  return new Map([...scores].map(([place, one]) => [place, { ...one, score: one.score / most }]));
}
