/** Small trees that somebody else may write: what they need is done here, without a program that is started for it. */

import { closeSync, constants, openSync, readdirSync } from "node:fs";

/** Where Linux shows what this process has opened. */
const OPENED = "/proc/self/fd";
const MOST = 200;
const FOLDER_ALONE = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Visits all that is below a folder, what is in a folder before that one. Goes from folder to folder by descriptor, as
 * `rm` and `chown -R` do: nobody can swap one for a link on the way. `visit` is to follow no link.
 * @returns false where the system cannot do that, or forbids it, or there is more than a program does faster; some may
 * have been visited then
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
