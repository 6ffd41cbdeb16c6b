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

/** P(X <= k) for X ~ Binomial(n, p), summed term by term. Exact up to rounding; for n of thousands, not millions. */
export function binomialCdf(k: number, n: number, p: number): number {
  if (k < 0) return 0;
  if (k >= n) return 1;
  if (p <= 0 || p >= 1) return p <= 0 ? 1 : 0;
  const logOdds = Math.log(p) - Math.log1p(-p);
  let logTerm = n * Math.log1p(-p);
  let sum = Math.exp(logTerm);
  for (let i = 1; i <= k; i++) {
    logTerm += Math.log((n - i + 1) / i) + logOdds;
    sum += Math.exp(logTerm);
  }
  return Math.min(1, sum);
}

/**
 * Exact McNemar test of two runs on the same tasks: two-sided p of the tasks that flipped, Binomial(gained + lost,
 * 1/2).
 * @param gained tasks that only the second run solved
 * @param lost tasks that only the first run solved
 * @returns 1 where nothing flipped
 * Source: McNemar 1947; exact form as in Fagerland, Lydersen, Laake 2013, BMC Med. Res. Methodol. 13:91, "exact
 * conditional".
 */
export function mcnemarExact(gained: number, lost: number): number {
  if (!(Number.isInteger(gained) && Number.isInteger(lost) && gained >= 0 && lost >= 0)) {
    throw new RangeError(`McNemar's test needs counts, got ${gained} and ${lost}`);
  }
  return Math.min(1, 2 * binomialCdf(Math.min(gained, lost), gained + lost, 0.5));
}

/** On how many of the same tasks two runs succeeded. */
interface PairedCounts {
  both: number;
  onlyFirst: number;
  onlySecond: number;
  neither: number;
}

/**
 * Interval, 95%, of the second run's share of solved tasks minus the first's. Its width is above zero also where the
 * runs differ on all tasks or on none.
 * @throws RangeError without a task
 * Source: Newcombe 1998, "Improved confidence intervals for the difference between binomial proportions based on paired
 * data", Statistics in Medicine 17, method 10.
 */
export function pairedDifferenceInterval(counts: PairedCounts): [low: number, high: number] {
  const { both, onlyFirst, onlySecond, neither } = counts;
  const n = both + onlyFirst + onlySecond + neither;
  const side = (solved: number) => {
    const [low, high] = wilson(solved, n);
    return { below: solved / n - low, above: high - solved / n };
  };
  const [first, second] = [side(both + onlyFirst), side(both + onlySecond)];
  const product = both * neither - onlyFirst * onlySecond;
  const corrected = product > 0 ? Math.max(product - n / 2, 0) : product;
  const scale = Math.sqrt((both + onlyFirst) * (onlySecond + neither) * (both + onlySecond) * (onlyFirst + neither));
  const phi = scale === 0 ? 0 : corrected / scale;
  const width = (a: number, b: number) => Math.sqrt(Math.max(0, a * a - 2 * phi * a * b + b * b));
  const difference = (onlySecond - onlyFirst) / n;
  return [difference - width(second.below, first.above), difference + width(second.above, first.below)];
}

/** A paired comparison as planned: what is true of the two systems, and the level of the test. */
interface PairedDesign {
  /** Tasks that both systems try. */
  tasks: number;
  /** Share of the tasks on which the two differ, from 0 to 1. */
  flipped: number;
  /** True difference of the two scores, at most `flipped`. */
  difference: number;
  /** Level of the two-sided test. Default 0.05. */
  alpha?: number;
}

/**
 * Power of the exact McNemar test: how likely it calls this true difference significant. Averages the power of the
 * binomial test over every number of flipped tasks. Takes time in proportion to the tasks.
 * Source: Duffy 1984, "Asymptotic and exact power for the McNemar test", Biometrics 40:1005–1015.
 */
export function mcnemarPower({ difference, ...design }: PairedDesign): number {
  return powerFor(difference, design, flipCounts(design));
}

type Design = Omit<PairedDesign, "difference">;

/** Numbers of flipped tasks that are likely enough to matter, one after the other. */
interface FlipCounts {
  first: number;
  weights: number[];
  /** For each, most flips in the rarer direction that are still significant; -1 where none is. */
  criticals: number[];
  probability: BinomialProbability;
}

