import { expect, test } from "vitest";
import { passAtK, wilson } from "./stats.ts";

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

test("pass@1 is the plain share", () => {
  expect(passAtK(20, 5, 1)).toBeCloseTo(0.25, 12);
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
