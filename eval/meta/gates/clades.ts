/**
 * Chooses parents by the results of their descendants: a weak agent whose children do well is worth editing again, a
 * strong one whose children fail is not. Source: Wang et al. 2025, "Huxley-Gödel Machine", arXiv 2510.21614 (clade
 * metaproductivity, chosen by Thompson sampling).
 */

import { randomUint32 } from "../../../utils/base/statistics/bootstrap.ts";

/** An agent in the tree, with what was measured of it on dev; agents that were measured in part count in part. */
export interface CladeMember {
  n: number;
  parent: number | null;
  /** From 0 to 1, one for each task that was measured. */
  scores: readonly number[];
}

/** Tasks solved and not solved by an agent and all its descendants; shares of tasks count as shares. */
export interface CladeCounts {
  solved: number;
  failed: number;
}

/** @returns counts by agent. A parent's number is lower than those of its children, as in the archive. */
export function cladeCounts(members: readonly CladeMember[]): Map<number, CladeCounts> {
  const counts = new Map<number, CladeCounts>();
  for (const { n, scores } of members) {
    const solved = scores.reduce((sum, score) => sum + score, 0);
    counts.set(n, { solved, failed: scores.length - solved });
  }
  for (const { n, parent } of members.toSorted((a, b) => b.n - a.n)) {
    const [own, above] = [counts.get(n), parent === null ? undefined : counts.get(parent)];
    if (own && above) {
      above.solved += own.solved;
      above.failed += own.failed;
    }
  }
  return counts;
}

/**
 * The agent whose clade draws highest: for each of `candidates` a draw of Beta(1 + solved, 1 + failed), so that a clade
 * with few results is tried, too. The same seed draws the same.
 */
export function drawParent(
  candidates: readonly number[],
  counts: ReadonlyMap<number, CladeCounts>,
  seed: number,
): number {
  const bits = randomUint32(seed);
  const draws = candidates.map((n) => {
    const { solved, failed } = counts.get(n) ?? { solved: 0, failed: 0 };
    return { n, draw: drawBeta(1 + Math.round(solved), 1 + Math.round(failed), () => bits() / 2 ** 32) };
  });
  const [first] = draws.toSorted((a, b) => b.draw - a.draw || a.n - b.n);
  if (!first) throw new Error("no agent to choose from");
  return first.n;
}

/**
 * A draw of Beta(a, b) for whole a and b, from two of Gamma. Source: Devroye 1986, "Non-Uniform Random Variate
 * Generation", IX.4.
 */
function drawBeta(a: number, b: number, uniform: () => number): number {
  const gamma = (shape: number) => {
    let sum = 0;
    for (let i = 0; i < shape; i += 1) sum -= Math.log(1 - uniform());
    return sum;
  };
  const [x, y] = [gamma(a), gamma(b)];
  return x / (x + y);
}