function flipCounts({ tasks, flipped, alpha = 0.05 }: Design): FlipCounts {
  const probability = binomialProbability(tasks);
  const counts: FlipCounts = { first: 0, weights: [], criticals: [], probability };
  let [critical, tail] = [-1, 0];
  for (let count = 0; count <= tasks; count++) {
    for (; 2 * (critical + 1) < count; critical += 1) {
      const next = tail + probability(critical + 1, count, 0.5);
      if (2 * next > alpha) break;
      tail = next;
    }
    const weight = probability(count, tasks, flipped);
    if (weight >= 1e-12) {
      if (counts.weights.length === 0) counts.first = count;
      counts.weights.push(weight);
      counts.criticals.push(critical);
    }
    tail -= probability(critical, count, 0.5) / 2;
  }
  return counts;
}

function powerFor(difference: number, { tasks, flipped }: Design, counts: FlipCounts): number {
  const gap = Math.abs(difference);
  if (!(tasks >= 1 && flipped >= 0 && flipped <= 1 && gap <= flipped + 1e-12)) {
    throw new RangeError(`no such design: ${tasks} tasks, ${flipped} flipped, difference ${difference}`);
  }
  if (flipped === 0) return 0;
  const minority = Math.max(0, (flipped - gap) / (2 * flipped));
  return Math.min(1, rejected(minority, counts) + rejected(1 - minority, counts));
}

/**
 * How likely at most `critical` flips go in a direction that each takes with probability `p`. Each count's tail comes
 * from the one before: P(X <= c; n + 1) = P(X <= c; n) - p P(X = c; n).
 */
function rejected(p: number, { first, weights, criticals, probability }: FlipCounts): number {
  let critical = criticals[0] ?? -1;
  let tail = binomialCdf(critical, first, p);
  let power = 0;
  for (const [i, weight] of weights.entries()) {
    const count = first + i;
    for (; critical < (criticals[i] ?? -1); critical += 1) tail += probability(critical + 1, count, p);
    power += weight * Math.max(0, tail);
    tail -= p * probability(critical, count, p);
  }
  return power;
}

type BinomialProbability = (k: number, n: number, p: number) => number;

/** P(X = k) for X ~ Binomial(n, p), for every n up to `most`. */
function binomialProbability(most: number): BinomialProbability {
  const logFactorials = new Float64Array(Math.max(0, most) + 1);
  for (let i = 2; i <= most; i++) logFactorials[i] = (logFactorials[i - 1] ?? 0) + Math.log(i);
  const log = (n: number) => logFactorials[n] ?? 0;
  return (k, n, p) => {
    if (k < 0 || k > n) return 0;
    if (p <= 0 || p >= 1) return k === (p <= 0 ? 0 : n) ? 1 : 0;
    return Math.exp(log(n) - log(k) - log(n - k) + k * Math.log(p) + (n - k) * Math.log1p(-p));
  };
}

/**
 * Smallest true difference that the exact McNemar test finds with this power, where `flipped` of the tasks differ.
 * @returns null where even the largest possible difference (all flips in one direction) is found more rarely
 */
export function smallestDetectable({ power = 0.8, ...design }: Design & { power?: number }): number | null {
  const { tasks, flipped } = design;
  if (tasks < 1) return null;
  const counts = flipCounts(design);
  const reaches = (difference: number) => powerFor(difference, design, counts) >= power;
  if (!reaches(flipped)) return null;
  let [low, high] = [0, flipped];
  while (high - low > 1e-4) {
    const middle = (low + high) / 2;
    if (reaches(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * Smallest observed difference between two runs that can be significant at all: every flip in one direction.
 * With 40 tasks 0.15, which are the 6 flips that give p = 2/2^6.
 * @returns null where not even all tasks flipping would be significant
 */
export function smallestSignificant(tasks: number, alpha = 0.05): number | null {
  const flips = Math.ceil(Math.log2(2 / alpha));
  return flips <= tasks ? flips / tasks : null;
}

/**
 * Largest share that is still likely where none of `n` was seen, 97.5% one-sided: the upper end of a 95% interval.
 * Source: Clopper and Pearson 1934, for 0 successes in closed form.
 */
export function boundOfNone(n: number): number {
  if (!(n >= 1)) throw new RangeError(`no bound for nothing of ${n}`);
  return 1 - 0.025 ** (1 / n);
}
