/**
 * What a conversation says as data beside its text: models of ours read it from there, so prompts are free to change.
 */

import type { BaseMessage } from "@langchain/core/messages";
import { z } from "zod";
import { VisibleTask } from "./task.ts";

export const TaskData = z.discriminatedUnion("type", [
  z.object({ type: z.literal("repair"), task: VisibleTask }),
  z.object({
    type: z.literal("improve"),
    /** The agent whose code is to be edited. */
    editor: z.number().int(),
    /** How many it has already. */
    children: z.number().int(),
    /** Functions of dev that it does not repair. */
    failed: z.array(VisibleTask),
  }),
]);
export type TaskData = z.infer<typeof TaskData>;

/** The task that a message gives as data; undefined where it has its text alone. */
export const taskOf = ({ additional_kwargs }: BaseMessage): TaskData | undefined =>
  TaskData.safeParse(additional_kwargs.task).data;

/** The data that an observation carries beside its text; undefined where it has none. */
export const observationOf = ({ additional_kwargs }: BaseMessage): unknown => additional_kwargs.observation;
