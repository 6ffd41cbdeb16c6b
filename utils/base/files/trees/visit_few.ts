/** Handles small trees that another program may write, without starting a program. */

import { closeSync, constants, openSync, readdirSync } from "node:fs";

/** Where Linux shows what this process has opened. */
const OPENED = "/proc/self/fd";
const MOST = 200;
const FOLDER_ALONE = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Visits everything below a folder, contents before their folder. Goes from folder to folder by descriptor, as `rm` and
 * `chown -R` do, so that none can be swapped for a link on the way. `visit` must not follow links.
 * @returns false if the system cannot do that or forbids it, or if a program is faster; some may have been visited
 */
export function visitFew(folder: string, visit: (path: string, isFolder: boolean) => void): boolean {
  let left = MOST;
  const enter = (path: string) => {
    const descriptor = openSync(path, FOLDER_ALONE);
    try {
      const opened = `${OPENED}/${descriptor}`;
      const entries = readdirSync(opened, { withFileTypes: true });
      left -= entries.length;
      if (left < 0) throw new Error("too many");
      for (const entry of entries) {
        const below = `${opened}/${entry.name}`;
        if (entry.isDirectory()) enter(below);
        visit(below, entry.isDirectory());
      }
    } finally {
      closeSync(descriptor);
    }
  };
  try {
    enter(folder);
    return true;
  } catch {
    return false;
  }
}
