// @module-tag deep
import { describe, expect, test } from "vitest";
import { chanceOfWins, detectable, levelOf, signTest } from "../../meta/gates/sign_test.ts";
import { simulate } from "./false_promotions.ts";

describe("children that are their parent", () => {
  test.each([0.05, 0.1, 0.3])(
    "noise %d: fewer than one loop in twenty promotes one, where the best score nearly always would",
    (noise) => {
      const { gated, argmax } = simulate({
        loops: 200,
        children: 20,
        devTasks: 64,
        validationTasks: 50,
        noise,
        alpha: 0.05,
      });
      expect(gated).toBeLessThan(0.05);
      expect(argmax).toBeGreaterThan(0.8);
    },
  );

  test("the early stop measures less and changes no verdict", () => {
    const settings = { loops: 40, children: 20, devTasks: 64, validationTasks: 50, noise: 0.05, alpha: 0.05 };
    // `simulate` throws where a verdict would change.
    expect(simulate(settings).measured).toBeLessThan(0.6);
    expect(simulate({ ...settings, gain: 0.6 }).gated).toBeGreaterThan(0.9);
  });

  test("without the correction for the number of children the error would be larger", () => {
    const settings = { loops: 400, children: 20, devTasks: 64, validationTasks: 50, noise: 0.3 };
    // alpha 1 shared by 20 children is 0.05 for each: what a loop without the correction would do.
    expect(simulate({ ...settings, alpha: 1 }).gated).toBeGreaterThan(0.1);
  });
});

describe("sign test", () => {
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
});
