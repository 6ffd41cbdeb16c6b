/** Statistics of scores. Every formula names its source. */

/**
 * Unbiased estimator of pass@k: 1 - C(n-c, k) / C(n, k), in its numerically stable product form.
 * @param n samples drawn for a task
 * @param c samples that passed
 * @throws RangeError unless 0 <= c <= n and 1 <= k <= n
 * Source: Chen et al. 2021, "Evaluating Large Language Models Trained on Code", eq. 1 and fig. 3.
 */
export function passAtK(n: number, c: number, k: number): number {
  if (!(Number.isInteger(n) && Number.isInteger(c) && Number.isInteger(k) && c >= 0 && c <= n && k >= 1 && k <= n)) {
    throw new RangeError(`pass@k needs integers 0 <= c <= n and 1 <= k <= n, got n=${n} c=${c} k=${k}`);
  }
  if (n - c < k) return 1;
  let allFail = 1;
  for (let i = n - c + 1; i <= n; i++) allFail *= 1 - k / i;
  return 1 - allFail;
}

/** Quantile of the standard normal distribution for a two-sided 95% interval. */
const Z95 = 1.959963984540054;

/**
 * Wilson score interval of a proportion, 95%.
 * @throws RangeError unless 0 <= successes <= n and n >= 1: no interval exists for nothing
 * Source: Wilson 1927; Brown, Cai, DasGupta 2001, "Interval Estimation for a Binomial Proportion", eq. 4.
 */
export function wilson(successes: number, n: number): [low: number, high: number] {
  if (!(n >= 1 && successes >= 0 && successes <= n)) throw new RangeError(`no interval for ${successes} of ${n}`);
  const p = successes / n;
  const z2 = Z95 * Z95;
  const centre = (p + z2 / (2 * n)) / (1 + z2 / n);
  const half = (Z95 / (1 + z2 / n)) * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n * n));
  return [successes === 0 ? 0 : centre - half, successes === n ? 1 : centre + half];
}
