import { expect, test } from "vitest";
import { Sampler } from "./sampler.ts";

const LOGITS = Float32Array.of(0, 3, 1, 2.9, -5);
const NONE: ReadonlySet<number> = new Set();
const sampler = (changes: object = {}) =>
  new Sampler({ temperature: 0, topK: 0, topP: 1, repetitionPenalty: 1, seed: 1, ...changes });
const draws = (changes: object, count = 4000) => {
  const one = sampler({ temperature: 1, ...changes });
  const drawn = Array.from({ length: count }, () => one.pick(LOGITS, NONE));
  return Array.from(LOGITS, (_, token) => drawn.filter((d) => d === token).length / count);
};

test("greedy takes the likeliest token that is allowed, wherever it is", () => {
  expect(sampler().pick(LOGITS, NONE)).toBe(1);
  expect(sampler().pick(LOGITS, NONE, (t) => t % 2 === 0)).toBe(2);
  const many = Float32Array.from({ length: 5000 }, (_, i) => -i);
  expect(
    sampler().pick(
      many,
      NONE,
      (t) => t >= 4000,
      () => [4001, 4000],
    ),
  ).toBe(4000);
  expect(
    sampler().pick(
      LOGITS,
      NONE,
      () => false,
      () => [],
    ),
  ).toBeUndefined();
});

test("draws follow softmax(logits / T)", () => {
  const weights = [...LOGITS].map(Math.exp);
  const total = weights.reduce((a, b) => a + b, 0);
  draws({}).forEach((share, i) => {
    expect(Math.abs(share - (weights[i] ?? 0) / total)).toBeLessThan(0.03);
  });
});

test("top-k and top-p leave the unlikely out; the penalty lowers what was seen", () => {
  expect(draws({ topK: 2 }).map((share) => share > 0)).toEqual([false, true, false, true, false]);
  expect(draws({ topP: 0.4 }).map((share) => share > 0)).toEqual([false, true, false, false, false]);
  expect(sampler({ repetitionPenalty: 1.2 }).pick(LOGITS, new Set([1]))).toBe(3);
});
