/** Why a run has no verified answer, in words for whoever asked for one. */

import type { Trajectory } from "./trajectory.ts";

/** What the model's server said, else the model's last word and the last Observation. */
export function reasonOf({
  error,
  stop,
  steps,
}: Pick<Trajectory, "stop" | "steps"> & { error?: { message: string } | null | undefined }): string {
  if (error) return error.message;
  const last = steps.at(-1);
  if (!last) return `it ended before the first turn: ${stop}`;
  const { thought } = last.reply;
  const { status, output } = last.observation;
  return [...(stop === "gave_up" && thought ? [thought] : []), `${status}: ${output}`].join("\n");
}
