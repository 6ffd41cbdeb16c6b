/** Counts the replies of a trajectory, over all candidates. */

import type { Step, Trajectory } from "../../../agent/run/trajectory.ts";

/** Tools whose refusal means that an edit was not written as it has to be. */
const EDITS: readonly string[] = ["edit", "create"];

/** By why they were not as they have to be. */
export const formatErrors = (trajectory: Trajectory): Record<string, number> => countReplies(trajectory, malformation);

export const repliesByDialect = (trajectory: Trajectory): Record<string, number> =>
  countReplies(trajectory, ({ dialect }) => dialect);

/** Why a reply was not as it has to be: it could not be read, or its edit does not fit the file. */
function malformation({ reply, observation }: Step): string | undefined {
  if (reply.kind === "malformed") return reply.error;
  return reply.kind === "act" && EDITS.includes(reply.tool) && observation.status === "refused" ? "edit" : undefined;
}

/** By what `kindOf` says of their turn. */
function countReplies(
  { steps, bestOf }: Trajectory,
  kindOf: (step: Step) => string | undefined,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const step of bestOf?.candidates.flatMap((candidate) => candidate.steps) ?? steps) {
    const kind = kindOf(step);
    if (kind !== undefined) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}
