/** Folders of kept things that do not grow for ever. */

import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * Removes what was changed longest ago among the files and folders of a folder, until `most` of them are left.
 * @throws Error where the folder cannot be read, or another process removes the same
 */
export function keepNewest(folder: string, most: number): void {
  const byAge = readdirSync(folder).map((name) => ({
    path: join(folder, name),
    at: statSync(join(folder, name)).mtimeMs,
  }));
  for (const { path } of byAge.sort((a, b) => b.at - a.at).slice(most)) rmSync(path, { recursive: true, force: true });
}
