import fc from "fast-check";
import { expect, test } from "vitest";
import { decidingOrder, signTest, standingOf } from "./sign_test.ts";

const Score = fc.constantFrom(0, 0.5, 1);

test("stopped at any moment, in any order, the verdict is that of the test on all tasks", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(Score, Score), { maxLength: 30 }),
      fc.constantFrom(0.05, 0.01, 0.3),
      fc.nat(30),
      (pairs, level, tried) => {
        const before = new Map(pairs.map(([score], i) => [`${i}`, score]));
        const whole = new Map(pairs.map(([, score], i) => [`${i}`, score]));
        const isBetter = signTest(before, whole).p <= level;
        const { verdict } = standingOf(before, new Map([...whole].slice(0, tried)), level);
        if (verdict !== "open") expect(verdict).toBe(isBetter ? "better" : "not better");
        if (tried >= pairs.length) expect(verdict).not.toBe("open");
      },
    ),
  );
});

test("a child that wins nothing is dropped once too few tasks are left to win, with none of the others measured", () => {
  const before = new Map(Array.from({ length: 50 }, (_, i) => [`${i}`, Number(i % 2)]));
  const order = decidingOrder([...before.keys()], (task) => before.get(task) ?? 0);
  const measured = (count: number) => new Map(order.slice(0, count).map((task) => [task, before.get(task) ?? 0]));
  expect(standingOf(before, measured(20), 0.05).verdict).toBe("open");
  expect(standingOf(before, measured(21), 0.05)).toMatchObject({ verdict: "not better", test: { wins: 0, losses: 0 } });
});
