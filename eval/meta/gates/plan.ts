/**
 * What a run may come to, before it spends anything: tasks, measurements, calls, cost, and the gain that it can see.
 */

import { UserError } from "../../../utils/base/data/errors.ts";
import { clause, dollars, percent, plural } from "../../../utils/base/text/format.ts";
import type { Prices } from "../../run/cost/pricing.ts";
import { type Detectable, detectable, levelOf } from "./sign_test.ts";
import { type Group, SPLITS } from "./splits.ts";

export interface PlanInput {
  tasks: Record<Group, number>;
  /** Children to make. */
  iterations: number;
  /** Attempts of A_0 at each task of dev and validation. */
  baselineAttempts: number;
  alpha: number;
  family: number;
  /** Calls of the model in one attempt at a task, and in one meta step. */
  callsPerTask: number;
  callsPerStep: number;
  prices: { solver: Prices; editor: Prices };
  /** Limits in dollars that the user set: of the whole run, of one meta step. */
  maxCostUsd?: number | undefined;
  stepCostUsd?: number | undefined;
}

export interface Plan {
  tasks: Record<Group, number>;
  children: number;
  /** Attempts at tasks, at most. Gates that end early and equal children make it fewer. */
  measurements: number;
  /** Calls of models, at most: to solve, to edit. */
  calls: { solver: number; editor: number };
  /** The most that it can cost; null where nothing bounds it. */
  costUsd: number | null;
  /** Level of one test on validation. */
  level: number;
  /** Fewest wins on validation, without a loss, that convince; null: there are fewer tasks. */
  leastWins: number | null;
  /** Smallest true gain, as a share of tasks, that is found with 80% power where A_0 measured twice does not differ. */
  gain: number | null;
  /** The same for the sealed split, which is tested once. */
  sealed: Detectable;
  /** `--split` with as much of dev, with which both tests see the same gain. */
  balanced: string;
}

const ROUNDS = 2;

export function planOf(input: PlanInput): Plan {
  const { tasks, iterations, baselineAttempts, callsPerTask, callsPerStep } = input;
  const both = tasks.dev + tasks.validation;
  const judged = baselineAttempts * both + iterations * ROUNDS * both + (iterations > 0 ? 2 * tasks.sealed : 0);
  const measurements = judged + (1 + iterations) * tasks.forgeable;
  const level = levelOf(input.alpha, input.family);
  const { leastWins, gain } = detectable(tasks.validation, 0, level);
  const sealed = detectable(tasks.sealed, 0, input.alpha);
  const judging = tasks.validation + tasks.sealed;
  const validation = Math.round((judging * leastWins) / (leastWins + sealed.leastWins));
  return {
    tasks,
    children: iterations,
    measurements,
    calls: { solver: measurements * callsPerTask, editor: iterations * ROUNDS * callsPerStep },
    costUsd: costBound(input),
    level,
    leastWins: leastWins <= tasks.validation ? leastWins : null,
    gain,
    sealed,
    balanced: [tasks.dev, validation, judging - validation].join(","),
  };
}

function costBound({ prices, iterations, maxCostUsd, stepCostUsd }: PlanInput): number | null {
  const isFree = ({ input, output }: Prices) => input === 0 && output === 0;
  if (maxCostUsd !== undefined) return maxCostUsd;
  if (!isFree(prices.solver)) return null;
  if (isFree(prices.editor)) return 0;
  return stepCostUsd === undefined ? null : iterations * ROUNDS * stepCostUsd;
}

/** For the person who would start the run. */
export function describePlan(plan: Plan): string {
  const { tasks, children, measurements, calls, costUsd, level, leastWins, gain, sealed, balanced } = plan;
  const found = (share: number) => `smallest true gain found with 80% power: ${percent(share, 1)} of tasks`;
  const asItIs = SPLITS.map((split) => tasks[split]).join(",");
  const wins =
    leastWins === null
      ? "no child can be accepted: there are fewer validation tasks than wins are needed"
      : `a child must win at least ${leastWins} of ${plural(tasks.validation, "validation task")} and lose ` +
        `none (p ≤ ${level.toPrecision(2)})`;
  return [
    `${plural(tasks.dev, "task")} of dev, ${tasks.validation} of validation, ${tasks.sealed} sealed; ` +
      `${children} children to make`,
    ...(tasks.forgeable > 0 ? [describeForgeable(tasks.forgeable)] : []),
    `at most ${measurements} attempts at tasks with ${calls.solver} calls of the model, and ` +
      `${calls.editor} calls to edit`,
    costUsd === null
      ? "cost: nothing bounds it; set --max-cost"
      : `cost: at most ${dollars(costUsd)}, and what has begun by then`,
    wins,
    gain === null
      ? "no gain is found with 80% power on so few tasks"
      : `${found(gain)}, if A_0 measured twice does not differ`,
    sealed.gain === null
      ? "the sealed split shows no gain with 80% power"
      : `the sealed split shows what wins ${sealed.leastWins} of its tasks and loses none; ${found(sealed.gain)}`,
    ...(balanced === asItIs ? [] : [`with --split ${balanced} both tests would see the same gain`]),
  ].join("\n");
}

/** What becomes of tasks that decide nothing, for the person who gave them. */
export const describeForgeable = (count: number): string =>
  `${clause(count, "task", "are")} scored apart, in no gate: an agent's code shares a process with the ` +
  "tests and could forge a pass";

/**
 * Looks whether any child could be accepted: each win must be a validation task that A_0 does not solve already.
 * @param failed validation tasks that A_0 does not solve, or null before it was measured
 * @param total tasks of the splits, without those that could be forged
 * @throws UserError where none could, with the number of tasks that would be enough
 */
export function requireWinnable(plan: Plan, failed: number | null, total: number): void {
  if (plan.children === 0) return;
  const needed = Math.ceil(Math.log2(1 / plan.level));
  const { validation } = plan.tasks;
  const winnable = failed ?? validation;
  if (total === 0)
    throw new UserError(
      "This run cannot accept any child: an agent could forge a pass on each of its tasks, as its code " +
        "shares a process with their tests. Add tasks whose tests run apart, such as functions, or measure " +
        "this agent alone with --iterations 0.",
    );
  if (winnable >= needed) return;
  const enough = winnable === 0 ? null : Math.ceil((total * needed) / winnable);
  const why =
    failed === null
      ? `of ${total} tasks ${validation} are for validation, and ${needed} must be won there before a child is believed`
      : `A_0 solves ${validation - failed} of ${validation} validation tasks, and ${needed} more must be won ` +
        "before a child is believed";
  const fewerTests = winnable >= plan.sealed.leastWins ? "; so would fewer tests on validation (--family)" : "";
  const advice =
    enough === null
      ? `take ${failed === null ? "more" : "harder"} tasks`
      : `about ${enough} tasks like these would be enough${fewerTests}`;
  throw new UserError(`This run cannot accept any child: ${why}. Nothing was spent on children: ${advice}.`);
}
