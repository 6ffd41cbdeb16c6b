/** The archive as an editor sees it: a file that the host writes, with results on the dev split only. */

import { z } from "zod";
import { VisibleTask } from "./task.ts";

const TaskBrief = z.object({
  id: z.string(),
  score: z.number(),
  outcome: z.string(),
  seconds: z.number(),
  costUsd: z.number(),
  modelCalls: z.number(),
  /** The last thought of the attempt; empty without one. */
  said: z.string(),
  /** Relative to the brief's folder. */
  traceFile: z.string(),
});

const AgentBrief = z.object({
  n: z.number().int(),
  parent: z.number().int().nullable(),
  /** Null for the first agent, and for one that is being judged. */
  verdict: z.string().nullable(),
  gate: z.string().nullable(),
  /** What the gate said, where that rests on dev alone. */
  message: z.string(),
  hypothesis: z.string(),
  changes: z.string(),
  /** Against its parent. */
  diff: z.string(),
  /** Means over dev; null where it was not measured on all of it. */
  utility: z.number().nullable(),
  score: z.number().nullable(),
  seconds: z.number().nullable(),
  costUsd: z.number().nullable(),
  tasks: z.array(TaskBrief),
});

export const ArchiveBrief = z.object({
  /** The agent that edits now, and whose code is in the workspace. */
  editor: z.number().int(),
  champion: z.number().int(),
  /** What repairs the tasks, and whether it reads prompts: the search engine reads none. */
  solver: z.object({ name: z.string(), readsPrompts: z.boolean() }),
  /** Functions of dev that the editor does not repair, as its attempts were shown them. */
  failed: z.array(VisibleTask),
  agents: z.array(AgentBrief),
});
export type ArchiveBrief = z.infer<typeof ArchiveBrief>;
