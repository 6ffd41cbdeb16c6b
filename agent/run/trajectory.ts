/**
 * What one run of the graph leaves behind: every turn, how it ended, what it cost. Written to disk, read by `eval/`.
 */

import type { AIMessage } from "@langchain/core/messages";
import { z } from "zod";
import { Observation, Reply } from "../dialects/reply.ts";
import { ModelFailure } from "./model_errors.ts";
import { addUsage, noUsage, Usage } from "./usage.ts";

/** Why a run ended. */
export const Stop = z.enum([
  "answered", // an answer was accepted
  "nothing_to_repair", // the program passes its tests as it was given, and is the answer
  "gave_up", // the model says in its last reply that it has nothing more to try
  "max_iterations",
  "tries", // as many answers were rejected as may be, or the same one again
  "malformed", // too many replies in a row could not be read
  "budget", // the time or the tokens are used up; where the money is, an "error" of kind "budget"
  "aborted", // the caller's signal fired
  "error", // the model could not be reached or refused: nothing is known about its ability
]);
export type Stop = z.infer<typeof Stop>;

/** Says whether a Final Answer is right as far as the agent can know. */
export const Verification = z.object({
  accepted: z.boolean(),
  /** The answer as a complete result (for repair: the program), or null if it does not load. */
  result: z.string().nullable(),
  observation: Observation,
  /** True without tests: an accepted answer loads, but it may be wrong. */
  untested: z.boolean().optional(),
});
export type Verification = z.infer<typeof Verification>;

export type Verify = (answer: string, signal?: AbortSignal) => Promise<Verification>;

/** Whether tests have said that the answer is right. */
export const isVerified = ({ accepted, untested = false }: Verification): boolean => accepted && !untested;

/** The answer of a run, and whether tests accepted it. */
export interface ChosenAnswer {
  answer: string | null;
  verified: boolean;
}

/** The last answer, if it was accepted. */
export async function lastAccepted(steps: readonly Step[]): Promise<ChosenAnswer> {
  const verification = steps.at(-1)?.verification;
  if (!verification?.accepted) return { answer: null, verified: false };
  return { answer: verification.result, verified: isVerified(verification) };
}

/** What a server reports besides the text of a reply. */
export const ReplyDetails = z.object({
  /** Why the reply ended, in the server's word: `stop`, `length` (cut off). Absent where it does not say. */
  finishReason: z.string().optional(),
  /** What it keeps apart as reasoning, head and tail where that is long; absent where there is none. */
  reasoning: z.string().optional(),
  /** The model that replied, as its server names it, and the server's fingerprint; absent where it does not say. */
  answeredBy: z.string().optional(),
});
export type ReplyDetails = z.infer<typeof ReplyDetails>;

/** Whether a model says that it has nothing more to try, as `ChatWithLastWord` does. */
export const saysItGivesUp = ({ response_metadata: metadata }: AIMessage): boolean => metadata?.isLast === true;

/** One action or answer: what the model meant and what came back. */
export const Step = ReplyDetails.extend({
  /** 1 for the first call of the model, 0 for the action that comes with the task. Actions of one reply share it. */
  iteration: z.number(),
  reply: Reply,
  /** The dialect that it was read by, `strict` if it kept the format; absent if none did, or no model wrote it. */
  dialect: z.string().optional(),
  observation: Observation,
  /** What a Final Answer's verification said, or that of the program as it was given, where it passes; else absent. */
  verification: Verification.optional(),
  /** What the model call used; null for further actions of its reply, and for the action that comes with the task. */
  usage: Usage.nullable(),
  /** How long the model and the tool took together. */
  seconds: z.number(),
});
export type Step = z.infer<typeof Step>;

export const Trajectory = z.object({
  stop: Stop,
  /** The verified answer, else the last candidate that loads, else null. */
  answer: z.string().nullable(),
  /** True where `answer` passed the visible tests; false where there are none. */
  verified: z.boolean(),
  iterations: z.number(),
  steps: z.array(Step),
  usage: Usage,
  seconds: z.number(),
  taskId: z.string(),
  /** What ran, e.g. `openai:NAME`. */
  model: z.string(),
  /** The whole conversation as the model saw it. */
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  /** Present exactly where `stop` is `error`. */
  error: ModelFailure.optional(),
  /** Why the answer is a suggestion and no repair, though it was verified; absent where nothing speaks against it. */
  doubt: z.string().optional(),
});
export type Trajectory = z.infer<typeof Trajectory>;

const REFUSALS = ["refused", "bad input", "malformed", "unknown tool"];

/** Whether a step's call was not carried out: an answer in the same message may rely on it. */
export const isRefused = ({ observation }: Step): boolean => REFUSALS.includes(observation.status);

/** What these turns used together. */
export function usageOf(steps: readonly Step[]): Usage {
  const models = steps.flatMap(({ usage }) => usage ?? []).reduce(addUsage, noUsage());
  const toolCalls = steps.filter(({ reply }) => reply.kind === "act").length;
  return { ...models, toolCalls, seconds: steps.reduce((sum, { seconds }) => sum + seconds, 0) };
}
