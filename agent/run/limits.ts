/** What ends a run that has no accepted answer, besides its allowance of time and tokens; and why, in words. */

import type { Step, Stop, Trajectory } from "./trajectory.ts";

export interface Limits {
  /** Calls of the model. */
  maxIterations: number;
  /** How often in a row the same answer may be turned down: its model has nothing new to say. Default: any number. */
  maxRepeats?: number | undefined;
  /** How many answers may be turned down. Default: any number. */
  maxAnswers?: number | undefined;
}

/** Consecutive replies that could not be read. */
const MAX_MALFORMED = 3;

interface Progress {
  iterations: number;
  malformedInARow: number;
  steps: readonly Step[];
}

/** The limit that a run has reached; null for none. */
export function limitReached({ iterations, malformedInARow, steps }: Progress, limits: Limits): Stop | null {
  const { maxIterations, maxRepeats = Infinity, maxAnswers = Infinity } = limits;
  if (malformedInARow >= MAX_MALFORMED) return "malformed";
  const answers = maxAnswers === Infinity ? [] : steps.filter(({ reply }) => reply.kind === "answer");
  if (answers.length >= maxAnswers) return "tries";
  return iterations >= maxIterations || repeats(steps) >= maxRepeats ? "max_iterations" : null;
}

/** How many of the last steps are the same answer. */
function repeats(steps: readonly Step[]): number {
  const answerOf = ({ reply }: Step) => (reply.kind === "answer" ? reply.text.trim() : null);
  const last = steps.at(-1);
  const answer = last ? answerOf(last) : null;
  return answer === null ? 0 : steps.length - 1 - steps.findLastIndex((step) => answerOf(step) !== answer);
}

/**
 * Why a run has no verified answer: what the model's server said, else the model's last word and the last Observation.
 */
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
