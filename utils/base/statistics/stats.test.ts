import { expect, test } from "vitest";
import {
  binomialCdf,
  boundOfNone,
  mcnemarExact,
  mcnemarPower,
  pairedDifferenceInterval,
  passAtK,
  smallestDetectable,
  smallestSignificant,
  wilson,
} from "./stats.ts";

/** Counts the k-subsets without a passing sample, one by one. */
function passAtKByCounting(n: number, c: number, k: number): number {
  let subsets = 0;
  let failing = 0;
  for (let mask = 0; mask < 1 << n; mask++) {
    const members = Array.from({ length: n }, (_, i) => i).filter((i) => mask & (1 << i));
    if (members.length !== k) continue;
    subsets += 1;
    if (members.every((i) => i >= c)) failing += 1;
  }
  return 1 - failing / subsets;
}

test("pass@k agrees with counting subsets for every n up to 8", () => {
  for (let n = 1; n <= 8; n++) {
    for (let c = 0; c <= n; c++) {
      for (let k = 1; k <= n; k++) expect(passAtK(n, c, k)).toBeCloseTo(passAtKByCounting(n, c, k), 12);
    }
  }
});

test.each([
  [5, 6, 1],
  [5, 1, 6],
  [5, 1, 0],
  [5, -1, 1],
  [5, 1.5, 1],
])("pass@k refuses n=%d c=%d k=%d", (n, c, k) => {
  expect(() => passAtK(n, c, k)).toThrow(RangeError);
});

test("the Wilson interval agrees with published values", () => {
  // Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3.
  const published: [number, number, number, number][] = [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ];
  for (const [successes, n, low, high] of published) {
    const [a, b] = wilson(successes, n);
    expect(a).toBeCloseTo(low, 4);
    expect(b).toBeCloseTo(high, 4);
  }
});

test("no interval for no tasks", () => {
  expect(() => wilson(0, 0)).toThrow(RangeError);
});

/** Two-sided p of McNemar's test by listing every way in which the flips could have gone. */
function mcnemarByCounting(gained: number, lost: number): number {
  const n = gained + lost;
  let asExtreme = 0;
  for (let signs = 0; signs < 1 << n; signs++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += signs & (1 << i) ? 1 : -1;
    if (Math.abs(sum) >= Math.abs(gained - lost)) asExtreme += 1;
  }
  return asExtreme / 2 ** n;
}

test("McNemar agrees with counting every pattern of signs, up to 12 flips", () => {
  for (let gained = 0; gained <= 6; gained++) {
    for (let lost = 0; lost <= 6; lost++) {
      expect(mcnemarExact(gained, lost)).toBeCloseTo(mcnemarByCounting(gained, lost), 12);
    }
  }
});

test("McNemar agrees with published values", () => {
  // Fagerland, Lydersen, Laake 2013, table "exact conditional": airway responsiveness, complete response.
  expect(mcnemarExact(1, 7)).toBeCloseTo(0.0703, 4);
  expect(mcnemarExact(6, 16)).toBeCloseTo(0.0525, 4);
  // Fay 2010, vignette of the R package exact2x2: the table (21, 9; 2, 12).
  expect(mcnemarExact(9, 2)).toBeCloseTo(0.06543, 5);
});

test("McNemar is symmetric, 1 where nothing flipped, and refuses what is no count", () => {
  expect(mcnemarExact(3, 9)).toBe(mcnemarExact(9, 3));
  expect(mcnemarExact(0, 0)).toBe(1);
  expect(mcnemarExact(1000, 1000)).toBe(1);
  expect(() => mcnemarExact(1.5, 2)).toThrow(RangeError);
});

/** Power by listing every outcome of every task: gained, lost or the same. */
function powerByCounting(tasks: number, gain: number, loss: number): number {
  let power = 0;
  for (let pattern = 0; pattern < 3 ** tasks; pattern++) {
    let [rest, gained, lost, weight] = [pattern, 0, 0, 1];
    for (let i = 0; i < tasks; i++) {
      const way = rest % 3;
      rest = Math.floor(rest / 3);
      if (way === 1) gained += 1;
      if (way === 2) lost += 1;
      weight *= way === 1 ? gain : way === 2 ? loss : 1 - gain - loss;
    }
    if (mcnemarByCounting(gained, lost) <= 0.05) power += weight;
  }
  return power;
}

