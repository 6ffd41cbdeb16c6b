/** One process a run: two would each do all the work. */

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { errorCode, UserError } from "../utils/errors.ts";

/**
 * Takes the lock `file` of a run; a lock whose process is gone is taken over.
 * @returns how to give it back
 * @throws UserError where another process holds it
 */
export function lock(file: string, name: string): () => void {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      writeFileSync(file, String(process.pid), { flag: "wx" });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
      const owner = Number(readFileSync(file, "utf8"));
      if (owner !== process.pid && isAlive(owner)) {
        throw new UserError(
          `run "${name}" is being written by process ${owner}. Wait for it, or use another --run name.`,
        );
      }
      rmSync(file, { force: true });
    }
  }
  throw new UserError(`run "${name}" could not be locked: another process keeps taking it.`);
}

/** Whether a process that lives holds the lock `file`. */
export function isHeld(file: string): boolean {
  try {
    return isAlive(Number(readFileSync(file, "utf8")));
  } catch {
    return false;
  }
}

/** Whether there is a process of this number. */
export function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
