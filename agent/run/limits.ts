/** The limits that end a run without an accepted answer, and the reason in words. */

import type { Step, Stop, Trajectory } from "./trajectory.ts";

export interface Limits {
  /** Model calls. */
  maxIterations: number;
  /**
   * How often in a row the same answer, or the same patch in other words, may be rejected: its model has nothing new to
   * say. Default: unlimited.
   */
  maxRepeats?: number | undefined;
  /** How many answers may be rejected. Default: unlimited. */
  maxAnswers?: number | undefined;
  /** Input and output tokens together. No limit for a server that does not count tokens. Default: unlimited. */
  maxTokens?: number | undefined;
}

/** Actions of one reply that are carried out. */
export const MOST_ACTIONS = 64;

/** Unreadable replies in a row. */
const MAX_MALFORMED = 3;

/** The limit that a run has reached; null if none. */
export function limitReached(
  { iterations, malformedInARow, steps }: { iterations: number; malformedInARow: number; steps: readonly Step[] },
  limits: Limits,
): Stop | null {
  const { maxIterations, maxRepeats = Infinity, maxAnswers = Infinity, maxTokens = Infinity } = limits;
  if (malformedInARow >= MAX_MALFORMED) return "malformed";
  const answers = maxAnswers === Infinity ? [] : steps.filter(({ reply }) => reply.kind === "answer");
  if (answers.length >= maxAnswers || repeats(steps) >= maxRepeats) return "tries";
  if (iterations >= maxIterations) return "max_iterations";
  return maxTokens < Infinity && tokensOf(steps) >= maxTokens ? "budget" : null;
}

const tokensOf = (steps: readonly Step[]): number =>
  steps.reduce((sum, { usage }) => sum + (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0), 0);

/** How many of the last steps gave the same answer. In a project the answer is what it changed, not its words. */
function repeats(steps: readonly Step[]): number {
  const answerOf = ({ reply, verification }: Step) =>
    reply.kind === "answer" ? (verification?.result ?? reply.text.trim()) : null;
  const last = steps.at(-1);
  const answer = last ? answerOf(last) : null;
  return answer === null ? 0 : steps.length - 1 - steps.findLastIndex((step) => answerOf(step) !== answer);
}

/** Why a run has no verified answer: the server's error, else the model's last thought and the last Observation. */
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
  const said = output === "" ? status : `${status}: ${output}`;
  return stop === "gave_up" && thought ? `${thought}\n${said}` : said;
}

/** LangGraph's limit of steps: a turn asks once and may act often. One is for the first action, one to spare. */
export const recursionLimitOf = ({ maxIterations }: Limits): number => (1 + MOST_ACTIONS) * maxIterations + 2;
