/** Where the exercises lie in a copy of the benchmark. */

import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Folders of exercises below a folder, as `TRACK` and the exercise's own. */
export function exercisesIn(root: string): { track: string; folder: string }[] {
  return foldersIn(root).flatMap((track) => {
    const practice = join(root, track, "exercises", "practice");
    return foldersIn(practice).map((name) => ({ track, folder: join(practice, name) }));
  });
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() ? entry.name : [])).sort();
  } catch {
    return [];
  }
}
