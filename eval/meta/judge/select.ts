/** Which agent of the archive becomes the next parent, and with that the one that edits. */

import type { AgentAdded, Measured, RunState } from "../log.ts";
import { meanUtility, type Utility, type UtilityOptions, utilityOf } from "./utility.ts";

/**
 * `argmax`: the highest mean utility on dev, as in the paper. `ci`: the highest lower 95% bound of it, which is slower to
 * believe. `champion`: the agent that was accepted last, whatever others scored.
 */
export const SELECTIONS = ["argmax", "ci", "champion"] as const;
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
  { by, options, measuredOf }: { by: ParentRule; options: UtilityOptions; measuredOf: MeasuredOf },
): Standing {
  const ranked = standings(state, { options, measuredOf }).filter(({ agent }) => agent.iteration < iteration);
  const value = ({ utility, low }: Standing) => (by === "ci" ? low : utility.value);
  const best =
    by === "champion"
      ? ranked.find(({ agent }) => agent.n === state.champion)
      : ranked.toSorted((a, b) => value(b) - value(a) || a.agent.n - b.agent.n)[0];
  if (!best) throw new Error("no agent was measured on all of dev");
  return best;
}

export type MeasuredOf = (agent: AgentAdded) => readonly Measured[] | null;

/** Every sound agent with its utility on dev, oldest first. */
export function standings(
  state: RunState,
  { options, measuredOf }: { options: UtilityOptions; measuredOf: MeasuredOf },
): Standing[] {
  return state.agents.flatMap((agent) => {
    const verdict = state.verdictOn(agent.n);
    if (agent.n > 0 && verdict?.verdict !== "accepted" && verdict?.verdict !== "inconclusive") return [];
    const utilities = measuredOf(agent)?.map((measured) => utilityOf(measured, options));
    const utility = utilities && meanUtility(utilities);
    return utility ? [{ agent, utility, low: lowerBound(utilities.map(({ value }) => value)) }] : [];
  });
}

function lowerBound(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length - 1);
  return mean - 1.96 * Math.sqrt(variance / values.length);
}
