import { expect, test } from "vitest";
import { describePlan, type PlanInput, planOf, requireWinnable } from "./plan.ts";

const free = { input: 0, output: 0, cachedInput: 0 };
const paid = { input: 1, output: 2, cachedInput: 1 };
const input: PlanInput = {
  tasks: { dev: 32, validation: 25, sealed: 25, forgeable: 0 },
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
  const plan = planOf({ ...input, family: 2, tasks: { dev: 12, validation: 45, sealed: 25, forgeable: 0 } });
  expect(plan).toMatchObject({ leastWins: 6, sealed: { leastWins: 5 }, balanced: "12,38,32" });
  expect(plan.sealed.gain ?? 0).toBeGreaterThan(plan.gain ?? 1);
  expect(describePlan(plan)).toContain("with --split 12,38,32 both tests would see the same gain");
  const balanced = planOf({ ...input, family: 2, tasks: { dev: 12, validation: 38, sealed: 32, forgeable: 0 } });
  expect(Math.abs((balanced.sealed.gain ?? 0) - (balanced.gain ?? 1))).toBeLessThan(0.02);
  expect(describePlan(balanced)).not.toContain("--split");
});

test("a cost that nothing bounds is said to be so, never 0", () => {
  const prices = { solver: paid, editor: paid };
  expect(planOf({ ...input, prices }).costUsd).toBeNull();
  expect(describePlan(planOf({ ...input, prices }))).toContain("set --max-cost");
  expect(planOf({ ...input, prices, maxCostUsd: 20 }).costUsd).toBe(20);
  expect(planOf({ ...input, prices: { solver: free, editor: paid }, stepCostUsd: 2 }).costUsd).toBe(12);
});

test.each([
  [
    "too few validation tasks, before anything is measured",
    4,
    null,
    /of 13 tasks 4 are for validation, and 6 must be won/,
  ],
  ["no validation task", 0, null, /take more tasks\.$/],
  ["enough for a single test", 9, 5, /about 35 tasks like these would be enough; so would fewer tests on validation/],
  [
    "A_0 solves nearly all",
    9,
    1,
    /A_0 solves 8 of 9 validation tasks, and 6 more.*about 174 tasks like these would be enough\.$/,
  ],
  ["A_0 solves all", 9, 0, /take harder tasks/],
])("refuses a run that cannot be won: %s", (_, validation, failed, message) => {
  const plan = planOf({ ...input, tasks: { dev: 11, validation, sealed: 9, forgeable: 0 } });
  expect(() => requireWinnable(plan, failed, failed === null ? 13 : 29)).toThrow(message);
  expect(() => requireWinnable({ ...plan, children: 0 }, failed, 29)).not.toThrow();
});

test("a run that can be won goes on", () => {
  expect(() => requireWinnable(planOf(input), 6, 82)).not.toThrow();
});
