/** Resampling: intervals and tests that need no formula for the distribution. The same seed gives the same figures. */

/** Resamples of one interval: its ends then move by less than a tenth of a point between seeds. */
const RESAMPLES = 10_000;
/** Values drawn in all. With very many tasks fewer resamples suffice, since their means lie closer together. */
const MOST_DRAWS = 100_000_000;

const resamplesOf = (values: readonly number[]): number =>
  Math.min(RESAMPLES, Math.max(500, Math.floor(MOST_DRAWS / Math.max(1, values.length))));

interface ResampleOptions {
  /** Default: 10,000; of more than 10,000 values fewer. */
  resamples?: number;
  seed?: number;
}

/**
 * Percentile bootstrap interval of a mean, 95%: the tasks are drawn anew, with replacement. Given the score of each
 * task it is the interval of pass@k over tasks; given the difference of two runs on each task it is the paired
 * bootstrap.
 * @param values one a task
 * @throws RangeError for no values: no interval exists for nothing
 * Source: Efron and Tibshirani 1993, "An Introduction to the Bootstrap", ch. 13.3.
 */
export function bootstrapMean(values: readonly number[], options: ResampleOptions = {}): [low: number, high: number] {
  const means = bootstrapMeans(values, options).sort();
  const last = means.length - 1;
  return [means[Math.floor(last * 0.025)] ?? Number.NaN, means[Math.ceil(last * 0.975)] ?? Number.NaN];
}

/** The means of the resamples, in the order drawn. */
export function bootstrapMeans(
  values: readonly number[],
  { resamples = resamplesOf(values), seed = 0 }: ResampleOptions = {},
): Float64Array {
  const n = values.length;
  if (n === 0) throw new RangeError("nothing to resample");
  const data = Float64Array.from(values);
  const next = randomUint32(seed);
  return Float64Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += data[below(n, next)] ?? 0;
    return sum / n;
  });
}

/** Fewer tasks vary too little among themselves: a bootstrap of them alone gives an interval that is too narrow. */
export const FEW_VALUES = 10;

/** An interval that holds both. */
export const spanning = (a: readonly [number, number], b: readonly [number, number]): [low: number, high: number] => [
  Math.min(a[0], b[0]),
  Math.max(a[1], b[1]),
];

/** So many differences have at most 2^14 patterns of signs, which are all tried. */
const MOST_ENUMERATED = 14;

/**
 * Sign-flip test of paired differences, two-sided: were the two runs the same, each task's difference would have either
 * sign equally often. For runs with several attempts a task; with one attempt it is the exact McNemar test.
 * @returns `draws`: the random patterns of signs, null where all patterns are counted and p is exact. A sampled p is
 * never 0: the observed signs count as one of the draws
 * Source: Fisher 1935, "The Design of Experiments", sec. 21; sampled p by Phipson and Smyth 2010, eq. 2.
 */
export function signFlipTest(
  differences: readonly number[],
  { resamples = resamplesOf(differences), seed = 0 }: ResampleOptions = {},
): { p: number; draws: number | null } {
  const moved = Float64Array.from(differences.filter((difference) => difference !== 0));
  const observed = Math.abs(moved.reduce((sum, value) => sum + value, 0));
  /** Whether the sum is as far from 0 with these signs. Sums in another order differ in their last bits. */
  const isAsExtreme = (bitAt: (at: number) => number) =>
    Math.abs(moved.reduce((sum, value, at) => sum + (bitAt(at) === 0 ? -value : value), 0)) >= observed - 1e-9;
  const countOf = (patterns: number, bitsOf: (pattern: number) => (at: number) => number) => {
    let found = 0;
    for (let pattern = 0; pattern < patterns; pattern++) if (isAsExtreme(bitsOf(pattern))) found += 1;
    return found;
  };
  if (moved.length <= MOST_ENUMERATED) {
    const patterns = 2 ** moved.length;
    return { p: countOf(patterns, (pattern) => (at) => (pattern >> at) & 1) / patterns, draws: null };
  }
  const next = randomUint32(seed);
  const asExtreme = countOf(resamples, () => () => next() & 0x8000_0000);
  return { p: (asExtreme + 1) / (resamples + 1), draws: resamples };
}

/**
 * A whole number from 0 to n-1 without the bias of a remainder. Source: Lemire 2019, "Fast Random Integer Generation",
 * sec. 3.
 */
function below(n: number, next: () => number): number {
  const unfair = 2 ** 32 % n;
  for (;;) {
    const x = next();
    if (x >= unfair) return x % n;
  }
}

/**
 * xoshiro128**: 32 random bits a call. The four words of its state come from the seed through splitmix32.
 * Source: Blackman and Vigna 2021, "Scrambled Linear Pseudorandom Number Generators", fig. 5.
 */
export function randomUint32(seed: number | readonly [number, number, number, number]): () => number {
  let [a, b, c, d] = typeof seed === "number" ? expandSeed(seed) : seed;
  return () => {
    const result = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotateLeft(d, 11);
    return result;
  };
}

const rotateLeft = (x: number, by: number) => (x << by) | (x >>> (32 - by));

function expandSeed(seed: number): [number, number, number, number] {
  let state = seed | 0;
  const word = () => {
    state = (state + 0x9e37_79b9) | 0;
    let z = state ^ (state >>> 16);
    z = Math.imul(z, 0x21f0_aaad);
    z ^= z >>> 15;
    z = Math.imul(z, 0x735a_2d97);
    return z ^ (z >>> 15);
  };
  return [word(), word(), word(), word()];
}
