/** Chooses the next token from logits: greedy, or by temperature, top-k and top-p with a seed of its own. */

interface SamplerOptions {
  temperature: number;
  topK: number;
  topP: number;
  repetitionPenalty: number;
  seed: number;
}

/** Whether a token may come next. */
export type TokenFilter = (token: number) => boolean;

/** Every token that may come next; asked for only where the likeliest tokens are all forbidden. */
type AllowedSet = () => Iterable<number>;

/** How many of the likeliest tokens are looked at before all allowed ones are listed. */
const SHORTLIST = 64;

/** A choice consumes exactly one random number, so the same seed gives the same text however passes are grouped. */
export class Sampler {
  readonly #options: SamplerOptions;
  #state: number;

  constructor(options: SamplerOptions) {
    this.#options = options;
    this.#state = options.seed >>> 0;
  }

  /**
   * The next token, or undefined where none is allowed. @param seen tokens that the repetition penalty applies to
   */
  pick(logits: Float32Array, seen: ReadonlySet<number>, allowed?: TokenFilter, all?: AllowedSet): number | undefined {
    const { temperature, repetitionPenalty } = this.#options;
    const scores = repetitionPenalty === 1 ? logits : penalize(logits, seen, repetitionPenalty);
    const random = temperature > 0 ? this.#random() : 0;
    const best = argmax(scores);
    if (temperature === 0 && (!allowed || allowed(best))) return best;
    let candidates = this.#candidates(scores, allowed);
    if (candidates.length === 0 && all) candidates = likeliest(scores, [...all()], this.#shortlist());
    return temperature === 0 ? candidates[0] : this.#draw(scores, candidates, random);
  }

  #shortlist(): number {
    const { temperature, topK } = this.#options;
    if (temperature === 0) return SHORTLIST;
    return topK > 0 ? topK : Number.POSITIVE_INFINITY;
  }

  #candidates(scores: Float32Array, allowed: TokenFilter | undefined): number[] {
    const limit = this.#shortlist();
    if (!allowed) return likeliest(scores, undefined, limit);
    const wanted = Number.isFinite(limit) ? Math.max(limit, SHORTLIST) : limit;
    return likeliest(scores, undefined, wanted).filter(allowed).slice(0, limit);
  }

  #draw(scores: Float32Array, candidates: number[], random: number): number | undefined {
    const { temperature, topP } = this.#options;
    const score = (token: number): number => scores[token] ?? Number.NEGATIVE_INFINITY;
    const top = score(candidates[0] ?? -1);
    const weights = candidates.map((token) => Math.exp((score(token) - top) / temperature));
    const total = weights.reduce((sum, w) => sum + w, 0);
    const kept = nucleus(weights, total * topP);
    let left = random * kept.mass;
    for (let i = 0; i < kept.count; i++) {
      left -= weights[i] ?? 0;
      if (left <= 0) return candidates[i];
    }
    return candidates[kept.count - 1];
  }

  /** Mulberry32: uniform in [0, 1). */
  #random(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }
}

/** The fewest leading weights that reach `mass`. */
function nucleus(weights: number[], mass: number): { count: number; mass: number } {
  let sum = 0;
  let count = 0;
  while (count < weights.length && (sum < mass || count === 0)) sum += weights[count++] ?? 0;
  return { count, mass: sum };
}

export function argmax(values: Float32Array): number {
  let best = 0;
  let high = values[0] ?? Number.NEGATIVE_INFINITY;
  for (let i = 1; i < values.length; i++) {
    const value = values[i] ?? Number.NEGATIVE_INFINITY;
    if (value > high) {
      high = value;
      best = i;
    }
  }
  return best;
}

/** Up to `limit` tokens by falling score, the lower id first among equals. */
export function likeliest(scores: Float32Array, among: number[] | undefined, limit: number): number[] {
  const score = (token: number): number => scores[token] ?? Number.NEGATIVE_INFINITY;
  const byScore = (a: number, b: number): number => score(b) - score(a) || a - b;
  const size = among?.length ?? scores.length;
  if (limit >= size) return (among ?? Array.from(scores.keys())).toSorted(byScore);
  const top: number[] = [];
  let floor = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < size; i++) {
    const token = among ? (among[i] ?? 0) : i;
    if (top.length >= limit && score(token) <= floor) continue;
    let at = top.length;
    while (at > 0 && byScore(token, top[at - 1] ?? 0) < 0) at--;
    top.splice(at, 0, token);
    if (top.length > limit) top.pop();
    if (top.length >= limit) floor = score(top.at(-1) ?? 0);
  }
  return top;
}

/**
 * Keskar et al. 2019 (CTRL), section 4.1: logits of tokens already there are divided by the penalty (or multiplied,
 * below 0).
 */
function penalize(logits: Float32Array, seen: ReadonlySet<number>, penalty: number): Float32Array {
  const out = logits.slice();
  for (const token of seen) {
    const value = out[token];
    if (value !== undefined) out[token] = value > 0 ? value / penalty : value * penalty;
  }
  return out;
}
