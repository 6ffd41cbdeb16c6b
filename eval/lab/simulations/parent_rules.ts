/**
 * What a rule of choosing parents is worth, on made-up trees whose quality is known. Each agent solves a task with a
 * hidden skill, and its children are better or worse than it by a hidden fertility, which they inherit in part: a
 * skilled agent need not be a fertile one. The rules see what a run sees: noisy scores on dev and the verdicts that
 * follow from them.
 */

import { largest } from "../../../utils/base/data/extremes.ts";
import { bootstrapMean, randomUint32 } from "../../../utils/base/statistics/bootstrap.ts";
import { type ParentRule, SELECTIONS, selectParent } from "../../meta/gates/select.ts";
import { chanceOfWins, nextLevel } from "../../meta/gates/sign_test.ts";
import { PAPER_UTILITY } from "../../meta/gates/utility.ts";
import { type AgentAdded, type Judged, type Measured, RunState } from "../../meta/log.ts";

export interface ParentTrial {
  trees: number;
  children: number;
  devTasks: number;
  validationTasks: number;
  /** Standard deviation of the fertility of A_0's line, in shares of tasks a child. */
  spread: number;
}

/** What an agent is, which no rule sees. */
interface Nature {
  /** Chance to solve a task. */
  skill: number;
  /** What its children gain on average. */
  fertility: number;
}

export interface RuleResult {
  rule: ParentRule;
  /** Mean true skill of the agent that scored best on dev at the end. */
  skill: number;
  /** Difference to `argmax` on the same trees, with its 95% interval. */
  gain: number;
  interval: [number, number];
}

/**
 * The same trees for every rule: an agent's nature and scores follow from the tree's seed, its parent and its birth
 * order.
 * @param onTree told of each tree that was grown, by which rule
 */
export function compareRules(
  trial: ParentTrial,
  seed = 1,
  onTree: (rule: ParentRule, trees: number) => void = () => {},
): RuleResult[] {
  const skills = new Map(
    SELECTIONS.map((rule) => [
      rule,
      Array.from({ length: trial.trees }, (_, i) => {
        const skill = growTree(rule, trial, seed + i);
        onTree(rule, i + 1);
        return skill;
      }),
    ]),
  );
  const usual = skills.get("argmax") ?? [];
  return SELECTIONS.map((rule) => {
    const own = skills.get(rule) ?? [];
    const differences = own.map((skill, i) => skill - (usual[i] ?? 0));
    return { rule, skill: mean(own), gain: mean(differences), interval: bootstrapMean(differences) };
  });
}

/** @returns the true skill of the agent that scored best on dev */
function growTree(rule: ParentRule, trial: ParentTrial, seed: number): number {
  const state = new RunState();
  const natures: Nature[] = [];
  const dev: number[][] = [];
  const measured: Measured[][] = [];
  const validation: number[][] = [];
  const births = new Map<number, number>();
  const add = (parent: number | null) => {
    const n = natures.length;
    const born = parent === null ? 0 : (births.get(parent) ?? 0);
    if (parent !== null) births.set(parent, born + 1);
    const draw = randomUint32([seed, parent ?? -1, born, 7]);
    const uniform = () => draw() / 2 ** 32;
    for (let i = 0; i < 8; i += 1) uniform();
    const nature = parent === null ? firstNature(trial, uniform) : childOf(natures[parent], trial, uniform);
    natures.push(nature);
    const attempt = (tasks: number) => Array.from({ length: tasks }, () => Number(uniform() < nature.skill));
    const scores = attempt(trial.devTasks);
    dev.push(scores);
    validation.push(attempt(trial.validationTasks));
    state.add(agentOf(n, parent));
    measured.push(scores.map((score, task) => measuredOf(n, task, score)));
    for (const one of measured[n] ?? []) state.add(one);
  };
  add(null);
  const accepted: boolean[] = [];
  for (let n = 1; n <= trial.children; n += 1) {
    const parent = selectParent(state, n, {
      by: rule,
      seed,
      options: PAPER_UTILITY,
      measuredOf: ({ n: asked }) => measured[asked] ?? null,
    }).agent.n;
    add(parent);
    const level = nextLevel(0.05, trial.children, accepted);
    const judged = judge(n, state.champion, { dev, validation, level });
    if (judged.gate === "validation") accepted.push(judged.verdict === "accepted");
    state.add(judged);
  }
  const totals = dev.map((scores) => mean(scores));
  return natures[totals.indexOf(largest(totals))]?.skill ?? 0;
}

const firstNature = ({ spread }: ParentTrial, uniform: () => number): Nature => ({
  skill: 0.3,
  fertility: spread * normal(uniform),
});

function childOf(parent: Nature | undefined, { spread }: ParentTrial, uniform: () => number): Nature {
  const { skill, fertility } = parent ?? { skill: 0, fertility: 0 };
  return {
    skill: Math.min(0.98, Math.max(0.02, skill + fertility + 0.04 * normal(uniform))),
    fertility: 0.8 * fertility + 0.6 * spread * normal(uniform),
  };
}

/** As the gates would: worse on dev, better on validation, or neither. */
function judge(
  n: number,
  champion: number,
  { dev, validation, level }: { dev: number[][]; validation: number[][]; level: number },
): Judged {
  const count = (scores: number[][], sign: number) =>
    (scores[n] ?? []).filter((score, i) => sign * (score - (scores[champion]?.[i] ?? 0)) > 0).length;
  const onDev = { wins: count(dev, 1), losses: count(dev, -1) };
  const isWorse = chanceOfWins(onDev.losses, onDev.wins) <= 0.05;
  const isBetter = onDev.wins > onDev.losses && chanceOfWins(count(validation, 1), count(validation, -1)) <= level;
  const verdict = isWorse ? "regressed" : isBetter ? "accepted" : "inconclusive";
  const common = {
    type: "verdict",
    iteration: n,
    round: 1,
    agent: n,
    message: "",
    test: null,
    again: false,
    at: "",
  } as const;
  return { ...common, verdict, gate: isWorse ? "dev" : "validation" };
}

const agentOf = (n: number, parent: number | null): AgentAdded => ({
  ...{ type: "agent", n, parent, sha: `${n}`, tree: `${n}`, iteration: n, round: 1 },
  ...{ hypothesis: "", changes: "", at: "" },
});

const measuredOf = (n: number, task: number, score: number): Measured => ({
  ...{ type: "measured", key: `${n} ${task}`, tree: `${n}`, task: `${task}`, split: "dev", attempt: 0, score },
  ...{ outcome: "", status: "ok", costUsd: 0, inputTokens: 0, outputTokens: 0, modelCalls: 0, seconds: 0, at: "" },
});

/** Source: Box and Muller 1958, "A Note on the Generation of Random Normal Deviates". */
const normal = (uniform: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
