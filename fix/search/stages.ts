/**
 * The moves of a search in a repository: it searches, then answers with one edit that passed after the other. Where
 * none makes all failing tests pass, it searches for some of them, an edit that passes one stays, and the search goes
 * on from there. So mistakes in several places are repaired one after the other.
 */

import { type Move, SEARCH_EDITS } from "../../utils/search/moves.ts";
import {
  changeIn,
  editLine,
  type FileEdit,
  isPartial,
  type SearchFindings,
  searchedLines,
  together,
} from "./findings.ts";
import { FUNCTIONS } from "./likely_places.ts";
import type { RepositorySearch } from "./repository_search.ts";

/** Tests that are searched for alone, in one search. */
const MOST_ALONE = 4;

type LastSearch = Pick<RepositorySearch, "last">;

/** Searches once, for what makes all failing tests pass. */
export function* searchOnce(search: LastSearch): Generator<Move, void> {
  yield searching("I try small edits of other functions that all failing tests run.");
  yield* answers(search.last);
  yield nothingFound(search.last, [], []);
}

export function* searchInStages(search: LastSearch): Generator<Move, void> {
  const searches: SearchFindings[] = [];
  const made: FileEdit[] = [];
  yield searching("I try small edits of the likeliest functions where the tests run, and keep those that pass.");
  while (search.last !== null && typeof search.last !== "string") {
    const found = search.last;
    searches.push(found);
    const [first] = found.edits;
    if (first && isPartial(found)) {
      yield making(first, 1, "makes some of the failing tests pass");
      made.push(first);
      yield searching("I go on from there.");
      continue;
    }
    yield* answers(found);
    const tests = first ? null : nextAlone(searches);
    if (!tests) break;
    yield searching("I try what makes some of the failing tests pass.", { tests });
  }
  yield nothingFound(search.last, searches, made);
}

/** One edit after the other is made in place of the one before it, and answered with. */
function* answers(found: RepositorySearch["last"]): Generator<Move, void> {
  const edits = found === null || typeof found === "string" ? [] : found.edits;
  const only = "It is the only edit that passes.";
  const thought = edits.length === 1 ? only : `${edits.length} edits pass; this is the likeliest that is left.`;
  for (const [i, edit] of edits.entries()) {
    yield making(edit, i + 1, "passes");
    yield { kind: "answer", thought, text: editLine(edit) };
  }
}

const searching = (thought: string, input: Record<string, unknown> = {}): Move => ({
  kind: "act",
  tool: SEARCH_EDITS,
  input,
  thought,
});

const making = (edit: FileEdit, number: number, what: string): Move =>
  searching(`${changeIn(edit)} (${edit.operator}) ${what}.`, { take: number });

/**
 * The failing tests to search for next, where nothing makes all pass: the cases of one test. Null where none is left.
 */
function nextAlone(searches: readonly SearchFindings[]): string[] | null {
  const alone = searches.filter(isPartial).map(({ wanted }) => testOf(wanted[0] ?? ""));
  const failing = searches.at(-1)?.failing ?? [];
  const tests = new Set(failing.map(testOf));
  const hopeless = hopelessIn(searches);
  const next = [...tests].find((test) => !alone.includes(test) && !hopeless.has(test));
  if (next === undefined || tests.size < 2 || alone.length >= MOST_ALONE) return null;
  return failing.filter((name) => testOf(name) === next);
}

/**
 * Tests that no edit made pass in the last search by all of them, where that tried all edits of all places that there
 * are: a search by one of them would try the same again.
 */
function hopelessIn(searches: readonly SearchFindings[]): Set<string> {
  const all = searches.findLast((found) => !isPartial(found));
  if (all && (all.functions.length >= FUNCTIONS || all.functions.some(({ untried }) => untried > 0))) return new Set();
  const [first, ...others] = all?.functions.filter(({ why }) => why === undefined) ?? [];
  const none = first?.none.filter((name) => others.every((one) => one.none.includes(name))) ?? [];
  return new Set(none.map(testOf));
}

/** A test without its case: `tests/test_a.py::test_b` of `tests/test_a.py::test_b[1-2]`. */
const testOf = (name: string): string => name.replace(/\[.*\]$/s, "");

/** The last answer: what was tried and to what end, or why nothing was. */
function nothingFound(
  last: RepositorySearch["last"],
  searches: readonly SearchFindings[],
  made: readonly FileEdit[],
): Move {
  const answer = (text: string): Move => ({ kind: "answer", thought: "", text, isLast: true });
  if (last === null || typeof last === "string") return answer(last ?? "");
  const some =
    made.length > 0 ? `Made: ${made.map(editLine).join("; ")}; tests that fail now: ${last.failing.length}. ` : "";
  const functions = together(searches.length > 0 ? searches : [last]);
  const none = functions.some(({ late }) => late > 0) ? "No edit that could be judged passes" : "No edit passes";
  const what = last.edits.length === 0 ? `${none} the tests` : "No edit that passes is accepted";
  return answer(`${some}${what}. Tried: ${searchedLines({ functions }).join("; ")}.`);
}
