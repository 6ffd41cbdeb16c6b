import { expect, test } from "vitest";
import { chanceOfWins, detectable, levelOf, nextLevel, signTest } from "./sign_test.ts";

test("the level of a test that accepted goes to the next one, that of another is used up", () => {
  expect(nextLevel(0.06, 3, [])).toBeCloseTo(0.02);
  expect(nextLevel(0.06, 3, [true])).toBeCloseTo(0.04);
  expect(nextLevel(0.06, 3, [true, true])).toBeCloseTo(0.06);
  expect(nextLevel(0.06, 3, [true, false])).toBeCloseTo(0.02);
  expect(nextLevel(0.06, 3, [false, true])).toBeCloseTo(0.04);
});

/** All ways in which the children of a run are better or not, and in which the better ones are seen. */
test("whichever children are better, and whichever of these are seen, a run spends at most alpha on the others", () => {
  const family = 6;
  for (let better = 0; better < 2 ** family; better += 1) {
    for (let seen = 0; seen < 2 ** family; seen += 1) {
      const accepted: boolean[] = [];
      let spent = 0;
      for (let child = 0; child < family; child += 1) {
        const isBetter = ((better >> child) & 1) === 1;
        if (!isBetter) spent += nextLevel(0.05, family, accepted);
        // Up to the first mistake no other child is accepted.
        accepted.push(isBetter && ((seen >> child) & 1) === 1);
      }
      expect(spent).toBeLessThanOrEqual(0.05 + 1e-12);
    }
  }
});

test("counts tasks, not points, and only those that both have", () => {
  const before = new Map([
    ["a", 0],
    ["b", 1],
    ["c", 0.5],
    ["d", 1],
  ]);
  const after = new Map([
    ["a", 1],
    ["b", 0],
    ["c", 0.6],
    ["e", 1],
  ]);
  expect(signTest(before, after)).toEqual({ wins: 2, losses: 1, p: 0.5 });
});

test.each([
  [0, 0, 1],
  [5, 0, 1 / 32],
  [1, 1, 0.75],
  [0, 4, 1],
  [9, 1, 11 / 1024],
])("%d won, %d lost: p = %d", (wins, losses, p) => {
  expect(chanceOfWins(wins, losses)).toBeCloseTo(p, 12);
});

test("what can be found: the fewest wins, and more power with more tasks", () => {
  expect(detectable(50, 0, levelOf(0.05, 1)).leastWins).toBe(5);
  expect(detectable(50, 0, levelOf(0.05, 20)).leastWins).toBe(9);
  const [small, large] = [detectable(25, 0.05, 0.05), detectable(164, 0.05, 0.05)];
  expect(small.gain ?? 1).toBeGreaterThan(large.gain ?? 1);
  expect(detectable(4, 0.05, 0.05).gain).toBeNull();
});
