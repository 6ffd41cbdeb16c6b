/**
 * How long a run was worked on, and why it stopped: `session.json` in its folder. For people; no result depends on it.
 */

import { join } from "node:path";
import { z } from "zod";
import { isRecord } from "../../utils/base/data/record.ts";
import { readForeignJson } from "../../utils/base/files/foreign_file.ts";
import { replaceFile } from "../../utils/base/files/replace_file.ts";

/** Files of version 0.2 have `seconds`. */
const renamed = (file: unknown): unknown => (isRecord(file) ? { wall_seconds: file.seconds, ...file } : file);

const Session = z.preprocess(
  renamed,
  z.object({
    v: z.literal(1),
    /** Wall-clock seconds of all processes that worked on the run, each up to its last result. */
    wall_seconds: z.number(),
    /** In one sentence, why no further sample was started; null where all were, or the process was killed. */
    stopped: z.string().nullable(),
  }),
);
export type Session = z.infer<typeof Session>;

/** Null where none was written. */
export const readSession = (folder: string): Session | null => readForeignJson(folder, "session.json", Session);

/**
 * Counts the time of this process on top of that of earlier ones.
 * @param isNew false where the folder holds results: without a session their time is unknown, and so stays the run's
 */
export function startSession(folder: string, isNew: boolean): { save(stopped?: string | null): void } {
  const started = performance.now();
  const before = readSession(folder) ?? (isNew ? { wall_seconds: 0 } : null);
  if (!before) return { save: () => {} };
  const file = join(folder, "session.json");
  const save = (stopped: string | null = null) => {
    const wall_seconds = before.wall_seconds + (performance.now() - started) / 1000;
    const session: Session = { v: 1, wall_seconds, stopped };
    try {
      replaceFile(file, JSON.stringify(session));
    } catch {
      // A disk that refuses this refuses the next result, too, and that is reported.
    }
  };
  // It is written before the first result, so that no result is without a session.
  save();
  return { save };
}