test("power agrees with listing every outcome of 8 tasks", () => {
  for (const [gain, loss] of [
    [0.7, 0.1],
    [0.5, 0],
    [0.2, 0.2],
  ] as const) {
    const power = mcnemarPower({ tasks: 8, flipped: gain + loss, difference: gain - loss });
    expect(power).toBeCloseTo(powerByCounting(8, gain, loss), 10);
  }
});

test("the smallest detectable difference has the power asked for, and a little less has not", () => {
  const design = { tasks: 164, flipped: 0.2 };
  const difference = smallestDetectable(design);
  if (difference === null) throw new Error("a difference is detectable here");
  expect(mcnemarPower({ ...design, difference })).toBeGreaterThanOrEqual(0.8);
  expect(mcnemarPower({ ...design, difference: difference - 0.001 })).toBeLessThan(0.8);
  // Of very many tasks as a normal distribution has it: (1.960 + 0.842) sqrt(flipped / tasks).
  expect(smallestDetectable({ tasks: 200_000, flipped: 0.4 })).toBeCloseTo(2.802 * Math.sqrt(0.4 / 200_000), 3);
  expect(smallestDetectable({ tasks: 10, flipped: 0.2 })).toBeNull();
  expect(smallestDetectable({ tasks: 40, flipped: 0 })).toBeNull();
});

test("with 40 tasks no difference under 15 points can be significant", () => {
  expect(smallestSignificant(40)).toBe(0.15);
  expect(mcnemarExact(6, 0)).toBeLessThanOrEqual(0.05);
  expect(mcnemarExact(5, 0)).toBeGreaterThan(0.05);
  expect(smallestSignificant(5)).toBeNull();
});

test("the bound where none was seen agrees with a published value and with the distribution", () => {
  // Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 5: 0 of 20.
  expect(boundOfNone(20)).toBeCloseTo(0.1684, 4);
  for (const n of [1, 7, 164]) expect(binomialCdf(0, n, boundOfNone(n))).toBeCloseTo(0.025, 12);
});

test("the interval of a paired difference holds the true one in about 95% of all outcomes", () => {
  const tasks = 20;
  const logFactorial = (n: number) => Array.from({ length: n }, (_, i) => Math.log(i + 1)).reduce((a, b) => a + b, 0);
  for (const [both, onlyFirst, onlySecond] of [
    [0.5, 0.1, 0.2],
    [0.2, 0.3, 0.3],
    [0.7, 0.02, 0.18],
  ] as const) {
    const shares = [both, onlyFirst, onlySecond, 1 - both - onlyFirst - onlySecond];
    let held = 0;
    for (let a = 0; a <= tasks; a++)
      for (let b = 0; a + b <= tasks; b++)
        for (let c = 0; a + b + c <= tasks; c++) {
          const counts = [a, b, c, tasks - a - b - c];
          const terms = counts.map((count, at) => count * Math.log(shares[at] ?? 0) - logFactorial(count));
          const chance = Math.exp(logFactorial(tasks) + terms.reduce((sum, term) => sum + term, 0));
          const [low, high] = pairedDifferenceInterval({
            ...{ both: a, onlyFirst: b, onlySecond: c, neither: tasks - a - b - c },
          });
          if (low <= onlySecond - onlyFirst && onlySecond - onlyFirst <= high) held += chance;
        }
    expect(held).toBeGreaterThan(0.935);
    expect(held).toBeLessThan(0.985);
  }
});

test("the interval of a paired difference is as wide as few tasks allow, and turns with the order of the runs", () => {
  const [low, high] = pairedDifferenceInterval({ both: 0, onlyFirst: 2, onlySecond: 0, neither: 0 });
  expect(low).toBe(-1);
  expect(high).toBeGreaterThan(-0.5);
  const [least, most] = pairedDifferenceInterval({ both: 3, onlyFirst: 0, onlySecond: 0, neither: 3 });
  expect([least < -0.1, most > 0.1]).toEqual([true, true]);
  const there = pairedDifferenceInterval({ both: 36, onlyFirst: 12, onlySecond: 2, neither: 0 });
  const back = pairedDifferenceInterval({ both: 36, onlyFirst: 2, onlySecond: 12, neither: 0 });
  expect(there[0]).toBeCloseTo(-back[1], 12);
  expect(there[1]).toBeCloseTo(-back[0], 12);
});
