/** The lines of a likely place that say most: statements that failing tests ran, that traces or the issue name. */

import type { LineRange } from "../../utils/languages/places.ts";
import { framesIn } from "../project/frames.ts";
import { functionsOf, ownersOf, type PlaceInFile } from "../project/functions.ts";
import { type Evidence, ranLines, TOP_LEVEL } from "./localise.ts";
import { weightedWords, wordsIn } from "./words.ts";

/** Lines shown around each that is chosen. */
const AROUND = 3;
/** What words of the problem and a place in a stack trace count beside a line that failing tests alone run. */
const WEIGHTS = { words: 0.15, mostWords: 1, stack: 2 };
/** A longer docstring is left out. */
const DOCSTRING_LINES = 3;
/** So many lines between two that are shown are shown, too. */
const SMALL_GAP = 2;
/** A place that is longer by this share is still shown whole. */
const SLACK = 1.25;

/**
 * Numbers of the lines to show of a place, in order: all of it where it is short enough, else what is likeliest and the
 * lines around it. Long docstrings are left out, and no piece begins or ends with a blank line.
 * @param isShown whether a line stands elsewhere already: an inner function may be a place of its own
 */
export function linesToShow(
  { file, name, start, end }: PlaceInFile,
  source: readonly string[],
  evidence: Evidence | null,
  most: number,
  isShown: (line: number) => boolean = () => false,
): number[] {
  const prose = docstringLines(source, { start, end });
  const owners = name === TOP_LEVEL ? ownersOf(functionsOf(file, source.join("\n")), source.length) : [];
  const lines = Array.from({ length: end - start + 1 }, (_, i) => start + i).filter(
    (line) => !owners[line - 1] && !isShown(line),
  );
  const code = lines.filter((line) => !prose.has(line));
  const isBlank = (line: number) => (source[line - 1] ?? "").trim() === "";
  if (code.length <= most * SLACK) return withoutBlankEdges(code, isBlank);
  const score = evidence === null ? () => 0 : lineScore(file, source, evidence);
  const isCode = new Set(code);
  const shown = new Set(code.slice(0, 1));
  const telling = code.filter((line) => !isBlank(line));
  const likeliest = telling.map((line) => ({ line, score: score(line) })).sort((a, b) => b.score - a.score);
  for (const { line } of likeliest) {
    for (let near = line - AROUND; near <= line + AROUND; near += 1)
      if (isCode.has(near) && shown.size < most) shown.add(near);
    if (shown.size >= most) break;
  }
  const found = [...shown].sort((a, b) => a - b);
  const filled = found.flatMap((line, i) => {
    const gap = code.filter((one) => one > (found[i - 1] ?? line) && one < line);
    return gap.length <= SMALL_GAP ? [...gap, line] : [line];
  });
  return withoutBlankEdges(filled, isBlank);
}

/** Without blank lines beside which a line is not shown. */
function withoutBlankEdges(lines: readonly number[], isBlank: (line: number) => boolean): number[] {
  const shown = lines.filter((line, i) => !isBlank(line) || (lines[i - 1] === line - 1 && lines[i + 1] === line + 1));
  return shown.length < lines.length ? withoutBlankEdges(shown, isBlank) : [...lines];
}

/** How much speaks for each line of a file. */
function lineScore(file: string, source: readonly string[], evidence: Evidence): (line: number) => number {
  const query = weightedWords(evidence);
  const traced = new Set(
    framesIn(`${evidence.failure}\n${evidence.issue}`).flatMap((frame) => {
      const isHere = frame.file === file || `${evidence.folder}/${frame.file}` === file;
      return isHere ? [frame.line] : [];
    }),
  );
  const scores = new Map(ranLines(file, evidence).map(({ line, score }) => [line, score]));
  return (line) => {
    const ran = scores.get(line) ?? 0;
    const words = new Set(wordsIn(source[line - 1] ?? ""));
    const said = [...words].reduce((sum, word) => sum + (query.get(word) ?? 0), 0);
    const { words: weight, mostWords, stack } = WEIGHTS;
    return ran + Math.min(mostWords, said * weight) + (traced.has(line) ? stack : 0);
  };
}

/** Lines of long texts in triple quotes that begin a line in a range: in Python they are docstrings, mostly. */
function docstringLines(source: readonly string[], { start, end }: LineRange): Set<number> {
  const found = new Set<number>();
  for (let line = start; line <= end; line += 1) {
    const [, quote, rest = ""] = /^\s*[rRbBuU]?("""|''')(.*)$/.exec(source[line - 1] ?? "") ?? [];
    if (quote === undefined) continue;
    let last = line;
    if (!rest.includes(quote)) while (last < end && !(source[last] ?? "").includes(quote)) last += 1;
    const until = rest.includes(quote) ? line : Math.min(end, last + 1);
    if (until - line >= DOCSTRING_LINES) for (let one = line; one <= until; one += 1) found.add(one);
    line = until;
  }
  return found;
}
