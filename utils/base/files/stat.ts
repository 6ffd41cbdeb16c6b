/** What is at a path that a user or a project named. */

import { type Stats, statSync } from "node:fs";
import { errorCode, fileError } from "../data/errors.ts";

/** How the system says that there is nothing at a path, or can be nothing. */
const NOTHING = ["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE"];

/**
 * Links followed; null where nothing is: also at the end of a link that leads to itself, or of a name that is too long.
 * @throws UserError where this user may not look
 */
export function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch (error) {
    if (NOTHING.includes(String(errorCode(error)))) return null;
    throw fileError(error, path);
  }
}

export const isFolder = (path: string): boolean => statOf(path)?.isDirectory() ?? false;
