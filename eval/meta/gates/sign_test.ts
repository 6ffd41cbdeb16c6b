/**
 * Whether a child beats the champion by more than chance: paired by task, corrected for how many children were tried.
 */

import { binomialCdf, mcnemarPower } from "../../../utils/base/statistics/stats.ts";
import type { PairedTest } from "../log.ts";

/** Scores of one agent by task. */
export type Scores = ReadonlyMap<string, number>;

/** Exact sign test over the tasks that both have: wins and losses are those of `after`. */
export function signTest(before: Scores, after: Scores): PairedTest {
  let [wins, losses] = [0, 0];
  for (const [task, score] of after) {
    const old = before.get(task);
    if (old === undefined) continue;
    if (score > old) wins += 1;
    if (score < old) losses += 1;
  }
  return { wins, losses, p: chanceOfWins(wins, losses) };
}

/** P(X >= wins), X ~ Binomial(wins + losses, 1/2); 1 where nothing differs. */
export const chanceOfWins = (wins: number, losses: number): number =>
  wins === 0 ? 1 : 1 - binomialCdf(wins - 1, wins + losses, 0.5);

/**
 * Level of the first test where a run makes at most `family` of them and may promote a child that is no better with
 * probability `alpha` in all. Source: Bonferroni; Dunn 1961, "Multiple Comparisons Among Means".
 */
export const levelOf = (alpha: number, family: number): number => alpha / family;

/**
 * Level of the next test. The level of a test that accepted is not used up: it is carried over, until a test accepts
 * nothing. Up to its first mistake a run has accepted better children alone, so what is spent on the others stays at
 * most `alpha`. Source: the fallback procedure; Wiens 2003, "A Fixed Sequence Bonferroni Procedure for Testing Multiple
 * Endpoints".
 * @param accepted of each test so far, in their order
 */
export const nextLevel = (alpha: number, family: number, accepted: readonly boolean[]): number =>
  levelOf(alpha, family) * (accepted.length - accepted.lastIndexOf(false));

/** What a test on so many tasks can see. */
export interface Detectable {
  /** Fewest wins without any loss that are accepted. */
  leastWins: number;
  /** Smallest true gain (share of tasks) found with 80% power; null where even a gain on every task is not. */
  gain: number | null;
}

/** @param flipRate share of tasks on which two runs of the same agent differ */
export function detectable(tasks: number, flipRate: number, level: number): Detectable {
  const leastWins = Math.ceil(Math.log2(1 / level));
  for (let step = 1; step <= 200; step++) {
    const gain = step / 200;
    const design = { tasks, flipped: Math.min(1, flipRate + gain), difference: gain, alpha: 2 * level };
    if (tasks >= leastWins && mcnemarPower(design) >= 0.8) return { leastWins, gain };
  }
  return { leastWins, gain: null };
}

/**
 * A paired test may stop as soon as its verdict is certain. What the rest could still say is bounded by the champion's
 * own scores: a task that it solves can only be lost, one that it fails can only be won. The verdict is that of the
 * test on all tasks, so its level is kept exactly, in whatever order tasks come (curtailed sampling: Eisenberg and
 * Ghosh 1980, "Curtailed and Uniformly Most Powerful Sequential Tests").
 */
export interface EarlyVerdict {
  /** `open` until no result of the remaining tasks could change it. */
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
