/**
 * A paired test that stops as soon as its verdict is certain. What the rest could still say is bounded by the
 * champion's own scores: a task that it solves can only be lost, one that it fails can only be won. The verdict is that
 * of the test on all tasks, so its level is kept exactly, in whatever order tasks come (curtailed sampling: Eisenberg
 * and Ghosh 1980, "Curtailed and Uniformly Most Powerful Sequential Tests").
 */

import type { PairedTest } from "../log.ts";
import { chanceOfWins, type Scores, signTest } from "./sign_test.ts";

/** `open` until no result of the remaining tasks could change the verdict. */
export interface EarlyVerdict {
  verdict: "better" | "not better" | "open";
  /** Wins and losses so far; p is what the whole test will say at most (`better`) or at least. */
  test: PairedTest;
}

/**
 * Tasks in the order that decides soonest: those that can be won, then those that can be lost. Ties keep their order.
 */
export const decidingOrder = <Item>(items: readonly Item[], champion: (item: Item) => number): Item[] =>
  items.toSorted((a, b) => Number(champion(a) >= 1) - Number(champion(b) >= 1));

/**
 * @param before the champion's scores on all tasks of the test, @param after the child's on some of them
 * @param level largest p that convinces
 */
export function standingOf(before: Scores, after: Scores, level: number): EarlyVerdict {
  const { wins, losses } = signTest(before, after);
  const rest = [...before].filter(([task]) => !after.has(task));
  const winnable = rest.filter(([, score]) => score < 1).length;
  const losable = rest.filter(([, score]) => score > 0).length;
  const atMost = chanceOfWins(wins, losses + losable);
  const atLeast = chanceOfWins(wins + winnable, losses);
  if (atMost <= level) return { verdict: "better", test: { wins, losses, p: atMost } };
  if (atLeast > level) return { verdict: "not better", test: { wins, losses, p: atLeast } };
  return { verdict: "open", test: { wins, losses, p: chanceOfWins(wins, losses) } };
}
