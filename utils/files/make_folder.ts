/** Folders for what mend writes. */

import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode, writing } from "../data/errors.ts";

/**
 * Makes `folder` and those above it that are missing.
 * @throws UserError where the system refuses it: a read-only or full disk, rights that are missing
 */
export function makeFolder(folder: string): void {
  writing(folder, () => {
    try {
      mkdirSync(folder, { recursive: true });
    } catch (error) {
      // What Node.js makes of a read-only file system when it is asked for several folders.
      if (errorCode(error) !== "ENOENT") throw error;
      makeOneByOne(folder);
    }
  });
}

function makeOneByOne(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeOneByOne(dirname(folder));
  mkdirSync(folder);
}
