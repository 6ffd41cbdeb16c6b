import { expect, test } from "vitest";
import { DEEP } from "../../testing/repeats.ts";
import { sharedRows } from "../../testing/shared_data.ts";
import { bootstrapMean, bootstrapMeans, signFlipTest } from "./bootstrap.ts";
import { mcnemarExact, passAtK } from "./stats.ts";

const mean = (values: ArrayLike<number>) => Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;

/** The means of every possible resample, sorted. */
function everyResample(values: readonly number[]): number[] {
  const n = values.length;
  return Array.from({ length: n ** n }, (_, pattern) => {
    let sum = 0;
    for (let i = 0, rest = pattern; i < n; i++, rest = Math.floor(rest / n)) sum += values[rest % n] ?? 0;
    return sum / n;
  }).sort((a, b) => a - b);
}

test("the bootstrap agrees with the published standard error of the mouse data", () => {
  // Efron and Tibshirani 1993, tables 2.1 and 2.2: treatment group, ideal bootstrap (B = infinity) 23.36.
  const means = bootstrapMeans([94, 197, 16, 38, 99, 141, 23], { resamples: 100_000 });
  const centre = mean(means);
  expect(centre).toBeCloseTo(86.86, 0);
  expect(Math.sqrt(mean(means.map((value) => (value - centre) ** 2)))).toBeCloseTo(23.36, 0);
});

test("the interval agrees with that of all n^n resamples", () => {
  const values = [0, 0.2, 0.2, 0.5, 0.9, 1];
  const all = everyResample(values);
  const [low, high] = bootstrapMean(values, { resamples: 40_000 });
  expect(low).toBeCloseTo(all[Math.floor(all.length * 0.025)] ?? -1, 1);
  expect(high).toBeCloseTo(all[Math.floor(all.length * 0.975)] ?? -1, 1);
  expect(low).toBeLessThan(mean(values));
  expect(high).toBeGreaterThan(mean(values));
});

test("the same seed gives the same interval, another seed nearly the same", () => {
  const values = Array.from({ length: 164 }, (_, i) => (i % 3 === 0 ? 1 : 0));
  expect(bootstrapMean(values, { seed: 7 })).toEqual(bootstrapMean(values, { seed: 7 }));
  const [a] = bootstrapMean(values, { seed: 7 });
  const [b] = bootstrapMean(values, { seed: 8 });
  expect(Math.abs(a - b)).toBeLessThan(0.01);
});

test("nothing has no interval", () => {
  expect(() => bootstrapMean([])).toThrow(RangeError);
});

test("on runs of one attempt the sign-flip test is McNemar's", () => {
  const flips = (gained: number, lost: number) => [
    ...Array<number>(gained).fill(1),
    ...Array<number>(lost).fill(-1),
    ...Array<number>(30).fill(0),
  ];
  for (const [gained, lost] of [
    [9, 2],
    [6, 16],
    [4, 4],
  ] as const) {
    const { p, draws } = signFlipTest(flips(gained, lost), { resamples: 20_000 });
    const isExact = gained + lost <= 14;
    expect(draws).toBe(isExact ? null : 20_000);
    expect(p).toBeCloseTo(mcnemarExact(gained, lost), isExact ? 12 : 1.9);
  }
  expect(signFlipTest([0, 0, 0])).toEqual({ p: 1, draws: null });
});

test("the sign-flip test of few differences counts every pattern of signs", () => {
  expect(signFlipTest([0.2, 0.4, 0.6, 0, 0])).toEqual({ p: 0.25, draws: null });
  // Of ±1 ±2 ±3 ±4 the sum reaches 8 in four of 16 patterns: all plus, -1, and the same with all signs turned.
  expect(signFlipTest([-0.1, 0.2, 0.3, 0.4])).toEqual({ p: 0.25, draws: null });
  const many = Array.from({ length: 15 }, (_, i) => (i + 1) / 15);
  const sampled = signFlipTest(many);
  expect(sampled.draws).toBe(10_000);
  expect(sampled.p).toBeCloseTo(2 / 2 ** 15, 3);
});

const samples = sharedRows<{ task_id: string; expected_pass: boolean }>("octocoder-dev.samples.jsonl");
test.skipIf(samples.length === 0)("pass@k of published generations agrees with the reference harness", () => {
  const byTask = new Map<string, { n: number; c: number }>();
  for (const { task_id: id, expected_pass: passed } of samples) {
    const { n, c } = byTask.get(id) ?? { n: 0, c: 0 };
    byTask.set(id, { n: n + 1, c: c + (passed ? 1 : 0) });
  }
  const scores = (k: number) => [...byTask.values()].map(({ n, c }) => passAtK(n, c, k));
  expect(mean(scores(1))).toBeCloseTo(0.3122, 4);
  expect(mean(scores(10))).toBeCloseTo(0.39347, 5);
  // Over 82 tasks, not over 1640 samples: far wider than Wilson's interval of 512 of 1640, [0.29, 0.335].
  const [low, high] = bootstrapMean(scores(1));
  expect(low).toBeLessThan(0.25);
  expect(high).toBeGreaterThan(0.37);
});

test("of very many tasks fewer resamples are drawn, so that the work has an end", DEEP, () => {
  const of = (n: number) => Array.from({ length: n }, (_, i) => i % 2);
  expect(bootstrapMeans(of(200_000))).toHaveLength(500);
  const [low, high] = bootstrapMean(of(200_000));
  expect([0.5 - low, high - 0.5].every((width) => width > 0.0018 && width < 0.0026)).toBe(true);
});
