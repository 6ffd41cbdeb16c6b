/**
 * Searching for some of the failing tests where no edit makes all of them pass: an edit that passes one of them stays,
 * and the search goes on from there. So mistakes in several places are repaired one after the other.
 */

import type { BaseMessage } from "@langchain/core/messages";
import { observationOf } from "../../utils/task/task_data.ts";
import {
  editLine,
  type FileEdit,
  readFindings,
  readUntried,
  type SearchFindings,
  searchedLines,
  together,
} from "./findings.ts";

/** A search in a conversation. */
export interface PastSearch {
  /** Null where nothing was tried: `why` says it. */
  found: SearchFindings | null;
  why: string;
  /** Replies since it was known. */
  steps: number;
}

/** Functions that are searched at a time. */
export const FUNCTIONS = 5;

/** Tests that are searched for alone, in one conversation. */
const MOST_ALONE = 4;

export function searchesIn(messages: readonly BaseMessage[]): PastSearch[] {
  return messages.flatMap((message, i) => {
    const data = observationOf(message);
    const [found, why] = [readFindings(data), readUntried(data)];
    const steps = messages.slice(i + 1).filter(({ type }) => type === "ai").length;
    return found || why !== null ? [{ found, why: why ?? "", steps }] : [];
  });
}

/** Whether failing tests were left out of what a search had to make pass. */
export const isPartial = ({ wanted, failing }: SearchFindings): boolean => wanted.length < failing.length;

/** The edits that a conversation has made to go on from, in their order: each the likeliest that its search found. */
export const stayed = (searches: readonly PastSearch[]): FileEdit[] =>
  searches.flatMap(({ found, steps }) => (found && isPartial(found) && steps > 0 ? found.edits.slice(0, 1) : []));

/**
 * The failing tests to search for next, where nothing makes all pass: the cases of one test. Null where none is left.
 */
export function nextAlone(searches: readonly PastSearch[]): string[] | null {
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
export function whyNothing(searches: readonly PastSearch[]): string {
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
