/** What decides a meta run, so that it is only ever resumed as itself. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readJsonFile } from "../../utils/data/record.ts";

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

const goalFile = (folder: string): string => join(folder, "goal.json");

/** What the last call asked for: more than the first may have, so it is no part of the manifest. For the page. */
export const writeGoal = (folder: string, goal: Goal): void => writeFileSync(goalFile(folder), JSON.stringify(goal));

/** Null where none was written. */
export const readGoal = (folder: string): Goal | null => readJsonFile(goalFile(folder), Goal);
