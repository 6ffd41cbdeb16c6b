import { expect, test } from "vitest";
import { ownKnowledge } from "../../../agent/tools/knowledge.ts";
import type { Priors } from "../../../utils/search/knowledge.ts";
import type { Task } from "../../../utils/task/task.ts";
import { emptyTask } from "../../../utils/testing/empty_task.ts";
import { choose, countRight, crossValidate, learnPriors, neutralPriors } from "./fit.ts";
import { breakdown, quantile, table } from "./table.ts";
import type { Trial, TriedEdit } from "./trials.ts";

const task = (id: number): Task =>
  emptyTask({ id: `t/${id}`, bugType: id % 2 === 0 ? "value misuse" : "excess logic" });

const candidate = (operator: string, passed: boolean, more: Partial<TriedEdit> = {}): TriedEdit => ({
  splices: [],
  operator,
  line: 1,
  old: "",
  new: "",
  score: 0,
  cost: 1,
  features: {},
  passed,
  ...more,
});

const trial = (id: number, candidates: TriedEdit[]): Trial => ({
  task: task(id),
  tried: 10 * id,
  passing: candidates.length,
  seconds: id,
  candidates,
});

const priors: Priors = {
  margin: 1,
  operators: { good: 2, bad: 1 },
  weights: { extra: 1, choices: 1, unused: 0 },
};

/** In which the operator that priors like better is always wrong. */
const trials = Array.from({ length: 12 }, (_, id) => trial(id, [candidate("bad", false), candidate("good", true)]));

test("the likelier operator is chosen", () => {
  expect(choose([candidate("good", true), candidate("bad", false)], priors)).toBe(1);
  expect(choose([], priors)).toBe(-1);
});

test("learning makes the operator that repairs the likelier one, and a rule that tells right from wrong count", () => {
  expect(countRight(trials, priors)).toBe(0);
  const learned = learnPriors(trials, neutralPriors(priors));
  expect(learned.operators.good).toBeLessThan(learned.operators.bad ?? 0);
  expect(countRight(trials, learned)).toBe(trials.length);
  const unused = trials.map((_, id) =>
    trial(id, [candidate("good", false, { features: { unused: 1 } }), candidate("good", true)]),
  );
  expect(learnPriors(unused, neutralPriors(priors), 0.3).weights.unused).toBeGreaterThan(0.2);
});

test("cross-validation measures on what was not learned from: chance gives half", () => {
  expect(crossValidate(trials, neutralPriors(priors), 2)).toBe(trials.length);
  const opposed = trials.map(({ candidates }, id) =>
    trial(
      id,
      candidates.map((c) => ({ ...c, passed: (c.operator === "good") === id % 4 < 2 })),
    ),
  );
  expect(crossValidate(opposed, neutralPriors(priors), 6)).toBeLessThan(opposed.length);
});

test("the weights that are shipped are those that learning knows", () => {
  const shipped = ownKnowledge().priors;
  const learned = learnPriors([], shipped);
  expect(learned).toEqual(shipped);
});

test("the tables count repaired, wrong, empty and failed trials apart", () => {
  const some: Trial[] = [
    trial(2, [candidate("good", true)]),
    trial(4, [candidate("bad", false), candidate("good", true)]),
    trial(6, []),
    { ...trial(8, []), error: "timeout" },
  ];
  expect(breakdown(some).split("\n").at(-1)).toMatch(/^all +1\/4 +1 +1 +1$/);
  expect(
    table([{ name: "all", trials: some }])
      .split("\n")
      .at(-1),
  ).toMatch(/^all +1\/3 +33\.3% +2 +40 \/ 60 /);
  expect([quantile([3, 1, 2], 0.5), quantile([1], 0.9), quantile([], 0.5)]).toEqual([2, 1, 0]);
});
