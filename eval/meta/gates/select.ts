/** Which agent of the archive becomes the next parent, and with that the one that edits. */

import type { AgentAdded, MeasuredLine, RunState } from "../log.ts";
import { meanUtility, type UtilityOptions, utilityOf } from "./utility.ts";

/** `argmax`: the highest mean utility on dev, as in the paper. `champion`: the agent that was accepted last. */
export const SELECTIONS = ["argmax", "champion"] as const;
export type ParentRule = (typeof SELECTIONS)[number];

/**
 * The best of the sound agents made before `iteration`. Sound: A_0, accepted, or inconclusive after all of dev.
 * @param measuredOf the dev measurements of an agent, or null where any is missing
 */
export function selectParent(
  state: RunState,
  iteration: number,
  { by, options, measuredOf }: { by: ParentRule; options: UtilityOptions; measuredOf: MeasurementsOf },
): AgentAdded {
  const sound = state.agents.flatMap((agent) => {
    const verdict = state.verdictOn(agent.n)?.verdict;
    const isSound = agent.n === 0 || verdict === "accepted" || verdict === "inconclusive";
    if (!isSound || agent.iteration >= iteration) return [];
    const utility = meanUtility((measuredOf(agent) ?? []).map((one) => utilityOf(one, options)));
    return utility ? [{ agent, utility: utility.value }] : [];
  });
  const best =
    by === "champion"
      ? sound.find(({ agent }) => agent.n === state.champion)
      : sound.toSorted((a, b) => b.utility - a.utility || a.agent.n - b.agent.n)[0];
  if (!best) throw new Error("no agent was measured on all of dev");
  return best.agent;
}

type MeasurementsOf = (agent: AgentAdded) => readonly MeasuredLine[] | null;
