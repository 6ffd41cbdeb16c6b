import { expect, test } from "vitest";
import { cladeCounts, drawParent } from "./clades.ts";

const solved = (count: number, of: number) => Array.from({ length: of }, (_, i) => Number(i < count));
/** Agent 1 is weak and has good descendants; agent 2 is strong and has bad ones. */
const members = [
  { n: 0, parent: null, scores: solved(20, 50) },
  { n: 1, parent: 0, scores: solved(15, 50) },
  { n: 2, parent: 0, scores: solved(30, 50) },
  { n: 3, parent: 1, scores: solved(45, 50) },
  { n: 4, parent: 3, scores: solved(47, 50) },
  { n: 5, parent: 2, scores: solved(5, 50) },
  { n: 6, parent: 2, scores: solved(5, 50) },
];

test("a clade is an agent with all its descendants", () => {
  const counts = cladeCounts(members);
  expect(counts.get(1)).toEqual({ solved: 107, failed: 43 });
  expect(counts.get(0)).toEqual({ solved: 167, failed: 183 });
  expect(counts.get(4)).toEqual({ solved: 47, failed: 3 });
});

test("the clade that does better is drawn more often than the agent that does", () => {
  const counts = cladeCounts(members);
  const draws = Array.from({ length: 200 }, (_, seed) => drawParent([1, 2], counts, seed));
  expect(draws.filter((n) => n === 1).length).toBeGreaterThan(190);
});

test("a clade without results gets its turn, and the same seed draws the same", () => {
  const counts = new Map([...cladeCounts(members.slice(0, 1)), [1, { solved: 0, failed: 0 }]]);
  const draws = Array.from({ length: 200 }, (_, seed) => drawParent([0, 1], counts, seed));
  expect(draws.filter((n) => n === 1).length).toBeGreaterThan(50);
  expect(Array.from({ length: 200 }, (_, seed) => drawParent([0, 1], counts, seed))).toEqual(draws);
});
