/**
 * `npx tsx eval/lab/simulate_aa.ts`: how often a loop promotes a child that is no better than its parent. Children here ARE
 * their parent (A/A): every task is solved with the same probability by all, so each promotion is false.
 */

import { isEntry } from "../../utils/called_as.ts";
import { EXIT, runCommand } from "../../utils/cli.ts";
import { randomUint32 } from "../../utils/statistics/bootstrap.ts";
import { levelOf, type Scores, signTest } from "../meta/judge/sign_test.ts";

export interface Simulation {
  loops: number;
  children: number;
  devTasks: number;
  validationTasks: number;
  /** Chance that a run of a task gives another result than the task's usual one. */
  noise: number;
  alpha: number;
}

/** Share of loops with at least one false promotion, by the gates here and by taking the best score. */
export interface FalsePromotions {
  gated: number;
  argmax: number;
}

export function simulate(
  { loops, children, devTasks, validationTasks, noise, alpha }: Simulation,
  seed = 1,
): FalsePromotions {
  const bits = randomUint32(seed);
  const next = () => bits() / 2 ** 32;
  const level = levelOf(alpha, children);
  let [gated, argmax] = [0, 0];
  for (let loop = 0; loop < loops; loop += 1) {
    const usual = Array.from({ length: devTasks + validationTasks }, () => next() < 0.5);
    const run = (from: number, to: number): Scores =>
      new Map(usual.slice(from, to).map((solved, i) => [`${from + i}`, Number(next() < noise ? !solved : solved)]));
    const dev = run(0, devTasks);
    const validation = run(devTasks, usual.length);
    const isBetter = { gated: false, argmax: false };
    for (let child = 0; child < children; child += 1) {
      const childDev = run(0, devTasks);
      if (total(childDev) > total(dev)) isBetter.argmax = true;
      const onDev = signTest(dev, childDev);
      if (onDev.wins <= onDev.losses) continue;
      if (signTest(validation, run(devTasks, usual.length)).p <= level) isBetter.gated = true;
    }
    gated += Number(isBetter.gated);
    argmax += Number(isBetter.argmax);
  }
  return { gated: gated / loops, argmax: argmax / loops };
}

const total = (scores: Scores): number => [...scores.values()].reduce((sum, score) => sum + score, 0);

const command = {
  usage: "",
  summary: "Counts how often a loop would promote a child that is no better than its parent.",
  options: {},
};

async function main() {
  console.log("200 loops of 20 children that are their parent; 64 dev tasks, 50 validation tasks, alpha 0.05");
  for (const noise of [0.02, 0.05, 0.1, 0.2, 0.3]) {
    const settings = { loops: 200, children: 20, devTasks: 64, validationTasks: 50, noise, alpha: 0.05 };
    const { gated, argmax } = simulate(settings);
    console.log(`noise ${noise}: false promotions in ${100 * gated}% of loops; best score on dev: ${100 * argmax}%`);
  }
  return EXIT.ok;
}

if (isEntry(import.meta.url)) await runCommand(command, main);
