/**
 * The state of a run: data only, so that another process can read a checkpoint and continue the run.
 *
 * An *iteration* is one call of the model. Its message holds *replies*, made as native calls or in its text: a call of
 * a tool, an answer, or a part that could not be read. They are *pending* until the tool node has carried them out,
 * in order, one each time it runs. A reply with its observation is a *step*. A checkpoint holds the whole state.
 */

import { MessagesValue, ReducedValue, StateSchema } from "@langchain/langgraph";
import { z } from "zod";
import { VisibleTask } from "../utils/task/task.ts";
import { Reply } from "./dialects/reply.ts";
import { ModelFailure } from "./run/model_errors.ts";
import { ReplyDetails, Step, Stop } from "./run/trajectory.ts";
import { Usage } from "./run/usage.ts";

/** A reply that the tool node has yet to carry out. */
const PendingReply = z.object({
  reply: Reply,
  dialect: z.string().optional(),
  /** Id of the native call; absent where the model acted in its text. */
  callId: z.string().optional(),
  ...ReplyDetails.shape,
  /** Tokens of the model call, for the first reply of a message; null for others and for the opening action. */
  usage: Usage.nullable(),
  /** Duration of the model call. */
  seconds: z.number(),
  /** The model says that it has nothing more to try, as the built-in search does. */
  givesUp: z.boolean().optional(),
});
export type PendingReply = z.infer<typeof PendingReply>;

/** The result of a run, written by its last node. A run of a thread begins with the defaults. */
const resultFields = {
  /** Id of `task`; null where the run has no task. */
  taskId: z.string().nullable().default(null),
  /** From `chooseAnswer`. For a repair: the last program that passes the visible tests, else the last that loads. */
  answer: z.string().nullable().default(null),
  /** True if tests accepted `answer`; for a repair these are the visible tests. */
  verified: z.boolean().default(false),
  /** Why the run ended; null while it goes on. */
  stop: Stop.nullable().default(null),
  /** What went wrong, where `stop` is `error`. */
  error: ModelFailure.nullable().default(null),
  /** Why there is no verified answer, in words; null where there is one. */
  reason: z.string().nullable().default(null),
  /** Tokens and calls of all iterations. The cost of model calls is null: `eval` and `fix` know the prices. */
  usage: Usage.nullable().default(null),
};
export const GraphResult = z.object(resultFields);
export type GraphResult = z.infer<typeof GraphResult>;

/** What a caller receives who repairs one task. */
export const RepairOutput = new StateSchema(resultFields);

/** What a caller receives who sends several tasks at once (`Send`): see `examples/library/several_at_once.ts`. */
export const RepairOutputs = new StateSchema({
  repairs: new ReducedValue(z.array(GraphResult).default([]), {
    inputSchema: z.array(GraphResult),
    reducer: (repairs: GraphResult[], more: GraphResult[]) => [...repairs, ...more],
  }),
});

export const AgentState = new StateSchema({
  ...resultFields,
  ...RepairOutputs.fields,
  /** The caller's task; null where the graph was built for one run (`runGraph`). */
  task: VisibleTask.nullable().default(null),
  /** True only in the state that `startRun` sends to the first node of a run. */
  isRunStart: z.boolean().default(false),
  /** The conversation; `fitting` may shorten what is sent of it. It outlives a run: a thread continues it. */
  messages: MessagesValue,
  /** What the tool node carries out next, in order; empty where the model is asked next. */
  pending: z.array(PendingReply).default([]),
  /** Model calls of this run that returned a message. */
  iterations: z.number().default(0),
  /** How many messages in a row, up to now, held no readable reply. */
  malformedInARow: z.number().default(0),
  /** What this run has done: each reply with its observation. */
  steps: new ReducedValue(z.array(Step).default([]), {
    inputSchema: Step,
    reducer: (steps: Step[], step: Step) => [...steps, step],
  }),
});
export type GraphState = typeof AgentState.State;
export type GraphUpdate = typeof AgentState.Update;
