/** How much two runs of the same agent differ, and the gain that can be seen in that noise, before money is spent. */

import { wilson } from "../../../utils/base/statistics/stats.ts";
import { percent, plural } from "../../../utils/base/text/format.ts";
import { type Detectable, detectable, type Scores } from "./sign_test.ts";

export interface Noise {
  tasks: number;
  /** Tasks on which two attempts of A_0 differ. */
  flips: number;
  /** `flips / tasks`, and its 95% interval. */
  rate: number;
  interval: [number, number];
  validationTasks: number;
  /** Level of one test on validation. */
  level: number;
  detectable: Detectable;
}

/** @param attempts scores of the first and the second attempt of one agent */
export function noiseOf(attempts: readonly Scores[], validationTasks: number, level: number): Noise {
  const [first = new Map<string, number>(), second = new Map<string, number>()] = attempts;
  const tasks = first.size;
  const flips = [...first].filter(([task, score]) => second.get(task) !== score).length;
  const rate = tasks === 0 ? 0 : flips / tasks;
  const interval = tasks === 0 ? ([0, 1] satisfies [number, number]) : wilson(flips, tasks);
  return { tasks, flips, rate, interval, validationTasks, level, detectable: detectable(validationTasks, rate, level) };
}

/** For the person who starts a run. */
export function describeNoise({ tasks, flips, rate, interval, validationTasks, level, detectable }: Noise): string {
  const share = (value: number) => percent(value, 1);
  const [low, high] = interval;
  const flipRate =
    `The first agent, run twice, differs on ${flips} of ${plural(tasks, "task")} (${share(rate)} ` +
    `[${share(low)}–${share(high)}])`;
  const needs =
    `to be accepted a child must win at least ${detectable.leastWins} of ${validationTasks} validation ` +
    `tasks and lose none (p ≤ ${level.toPrecision(2)})`;
  const found =
    detectable.gain === null
      ? "no gain is found with 80% power on so few tasks"
      : `a true gain of ${share(detectable.gain)} is found with 80% power`;
  return `${flipRate}; ${needs}; ${found}.`;
}
