/** What one run of the graph leaves behind: every turn, how it ended, what it cost. */

import { addUsage, noUsage, type Usage } from "../utils/usage.ts";
import type { ModelFailure } from "./models/errors.ts";
import type { Reply } from "./reply.ts";
import type { Observation } from "./tools/tool.ts";

/**
 * Why a run ended. `answered`: an answer was verified. `budget`: the time or token limit. `aborted`: the caller's signal.
 * `error`: the model could not be reached or refused; then nothing is known about its ability.
 */
export type Stop = "answered" | "max_iterations" | "malformed" | "budget" | "aborted" | "error";

/** One turn: what the model meant and what came back. */
export interface Step {
  /** 1 for the first call of the model, 0 for the action that comes with the task. */
  iteration: number;
  reply: Reply;
  observation: Observation;
  /** What a Final Answer's verification said; absent for actions. */
  verification?: Verification;
  /** Of the model call alone; null for the action that comes with the task. */
  usage: Usage | null;
  /** Model and tool together. */
  seconds: number;
}

/** Says whether a Final Answer is right as far as the agent can know. */
export interface Verification {
  accepted: boolean;
  /** The answer as a complete result (for repair: the program), or null where it is of no use (does not load). */
  result: string | null;
  observation: Observation;
}

export interface Trajectory {
  taskId: string;
  /** What ran, e.g. `openai:NAME`. */
  model: string;
  stop: Stop;
  /** The verified answer, else the last candidate that loads, else null. */
  answer: string | null;
  /** True where `answer` passed the visible verification. */
  verified: boolean;
  iterations: number;
  steps: Step[];
  /** The whole conversation as the model saw it. */
  messages: { role: string; content: string }[];
  usage: Usage;
  seconds: number;
  /** Present exactly where `stop` is `error`. */
  error?: ModelFailure;
  /** Present where this is the best of several: turns and messages are those of the chosen one, usage is that of all. */
  bestOf?: BestOf;
}

/** Which candidates there were, and why one of them was submitted. */
export interface BestOf {
  /** Position in `candidates`; null where none was chosen. */
  chosen: number | null;
  /** One sentence. */
  why: string;
  /** Inputs on which candidates were compared. */
  compared: number;
  /** Candidates that do the same, by position; the chosen one is the first of the first. */
  groups: number[][];
  candidates: CandidateRecord[];
}

export interface CandidateRecord
  extends Pick<Trajectory, "stop" | "verified" | "answer" | "iterations" | "usage" | "seconds" | "steps"> {
  seed: number | null;
  /** Characters removed or added; null without an answer. */
  edit: number | null;
}

/** What these turns used together. */
export function usageOf(steps: readonly Step[]): Usage {
  const models = steps.flatMap(({ usage }) => usage ?? []).reduce(addUsage, noUsage());
  const toolCalls = steps.filter(({ reply }) => reply.kind === "act").length;
  return { ...models, toolCalls };
}
