/**
 * How often a loop promotes a child that is no better than its parent. Children here ARE their parent (A/A): every task
 * is solved with the same probability by all, so each promotion is false.
 */

import { randomUint32 } from "../../../utils/base/statistics/bootstrap.ts";
import { decidingOrder, standingOf } from "../../meta/gates/early_stop.ts";
import { nextLevel, type Scores, signTest } from "../../meta/gates/sign_test.ts";

export interface Simulation {
  loops: number;
  children: number;
  devTasks: number;
  validationTasks: number;
  /** Chance that a run of a task gives another result than the task's usual one. */
  noise: number;
  alpha: number;
  /** Share of the tasks its parent fails that a child really solves; 0 by default: children are their parent. */
  gain?: number;
}

/**
 * Share of loops with at least one promotion, by the gates here and by taking the best score: false where `gain` is 0.
 */
export interface FalsePromotions {
  gated: number;
  argmax: number;
  /** Measurements on validation that the early stop made, as a share of those that the whole test would make. */
  measured: number;
}

export function simulate(
  { loops, children, devTasks, validationTasks, noise, alpha, gain = 0 }: Simulation,
  seed = 1,
): FalsePromotions {
  const bits = randomUint32(seed);
  const next = () => bits() / 2 ** 32;
  let [gated, argmax] = [0, 0];
  const count = { measured: 0, whole: 0 };
  for (let loop = 0; loop < loops; loop += 1) {
    const usual = Array.from({ length: devTasks + validationTasks }, () => next() < 0.5);
    const run = (from: number, to: number, tasks = usual): Scores =>
      new Map(tasks.slice(from, to).map((solved, i) => [`${from + i}`, Number(next() < noise ? !solved : solved)]));
    const dev = run(0, devTasks);
    const validation = run(devTasks, usual.length);
    const isBetter = { gated: false, argmax: false };
    const accepted: boolean[] = [];
    for (let child = 0; child < children; child += 1) {
      const own = usual.map((solved) => solved || next() < gain);
      const childDev = run(0, devTasks, own);
      if (total(childDev) > total(dev)) isBetter.argmax = true;
      const onDev = signTest(dev, childDev);
      if (onDev.wins <= onDev.losses) continue;
      const whole = run(devTasks, usual.length, own);
      const level = nextLevel(alpha, children, accepted);
      const { isPromoted, measured } = stopped(validation, whole, level);
      accepted.push(isPromoted);
      if (isPromoted !== signTest(validation, whole).p <= level) throw new Error("the early stop changed a verdict");
      count.measured += measured;
      count.whole += whole.size;
      if (isPromoted) isBetter.gated = true;
    }
    gated += Number(isBetter.gated);
    argmax += Number(isBetter.argmax);
  }
  return { gated: gated / loops, argmax: argmax / loops, measured: count.measured / Math.max(1, count.whole) };
}

/** As the validation gate does: task by task, until the verdict is certain. */
function stopped(before: Scores, whole: Scores, level: number): { isPromoted: boolean; measured: number } {
  const order = decidingOrder([...whole], ([task]) => before.get(task) ?? 0);
  for (let measured = 0; ; measured += 1) {
    const { verdict } = standingOf(before, new Map(order.slice(0, measured)), level);
    if (verdict !== "open") return { isPromoted: verdict === "better", measured };
  }
}

const total = (scores: Scores): number => [...scores.values()].reduce((sum, score) => sum + score, 0);
