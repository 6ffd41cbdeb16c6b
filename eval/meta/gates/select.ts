/** Which agent of the archive becomes the next parent, and with that the one that edits. */

import { deriveSeed } from "../../../utils/base/statistics/seed.ts";
import type { AgentAdded, MeasuredLine, RunState } from "../log.ts";
import { cladeCounts, drawParent } from "./clades.ts";
import { meanUtility, type Utility, type UtilityOptions, utilityOf } from "./utility.ts";

/**
 * `argmax`: the highest mean utility on dev, as in the paper. `ci`: the highest lower 95% bound of it, which is slower
 * to believe. `champion`: the agent that was accepted last, whatever others scored. `cmp`: drawn by how all descendants
 * did on dev, see `clades.ts`.
 */
export const SELECTIONS = ["argmax", "ci", "champion", "cmp"] as const;
export type ParentRule = (typeof SELECTIONS)[number];

export interface Standing {
  agent: AgentAdded;
  utility: Utility;
  /** Lower 95% bound of the mean. */
  low: number;
}

/**
 * The best of the sound agents made before `iteration`. Sound: A_0, accepted, or inconclusive after all of dev.
 * @param measuredOf the dev measurements of an agent, or null where any is missing
 */
export function selectParent(
  state: RunState,
  iteration: number,
  { by, seed, ...known }: { by: ParentRule; seed: number; options: UtilityOptions; measuredOf: MeasurementsOf },
): Standing {
  const sound = standings(state, known).filter(({ agent }) => agent.iteration < iteration);
  const best = CHOICES[by](sound, state, { seed, iteration });
  if (!best) throw new Error("no agent was measured on all of dev");
  return best;
}

type Choice = (
  sound: readonly Standing[],
  state: RunState,
  at: { seed: number; iteration: number },
) => Standing | undefined;

const highest = (sound: readonly Standing[], value: (standing: Standing) => number): Standing | undefined =>
  sound.toSorted((a, b) => value(b) - value(a) || a.agent.n - b.agent.n)[0];

const CHOICES: Record<ParentRule, Choice> = {
  argmax: (sound) => highest(sound, ({ utility }) => utility.value),
  ci: (sound) => highest(sound, ({ low }) => low),
  champion: (sound, state) => sound.find(({ agent }) => agent.n === state.champion),
  cmp: (sound, state, { seed, iteration }) => {
    const scores = new Map<string, number[]>();
    for (const { split, attempt, tree, score } of state.measured.values()) {
      if (split !== "dev" || attempt !== 0) continue;
      const known = scores.get(tree);
      if (known) known.push(score);
      else scores.set(tree, [score]);
    }
    const members = state.agents
      .filter((agent) => agent.iteration < iteration)
      .map(({ n, parent, tree }) => ({ n, parent, scores: scores.get(tree) ?? [] }));
    const candidates = sound.map(({ agent }) => agent.n);
    if (candidates.length === 0) return undefined;
    const chosen = drawParent(candidates, cladeCounts(members), deriveSeed(seed, "parent", iteration));
    return sound.find(({ agent }) => agent.n === chosen);
  },
};

export type MeasurementsOf = (agent: AgentAdded) => readonly MeasuredLine[] | null;

/** Every sound agent with its utility on dev, oldest first. */
function standings(
  state: RunState,
  { options, measuredOf }: { options: UtilityOptions; measuredOf: MeasurementsOf },
): Standing[] {
  return state.agents.flatMap((agent) => {
    const verdict = state.verdictOn(agent.n);
    if (agent.n > 0 && verdict?.verdict !== "accepted" && verdict?.verdict !== "inconclusive") return [];
    const measured = measuredOf(agent);
    const utilities = measured?.map((one) => utilityOf(one, options));
    const utility = utilities && meanUtility(utilities);
    return utility ? [{ agent, utility, low: lowerBound(utilities.map(({ value }) => value)) }] : [];
  });
}

function lowerBound(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length - 1);
  return mean - 1.96 * Math.sqrt(variance / values.length);
}
