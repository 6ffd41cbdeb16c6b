/**
 * The moves of a search in a repository: it searches, then answers with one edit that passed after the other. Where
 * none makes all failing tests pass, it searches for some of them, an edit that passes one stays, and the search goes
 * on from there. So mistakes in several places are repaired one after the other.
 */

import { type Move, type NextMove, type PastTurn, SEARCH_EDITS } from "../../utils/search/moves.ts";
import {
  editLine,
  type FileEdit,
  readFindings,
  readUntried,
  type SearchFindings,
  searchedLines,
  together,
} from "./findings.ts";

interface PastSearch {
  /** Null where nothing was tried: `why` says it. */
  found: SearchFindings | null;
  why: string;
  /** Turns since. */
  steps: number;
}

/** Functions that are searched at a time. */
export const FUNCTIONS = 5;

/** Tests that are searched for alone, in one search. */
const MOST_ALONE = 4;

const searchesIn = (past: readonly PastTurn[]): PastSearch[] =>
  past.flatMap(({ data, later: steps }) => {
    const [found, why] = [readFindings(data), readUntried(data)];
    return found || why !== null ? [{ found, why: why ?? "", steps }] : [];
  });

/** Searches once, for what makes all failing tests pass. */
export const nextForAllTests: NextMove = (past) => {
  const searches = searchesIn(past);
  const [first] = searches;
  if (!first) return searching("I try small edits of other functions that all failing tests run.");
  const answer = nextEdit(first.found?.edits ?? [], first.steps);
  return answer ?? { kind: "answer", thought: "", text: whyNothing(searches), isLast: true };
};

export const nextInTests: NextMove = (past) => {
  const searches = searchesIn(past);
  return nextMove(searches) ?? { kind: "answer", thought: "", text: whyNothing(searches), isLast: true };
};

/** Null where nothing is left to try. */
function nextMove(searches: readonly PastSearch[]): Move | null {
  const last = searches.at(-1);
  if (!last)
    return searching("I try small edits of the likeliest functions where the tests run, and keep those that pass.");
  const { found, steps } = last;
  const [first] = found?.edits ?? [];
  if (!found) return null;
  if (!first) {
    const tests = nextAlone(searches);
    return tests && searching("I try what makes some of the failing tests pass.", { tests });
  }
  if (!isPartial(found)) return nextEdit(found.edits, steps);
  return steps === 0 ? making(first, 1, "makes some of the failing tests pass") : searching("I go on from there.");
}

const searching = (thought: string, input: Record<string, unknown> = {}): Move => ({
  kind: "act",
  tool: SEARCH_EDITS,
  input,
  thought,
});

/** One edit after the other is made in place of the one before it, and answered with. */
function nextEdit(edits: readonly FileEdit[], steps: number): Move | null {
  const number = Math.floor(steps / 2);
  const edit = edits[number];
  if (!edit) return null;
  if (steps % 2 === 0) return making(edit, number + 1, "passes");
  const thought =
    edits.length === 1
      ? "It is the only edit that passes."
      : `${edits.length} edits pass; this is the likeliest that is left.`;
  return { kind: "answer", thought, text: editLine(edit) };
}

const making = (edit: FileEdit, number: number, what: string): Move => ({
  kind: "act",
  tool: SEARCH_EDITS,
  input: { take: number },
  thought: `${edit.before} → ${edit.after} (${edit.operator}) ${what}.`,
});

/** Whether failing tests were left out of what a search had to make pass. */
export const isPartial = ({ wanted, failing }: SearchFindings): boolean => wanted.length < failing.length;

/** The edits that were made to go on from, in their order: each the likeliest that its search found. */
const stayed = (searches: readonly PastSearch[]): FileEdit[] =>
  searches.flatMap(({ found, steps }) => (found && isPartial(found) && steps > 0 ? found.edits.slice(0, 1) : []));

/**
 * The failing tests to search for next, where nothing makes all pass: the cases of one test. Null where none is left.
 */
function nextAlone(searches: readonly PastSearch[]): string[] | null {
  const last = searches.at(-1)?.found;
  if (!last) return null;
  const alone = searches.flatMap(({ found }) => (found && isPartial(found) ? [testOf(found.wanted[0] ?? "")] : []));
  const tests = new Set(last.failing.map(testOf));
  const hopeless = hopelessIn(searches);
  const next = [...tests].find((test) => !alone.includes(test) && !hopeless.has(test));
  if (next === undefined || tests.size < 2 || alone.length >= MOST_ALONE) return null;
  return last.failing.filter((name) => testOf(name) === next);
}

/**
 * Tests that no edit made pass in the last search by all of them, where that tried all edits of all places that there
 * are: a search by one of them would try the same again.
 */
function hopelessIn(searches: readonly PastSearch[]): Set<string> {
  const all = searches.findLast(({ found }) => found !== null && !isPartial(found))?.found;
  if (all && (all.functions.length >= FUNCTIONS || all.functions.some(({ untried }) => untried > 0))) return new Set();
  const [first, ...others] = all?.functions.filter(({ why }) => why === undefined) ?? [];
  const none = first?.none.filter((name) => others.every((one) => one.none.includes(name))) ?? [];
  return new Set(none.map(testOf));
}

/** A test without its case: `tests/test_a.py::test_b` of `tests/test_a.py::test_b[1-2]`. */
const testOf = (name: string): string => name.replace(/\[.*\]$/s, "");

/** What was tried and to what end, or the tool's own words where it tried nothing. */
function whyNothing(searches: readonly PastSearch[]): string {
  const all = searches.flatMap(({ found }) => found ?? []);
  const { found = null, why = "" } = searches.at(-1) ?? {};
  if (!found) return why;
  const kept = stayed(searches);
  const some =
    kept.length > 0 ? `Made: ${kept.map(editLine).join("; ")}; tests that fail now: ${found.failing.length}. ` : "";
  const functions = together(all);
  const none = functions.some(({ late }) => late > 0) ? "No edit that could be judged passes" : "No edit passes";
  const what = found.edits.length === 0 ? `${none} the tests` : "No edit that passes is accepted";
  return `${some}${what}. Tried: ${searchedLines({ functions }).join("; ")}.`;
}
