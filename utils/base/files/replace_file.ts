/** Writes a whole file in one step. */

import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writing } from "../data/errors.ts";

/**
 * Replaces the file: a reader sees the old or the new one, never half of it.
 * @throws UserError where the system refuses it
 */
export function replaceFile(file: string, content: string | Uint8Array): void {
  writing(file, () => putInPlace(file, content));
}

/** The same. @param mode rights of the new file. @throws what the system says */
export function putInPlace(file: string, content: string | Uint8Array, mode = 0o666): void {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    // A link of that name may have been put there; a new file is never written through one.
    rmSync(draft, { force: true });
    writeFileSync(draft, content, { flush: true, flag: "wx", mode });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/**
 * Removes what killed processes left in the folder while they replaced a file. No other process may write there now.
 */
export function removeDrafts(folder: string): void {
  for (const name of readdirSync(folder)) if (/\.\d+\.tmp$/.test(name)) rmSync(join(folder, name), { force: true });
}
