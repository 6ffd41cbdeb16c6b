/**
 * What a run may come to, before it spends anything: tasks, measurements, calls, cost, and the gain that it can see.
 */

import { UserError } from "../../../utils/base/data/errors.ts";
import { dollars, plural } from "../../../utils/base/text/format.ts";
import type { Prices } from "../../run/cost/pricing.ts";
import { type Detectable, detectable, levelOf, nextLevel } from "./sign_test.ts";
import { SPLITS, type Split } from "./splits.ts";

export interface PlanInput {
  tasks: Record<Split, number>;
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
  /** Options that would say what tokens cost and were left out. */
  unpriced?: readonly string[];
  /** Limits in dollars that the user set: of the whole run, of one meta step. */
  maxCostUsd?: number | undefined;
  stepCostUsd?: number | undefined;
}

export interface Plan {
  tasks: Record<Split, number>;
  children: number;
  /** Attempts at tasks, at most. Gates that end early and equal children make it fewer. */
  measurements: number;
  /** Calls of models, at most: to solve, to edit. */
  calls: { solver: number; editor: number };
  /** The most that it can cost; null where nothing bounds it, or no price is known. */
  costUsd: number | null;
  unpriced: readonly string[];
  alpha: number;
  family: number;
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
  const measurements = baselineAttempts * both + iterations * ROUNDS * both + (iterations > 0 ? 2 * tasks.sealed : 0);
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
    unpriced: input.unpriced ?? [],
    alpha: input.alpha,
    family: input.family,
    level,
    leastWins: leastWins <= tasks.validation ? leastWins : null,
    gain,
    sealed,
    balanced: [tasks.dev, validation, judging - validation].join(","),
  };
}

function costBound({ prices, unpriced = [], iterations, maxCostUsd, stepCostUsd }: PlanInput): number | null {
  const isFree = ({ input, output }: Prices) => input === 0 && output === 0;
  if (maxCostUsd !== undefined) return maxCostUsd;
  if (unpriced.length > 0 || !isFree(prices.solver)) return null;
  if (isFree(prices.editor)) return 0;
  return stepCostUsd === undefined ? null : iterations * ROUNDS * stepCostUsd;
}

/** For the person who would start the run. */
export function describePlan(plan: Plan): string {
  const { tasks, children, measurements, calls, level, leastWins, gain, sealed, balanced } = plan;
  const found = (share: number) =>
    `a child that solves ${Math.round(100 * share)} of 100 tasks more is found in 4 of 5 runs`;
  const asItIs = SPLITS.map((split) => tasks[split]).join(",");
  const wins =
    `a child must win at least ${leastWins} of ${plural(tasks.validation, "validation task")} and lose ` +
    `none (p ≤ ${level.toPrecision(2)})`;
  return [
    `${plural(tasks.dev, "dev task")}, ${tasks.validation} of validation, ${tasks.sealed} sealed; ` +
      `${plural(children, "child", "children")} to make`,
    `at most ${measurements} attempts at tasks with ${calls.solver} model calls, and ${calls.editor} model calls ` +
      "to edit",
    describeCost(plan),
    whyLost(plan) || wins,
    gain === null ? "so few validation tasks can miss any gain" : `${found(gain)}, a smaller gain less often`,
    sealed.gain === null
      ? "so few sealed tasks can miss any gain"
      : `the last agent's gain is confirmed if it wins ${sealed.leastWins} sealed tasks and loses none; ` +
        found(sealed.gain),
    ...(balanced === asItIs ? [] : [`--split ${balanced} lets validation and sealed tasks find the same gain`]),
  ].join("\n");
}

function describeCost({ costUsd, unpriced }: Plan): string {
  if (costUsd !== null) return `cost: at most ${dollars(costUsd)}, plus calls in progress`;
  return unpriced.length > 0
    ? `cost: unknown without a price; give ${unpriced.join(" and ")}`
    : "cost: nothing bounds it; set --max-cost";
}

/** What is known of a run that matters for whether a child can be accepted. */
export interface Standing {
  /** Tasks that A_0 does not solve; absent before it was measured. */
  failed?: { dev: number; validation: number } | undefined;
  /** Of each test on validation that was made, whether it accepted. */
  tests?: readonly boolean[];
}

/**
 * Looks whether a perfect child could be accepted: it has to win on dev, and then often enough on validation, each time
 * on a task that A_0 does not solve.
 * @throws UserError where it could not, with what to change
 */
export function requireWinnable(plan: Plan, standing: Standing = {}): void {
  const why = plan.children === 0 ? "" : whyLost(plan, standing);
  if (why) throw new UserError(`${why}.`);
}

/** One sentence without its full stop: why even a perfect child would not be accepted, and what to change. */
function whyLost(plan: Plan, { failed, tests = [] }: Standing = {}): string {
  const { tasks, alpha, family } = plan;
  const { dev, validation } = tasks;
  const total = dev + validation + tasks.sealed;
  const needed = Math.ceil(Math.log2(1 / nextLevel(alpha, family, tests)));
  const [onDev, winnable] = [failed?.dev ?? dev, failed?.validation ?? validation];
  const lost = (reason: string, advice: string) => `No child could be accepted: ${reason}; ${advice}`;
  if (total === 0)
    return lost(
      "an agent could forge a pass on each of these tasks, as its code shares a process with their tests",
      "add functions whose tests run apart",
    );
  if (tests.length >= family)
    return lost(`this run has made all ${family} of its tests on validation`, "start another one with --run NAME");
  if (onDev === 0)
    return failed && dev > 0
      ? lost(
          `it has to win on dev first, and the first agent solves all ${plural(dev, "dev task")}`,
          "take harder tasks",
        )
      : lost("it has to win on dev first, and there is no dev task", "take more tasks, or other shares with --split");
  if (winnable >= needed) return "";
  const reason = failed
    ? `it must win ${needed} validation tasks, and the first agent fails only ${winnable} of ${validation}`
    : `it must win ${needed} validation tasks, and the run has ${validation} of ${plural(total, "task")}`;
  return lost(reason, adviceFor(plan, needed, winnable));
}

/** How a run that cannot win often enough becomes one that can. */
function adviceFor({ tasks, sealed, family }: Plan, needed: number, winnable: number): string {
  const total = tasks.dev + tasks.validation + tasks.sealed;
  const ways = winnable === 0 ? [] : [`take about ${Math.ceil((total * needed) / winnable)} such tasks`];
  if (family > 1 && winnable >= sealed.leastWins) ways.push("allow fewer tests with --family");
  // As long as some are left for dev and for the end.
  if (winnable === tasks.validation && total >= needed + 3) {
    const last = Math.floor((total - needed) / 3);
    ways.push(`give validation more with --split ${total - needed - last},${needed},${last}`);
  }
  return ways.join(", or ") || (winnable === tasks.validation ? "take more tasks" : "take harder tasks");
}
