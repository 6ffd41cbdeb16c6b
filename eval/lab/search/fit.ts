/** Learns how likely each operator and what each ranking rule is worth, from trials whose candidates were scored. */

import { largest, smallest } from "../../../utils/base/data/extremes.ts";
import type { Priors } from "../../../utils/search/knowledge.ts";
import type { Trial, TriedEdit } from "./trials.ts";

/** A candidate as a sparse vector over parameters: its operator and its features. */
type Features = [parameter: string, value: number][];

interface Example {
  rows: Features[];
  right: boolean[];
}

/** Cost of a pair of edits: the sum of two costs, taken as it is. */
const PAIR = "cost of a pair";

const operatorKey = (name: string) => `operator ${name}`;
const rowOf = ({ operator, cost, features }: TriedEdit): Features => [
  operator === "pair" ? [PAIR, cost] : [operatorKey(operator), 1],
  ...Object.entries(features),
];

/** Where learning starts: every operator alike, its likelihood shared by its candidates; no ranking rule has a say. */
export function neutralPriors({ margin, operators, weights }: Priors): Priors {
  const start: Record<string, number> = { extra: 1, choices: 1 };
  return {
    margin,
    operators: Object.fromEntries(Object.keys(operators).map((name) => [name, 2])),
    weights: Object.fromEntries(Object.keys(weights).map((name) => [name, start[name] ?? 0])),
  };
}

const toParameters = ({ operators, weights }: Priors): Map<string, number> =>
  new Map([
    ...Object.entries(operators).map(([name, value]): [string, number] => [operatorKey(name), value]),
    [PAIR, 1],
    ...Object.entries(weights),
  ]);

const dot = (row: Features, parameters: Map<string, number>) =>
  row.reduce((sum, [name, value]) => sum + value * (parameters.get(name) ?? 0), 0);

/**
 * The index of the candidate with the best score; -1 where there is none. The engine itself (`choose.py`) takes of
 * those that behave like it the smallest edit.
 */
export function choose(candidates: readonly TriedEdit[], priors: Priors): number {
  const parameters = toParameters(priors);
  const scores = candidates.map((candidate) => dot(rowOf(candidate), parameters));
  return scores.indexOf(smallest(scores));
}

/**
 * Maximum likelihood that a right candidate is chosen (softmax over minus the score), pulled towards `start`.
 * @param pull strength of the pull (L2) of operators; of ranking rules, which are few, it is a tenth. Smaller learns
 *   more from the trials and overfits sooner
 */
export function learnPriors(trials: readonly Trial[], start: Priors, pull = 10, rounds = 250): Priors {
  const examples = trials.flatMap(({ candidates }): Example[] => {
    const right = candidates.map(({ passed }) => passed === true);
    return right.includes(true) ? [{ rows: candidates.map(rowOf), right }] : [];
  });
  const origin = toParameters(start);
  const parameters = new Map(origin);
  const first = new Map<string, number>();
  const second = new Map<string, number>();
  for (let round = 1; round <= rounds; round++) {
    const gradient = gradientOf(examples, parameters);
    for (const [name, value] of parameters) {
      // Adam: Kingma and Ba 2015, algorithm 1.
      const strength = name.startsWith("operator ") ? pull : pull / 10;
      const g = (gradient.get(name) ?? 0) + 2 * strength * (value - (origin.get(name) ?? 0));
      const m = 0.9 * (first.get(name) ?? 0) + 0.1 * g;
      const v = 0.999 * (second.get(name) ?? 0) + 0.001 * g * g;
      first.set(name, m);
      second.set(name, v);
      parameters.set(name, value - (0.05 * (m / (1 - 0.9 ** round))) / (Math.sqrt(v / (1 - 0.999 ** round)) + 1e-8));
    }
  }
  return withParameters(start, parameters);
}

/** Gradient of minus the log likelihood. */
function gradientOf(examples: readonly Example[], parameters: Map<string, number>): Map<string, number> {
  const gradient = new Map<string, number>();
  for (const { rows, right } of examples) {
    const scores = rows.map((row) => -dot(row, parameters));
    const most = largest(scores);
    const weights = scores.map((score) => Math.exp(score - most));
    const all = weights.reduce((sum, weight) => sum + weight, 0);
    const good = weights.reduce((sum, weight, i) => sum + (right[i] ? weight : 0), 0);
    rows.forEach((row, i) => {
      const weight = weights[i] ?? 0;
      const push = (right[i] ? weight / good : 0) - weight / all;
      for (const [name, value] of row) gradient.set(name, (gradient.get(name) ?? 0) + push * value);
    });
  }
  return gradient;
}

function withParameters(start: Priors, parameters: Map<string, number>): Priors {
  const rounded = (name: string, old: number) => Number((parameters.get(name) ?? old).toFixed(2));
  const map = (table: Record<string, number>, key: (name: string) => string) =>
    Object.fromEntries(Object.entries(table).map(([name, old]) => [name, rounded(key(name), old)]));
  return {
    ...start,
    operators: map(start.operators, operatorKey),
    weights: map(start.weights, (name) => name),
  };
}

/** How many of the trials the engine's rule answers rightly under other priors. */
export const countRight = (trials: readonly Trial[], priors: Priors): number =>
  trials.filter(({ candidates }) => candidates[choose(candidates, priors)]?.passed === true).length;

/**
 * Two-fold cross-validation, averaged over `repeats` splits stratified by bug type: priors learned on one half,
 * measured on the other. `start` is what learning starts from and is pulled to.
 */
export function crossValidate(trials: readonly Trial[], start: Priors, repeats = 6, pull = 10): number {
  let right = 0;
  for (let repeat = 0; repeat < repeats; repeat++) {
    const order = shuffled(trials, repeat).sort((a, b) =>
      a.task.bugType < b.task.bugType ? -1 : a.task.bugType > b.task.bugType ? 1 : 0,
    );
    const halves = [order.filter((_, i) => i % 2 === 0), order.filter((_, i) => i % 2 === 1)] as const;
    right +=
      countRight(halves[1], learnPriors(halves[0], start, pull)) +
      countRight(halves[0], learnPriors(halves[1], start, pull));
  }
  return right / repeats;
}

/** A fixed permutation for each seed (mulberry32). */
function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  let state = (seed + 1) * 0x9e3779b9;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
