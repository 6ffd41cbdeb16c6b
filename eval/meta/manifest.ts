/** What decides a meta run, so that it is only ever resumed as itself. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { UserError } from "../../utils/errors.ts";

const Manifest = z.object({
  v: z.literal(1),
  decides: z.record(z.string(), z.json()),
  /** For the record only. */
  git_commit: z.string().nullable(),
  started_at: z.string(),
});
export type MetaManifest = z.infer<typeof Manifest>;

const manifestFile = (folder: string): string => join(folder, "manifest.json");

/** Null where the folder holds no run yet. @throws UserError where what is there is no manifest of this version */
export function readManifest(folder: string): MetaManifest | null {
  const file = manifestFile(folder);
  if (!existsSync(file)) return null;
  const parsed = Manifest.safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (!parsed.success) throw new UserError(`${file} is no manifest of this version: use another --run name.`);
  return parsed.data;
}

const Goal = z.object({
  /** Children to make in all. */
  iterations: z.number().int(),
});
export type Goal = z.infer<typeof Goal>;

const goalFile = (folder: string): string => join(folder, "goal.json");

/** What the last call asked for: more than the first may have, so it is no part of the manifest. For the page. */
export const writeGoal = (folder: string, goal: Goal): void => writeFileSync(goalFile(folder), JSON.stringify(goal));

/** Null where none was written. */
export function readGoal(folder: string): Goal | null {
  try {
    return Goal.parse(JSON.parse(readFileSync(goalFile(folder), "utf8")));
  } catch {
    return null;
  }
}

/** Writes the manifest of a new run. @throws UserError that names what differs, where the folder holds another run */
export function matchManifest(folder: string, now: MetaManifest): void {
  const before = readManifest(folder);
  if (before === null) {
    writeFileSync(manifestFile(folder), `${JSON.stringify(now, null, 2)}\n`);
    return;
  }
  const keys = [...new Set([...Object.keys(before.decides), ...Object.keys(now.decides)])];
  const different = keys.filter((key) => JSON.stringify(before.decides[key]) !== JSON.stringify(now.decides[key]));
  if (different.length === 0) return;
  throw new UserError(
    `this run was started with other settings (${different.join(", ")}): use the same ones, or another --run name.`,
  );
}
