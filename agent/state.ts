/** The state of a run: data only, so that another process can read a checkpoint and continue the run. */

import { MessagesValue, ReducedValue, StateSchema } from "@langchain/langgraph";
import { z } from "zod";
import { VisibleTask } from "../utils/task/task.ts";
import { Reply } from "./dialects/reply.ts";
import { ModelFailure } from "./run/model_errors.ts";
import { ReplyDetails, Step, Stop } from "./run/trajectory.ts";
import { Usage } from "./run/usage.ts";

/** A reply, or one action of it, that the tool node has yet to carry out. */
const Pending = z.object({
  reply: Reply,
  dialect: z.string().optional(),
  /** Id of the native call that the reply is. */
  callId: z.string().optional(),
  ...ReplyDetails.shape,
  /** Tokens of the model call; null for further actions of a reply, and for the action that comes with the task. */
  usage: Usage.nullable(),
  /** Duration of the model call. */
  seconds: z.number(),
  /** The model has nothing more to try. */
  isLast: z.boolean().optional(),
});
export type Pending = z.infer<typeof Pending>;

/** The result of a run. The last node writes these fields; until then they have their defaults. */
const resultFields = {
  /** Id of `task`; null where the run has no task. */
  taskId: z.string().nullable().default(null),
  /** For a repair: the verified program, else the last program that loads, else null. */
  answer: z.string().nullable().default(null),
  /** True if tests accepted `answer`; for a repair these are the visible tests. */
  verified: z.boolean().default(false),
  /** Why the run ended; null while it goes on. */
  stop: Stop.nullable().default(null),
  /** What went wrong, where `stop` is `error`. */
  error: ModelFailure.nullable().default(null),
  /** Why there is no verified answer, in words; null where there is one. */
  reason: z.string().nullable().default(null),
  /** Tokens, calls and cost of all turns. */
  usage: Usage.nullable().default(null),
};
export const GraphResult = z.object(resultFields);
export type GraphResult = z.infer<typeof GraphResult>;

/** What a graph receives that hands over one task. */
export const AgentOutput = new StateSchema(resultFields);

/** What a graph receives that sends several tasks at once (`Send`): one result for each task. */
export const AgentOutputs = new StateSchema({
  repairs: new ReducedValue(z.array(GraphResult).default([]), {
    inputSchema: z.array(GraphResult),
    reducer: (repairs: GraphResult[], more: GraphResult[]) => [...repairs, ...more],
  }),
});

export const AgentState = new StateSchema({
  ...resultFields,
  ...AgentOutputs.fields,
  /** The task that the caller handed over; null where the graph was built for a single run (`runGraph`). */
  task: VisibleTask.nullable().default(null),
  /** True only in the fresh state that START sends to the first node, which writes it. */
  isNew: z.boolean().default(false),
  /** The conversation as the model is sent it. It outlives a run: a thread continues it. */
  messages: MessagesValue,
  /** What the tool node carries out, one after the other; empty where it is the model's turn. */
  pending: z.array(Pending).default([]),
  /** Model calls of this run. */
  iterations: z.number().default(0),
  /** Unreadable replies since the last readable one. */
  malformedInARow: z.number().default(0),
  /** The finished turns of this run: reply and observation. */
  steps: new ReducedValue(z.array(Step).default([]), {
    inputSchema: Step,
    reducer: (steps: Step[], step: Step) => [...steps, step],
  }),
});
export type GraphState = typeof AgentState.State;
export type GraphUpdate = typeof AgentState.Update;
