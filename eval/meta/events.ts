/** The log of a meta run: every line is something that happened and will not be done again. */

import { z } from "zod";

export const VERDICTS = ["accepted", "inconclusive", "regressed", "broken", "tampered"] as const;
export type Verdict = (typeof VERDICTS)[number];

const at = z.string();
const Split = z.enum(["dev", "validation", "sealed"]);

/** One attempt of one agent at one task. It has a score: what could not be measured is not in the log. */
export const Measured = z.object({
  type: z.literal("measured"),
  /** Hash of tree, task, attempt, model with its parameters, and evaluator. */
  key: z.string(),
  tree: z.string(),
  task: z.string(),
  split: Split,
  attempt: z.number().int(),
  /** From 0 to 1. */
  score: z.number(),
  /** `passed`, `failed`, `timeout` … of the judge, or what became of the process. */
  outcome: z.string(),
  status: z.enum(["ok", "timeout", "crashed", "protocol", "flooded"]),
  costUsd: z.number(),
  inputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  modelCalls: z.number(),
  seconds: z.number(),
  at,
});
export type Measured = z.infer<typeof Measured>;

/** An agent that was committed. */
export const AgentAdded = z.object({
  type: z.literal("agent"),
  /** Position in the archive; A_0 is 0. */
  n: z.number().int(),
  sha: z.string(),
  tree: z.string(),
  parent: z.number().int().nullable(),
  iteration: z.number().int(),
  /** 1, or 2 for one that was made again after a gate turned the first down. */
  round: z.number().int(),
  hypothesis: z.string(),
  changes: z.string(),
  at,
});
export type AgentAdded = z.infer<typeof AgentAdded>;

const Call = z.object({
  call: z.string(),
  agent: z.string(),
  task: z.string(),
  stop: z.string(),
  iterations: z.number(),
  seconds: z.number(),
  tokens: z.object({ input: z.number().nullable(), output: z.number().nullable() }),
});
export type CallSummary = z.infer<typeof Call>;

/** A meta step: an agent edited a copy of itself. */
export const StepDone = z.object({
  type: z.literal("step"),
  iteration: z.number().int(),
  round: z.number().int(),
  /** Which agent edited. */
  editor: z.number().int(),
  stop: z.string(),
  /** Empty where it ended as it should. */
  problem: z.string(),
  calls: z.array(Call),
  modelCalls: z.number(),
  inputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  costUsd: z.number(),
  seconds: z.number(),
  overseer: z.array(
    z.object({ kind: z.enum(["report", "notice", "cancel"]), call: z.string(), text: z.string(), seconds: z.number() }),
  ),
  at,
});
export type StepDone = z.infer<typeof StepDone>;

export const Judged = z.object({
  type: z.literal("verdict"),
  iteration: z.number().int(),
  round: z.number().int(),
  /** Null where there was nothing to commit. */
  agent: z.number().int().nullable(),
  verdict: z.enum(VERDICTS),
  /** The gate that decided. */
  gate: z.string(),
  message: z.string(),
  /** Of the test on validation, where it came to that. */
  test: z
    .object({ wins: z.number(), losses: z.number(), p: z.number(), alpha: z.number(), against: z.number().int() })
    .nullable(),
  /** True where the gate's message goes back to the editor for another round. */
  again: z.boolean(),
  at,
});
export type Judged = z.infer<typeof Judged>;

/** The sealed split was opened. */
export const Sealed = z.object({
  type: z.literal("sealed"),
  champion: z.number().int(),
  wins: z.number(),
  losses: z.number(),
  p: z.number(),
  first: z.number().nullable(),
  last: z.number().nullable(),
  tasks: z.number().int(),
  at,
});

export const Event = z.discriminatedUnion("type", [Measured, AgentAdded, StepDone, Judged, Sealed]);
export type Event = z.infer<typeof Event>;
