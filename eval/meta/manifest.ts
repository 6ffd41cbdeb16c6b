/** What decides a meta run, so that it is only ever resumed as itself. */

import { z } from "zod";
import { readForeignJson } from "../../utils/base/files/foreign_file.ts";
import { replaceInside } from "../../utils/base/files/write_inside.ts";

export const MetaManifest = z.object({
  v: z.literal(1),
  decides: z.record(z.string(), z.json()),
  /** For the record only. */
  git_commit: z.string().nullable(),
  started_at: z.string(),
});
export type MetaManifest = z.infer<typeof MetaManifest>;

const Goal = z.object({
  /** Children to make in all. */
  iterations: z.number().int(),
});
export type Goal = z.infer<typeof Goal>;

const GOAL_FILE = "goal.json";

/** What the last call asked for: more than the first may have, so it is not part of the manifest. For the page. */
export const writeGoal = (folder: string, goal: Goal): void => replaceInside(folder, GOAL_FILE, JSON.stringify(goal));

/** Null where none was written. */
export const readGoal = (folder: string): Goal | null => readForeignJson(folder, GOAL_FILE, Goal);
