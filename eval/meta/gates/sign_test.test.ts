import { expect, test } from "vitest";
import { nextLevel } from "./sign_test.ts";

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
