import { expect, test } from "vitest";
import { describePlan, type PlanInput, planOf, requireWinnable, type Standing } from "./plan.ts";
import { readShares, splitTasks } from "./splits.ts";

const free = { input: 0, output: 0, cachedInput: 0 };
const paid = { input: 1, output: 2, cachedInput: 1 };
const input: PlanInput = {
  tasks: { dev: 32, validation: 25, sealed: 25 },
  iterations: 3,
  baselineAttempts: 2,
  alpha: 0.05,
  family: 3,
  callsPerTask: 12,
  callsPerStep: 60,
  prices: { solver: free, editor: free },
};

test("counts what a run may do at most, and the wins that convince", () => {
  expect(planOf(input)).toMatchObject({
    measurements: 2 * 57 + 3 * 2 * 57 + 2 * 25,
    calls: { editor: 360 },
    costUsd: 0,
    leastWins: 6,
  });
  expect(describePlan(planOf(input))).toContain("at least 6 of 25 validation tasks");
});

test("says what the sealed split can show, and with which shares it shows as much as validation", () => {
  const plan = planOf({ ...input, family: 2, tasks: { dev: 12, validation: 45, sealed: 25 } });
  expect(plan).toMatchObject({ leastWins: 6, sealed: { leastWins: 5 }, balanced: "12,38,32" });
  expect(plan.sealed.gain ?? 0).toBeGreaterThan(plan.gain ?? 1);
  expect(describePlan(plan)).toContain("--split 12,38,32 lets validation and sealed tasks find the same gain");
  const balanced = planOf({ ...input, family: 2, tasks: { dev: 12, validation: 38, sealed: 32 } });
  expect(Math.abs((balanced.sealed.gain ?? 0) - (balanced.gain ?? 1))).toBeLessThan(0.02);
  expect(describePlan(balanced)).not.toContain("--split");
});

test("a cost without a bound is reported as such, never as 0", () => {
  const prices = { solver: paid, editor: paid };
  expect(planOf({ ...input, prices }).costUsd).toBeNull();
  expect(describePlan(planOf({ ...input, prices }))).toContain("set --max-cost");
  expect(planOf({ ...input, prices, maxCostUsd: 20 }).costUsd).toBe(20);
  expect(planOf({ ...input, prices: { solver: free, editor: paid }, stepCostUsd: 2 }).costUsd).toBe(12);
});

test("a price that was not given leaves the cost unknown, and says which option would tell", () => {
  const plan = planOf({ ...input, unpriced: ["--price", "--meta-price"] });
  expect(plan.costUsd).toBeNull();
  expect(describePlan(plan)).toContain("cost: unknown without a price; give --price and --meta-price");
});

const lost = (tasks: [number, number, number], standing: Standing = {}, more: Partial<PlanInput> = {}) => {
  const [dev, validation, sealed] = tasks;
  const plan = planOf({ ...input, ...more, tasks: { dev, validation, sealed } });
  requireWinnable({ ...plan, children: 0 }, standing);
  return () => requireWinnable(plan, standing);
};

test.each<[string, () => void, string]>([
  [
    "too few validation tasks",
    lost([11, 4, 9]),
    "it must win 6 validation tasks, and the run has 4 of 24 tasks; take about 36 such tasks, " +
      "or give validation more with --split 12,6,6.",
  ],
  [
    "enough for a single test",
    lost([6, 5, 4]),
    "it must win 6 validation tasks, and the run has 5 of 15 tasks; take about 18 such tasks, " +
      "or allow fewer tests with --family, or give validation more with --split 6,6,3.",
  ],
  ["few tasks at all", lost([2, 2, 2]), "it must win 6 validation tasks, and the run has 2 of 6 tasks; take about 18"],
  [
    "no validation task",
    lost([5, 0, 1]),
    "it must win 6 validation tasks, and the run has 0 of 6 tasks; take more tasks.",
  ],
  [
    "no dev task",
    lost([0, 9, 9]),
    "it has to win on dev first, and there is no dev task; take more tasks, or other shares with --split.",
  ],
  [
    "A_0 solves all of dev",
    lost([11, 9, 9], { failed: { dev: 0, validation: 9 } }),
    "it has to win on dev first, and the first agent solves all 11 dev tasks; take harder tasks.",
  ],
  [
    "A_0 solves nearly all of validation",
    lost([11, 9, 9], { failed: { dev: 4, validation: 1 } }),
    "it must win 6 validation tasks, and the first agent fails only 1 of 9; take about 174 such tasks.",
  ],
  [
    "A_0 solves all of validation",
    lost([11, 9, 9], { failed: { dev: 4, validation: 0 } }),
    "it must win 6 validation tasks, and the first agent fails only 0 of 9; take harder tasks.",
  ],
  [
    "all tests of a resumed run are made",
    lost([32, 25, 25], { tests: [true, false, false] }),
    "this run has made all 3 of its tests on validation; start another one with --run NAME.",
  ],
])("refuses a run in which a perfect child could not be accepted: %s", (_, run, message) => {
  expect(run).toThrow(`No child could be accepted: ${message}`);
});

test("a run that can be won goes on, by the level that an accepted child left to the next", () => {
  expect(lost([32, 25, 25], { failed: { dev: 1, validation: 6 } })).not.toThrow();
  expect(lost([32, 25, 25], { tests: [true, true], failed: { dev: 1, validation: 5 } })).not.toThrow();
});

test("the shares that are advised make the run one that can be won", () => {
  const advised = /--split (\S+?)[.,;]?$/m.exec(
    describePlan(planOf({ ...input, tasks: { dev: 11, validation: 4, sealed: 9 } })),
  );
  const sizes = splitTasks(
    Array.from({ length: 24 }, (_, i) => ({ id: `T/${i}` })),
    readShares(advised?.[1]),
  );
  expect(advised).not.toBeNull();
  expect(lost([sizes.dev.length, sizes.validation.length, sizes.sealed.length])).not.toThrow();
});
