/** Folders for what mend writes. */

import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode, UserError, writing } from "../data/errors.ts";
import { isFolder } from "./stat.ts";

/**
 * Makes `folder` and those above it that are missing, one by one: where a file system takes no folders (`/proc`),
 * Node.js asked for several tries for ever.
 * @throws UserError where the system refuses it: a read-only or full disk, rights that are missing, a file in its place
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    writing(folder, () => mkdirSync(folder));
  } catch (error) {
    const code = errorCode(error);
    if (code === "EEXIST" && isFolder(folder)) return;
    if (code === "EEXIST") throw new UserError(`${folder} cannot be made: there is a file of that name.`);
    throw noEntryMade(error, folder);
  }
}

/** `ENOENT` of what was to be made in a folder that is there, as a UserError; another error as it is. */
export const noEntryMade = (error: unknown, path: string): unknown =>
  errorCode(error) === "ENOENT"
    ? new UserError(`${path} cannot be made: ${dirname(path)} takes no new files or folders.`)
    : error;
