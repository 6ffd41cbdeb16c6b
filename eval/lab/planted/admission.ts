/** Which operators of the search engine make the right edit, and in how many tasks of each set. */

import { columns } from "../search/table.ts";
import type { Trial } from "../search/trials.ts";

/** Trials of one set of tasks, over all protocols. */
export interface MeasuredSet {
  name: string;
  trials: readonly Trial[];
}

/** An operator is admitted where it makes the right edit in so many functions. */
const SOURCES = 2;

/**
 * A row an operator, the rarest first: tasks of each set in which one of the edits that were scored is its and right,
 * and the functions that these are of. A second bug in a function is no second source.
 */
export function admission(sets: readonly MeasuredSet[], operators: readonly string[]): string {
  const rows = operators.map((operator) => {
    const right = sets.map(({ trials }) =>
      trials.filter(({ candidates }) => candidates.some((one) => one.passed === true && one.operator === operator)),
    );
    const counts = right.map((trials) => new Set(trials.map(({ task }) => task.id)).size);
    const functions = new Set(right.flatMap((trials, i) => trials.map(({ task }) => `${i} ${task.entryPoint}`))).size;
    return { functions, cells: [operator, ...counts.map(String), functions < SOURCES ? "no" : "yes"] };
  });
  const sorted = rows.toSorted((a, b) => a.functions - b.functions).map(({ cells }) => cells);
  return columns([["operator", ...sets.map(({ name }) => name), "admitted"], ...sorted]);
}
