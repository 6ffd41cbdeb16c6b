/** One process a run: two would each do all the work. */

import { closeSync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { UserError, writing } from "../../utils/errors.ts";
import { isStillAt, tryLock } from "../../utils/files/os_lock.ts";
import { isAlive, ownMark, ProcessMark } from "../../utils/files/process_mark.ts";

/**
 * Takes the lock `file` of a run. The kernel holds it, so one whose process is gone is free; what the file says is only
 * to be read by others.
 * @returns how to give it back
 * @throws UserError where another process holds it, the file cannot be written, or its file system has no locks
 */
export function lock(file: string, name: string): () => void {
  for (;;) {
    const fd = writing(file, () => openSync(file, "a+"));
    try {
      const attempt = tryLock(fd);
      if (attempt === "held")
        throw new UserError(
          `run "${name}" is being written by ${writerOf(file)}. Wait for it, or use another --run name.`,
        );
      if (attempt === "unsupported")
        throw new UserError(`${file} cannot be locked: its file system has no locks. Work in a folder on another one.`);
      if (isStillAt(fd, file)) {
        writing(file, () => writeMark(fd));
        return () => release(fd, file);
      }
    } catch (error) {
      closeSync(fd);
      throw error;
    }
    // Its holder removed it between our opening and our locking it.
    closeSync(fd);
  }
}

function writeMark(fd: number): void {
  ftruncateSync(fd);
  writeSync(fd, JSON.stringify(ownMark()));
}

/** Removed while it is still held: whoever has opened it meanwhile finds that it is gone. */
function release(fd: number, file: string): void {
  if (isStillAt(fd, file)) rmSync(file, { force: true });
  closeSync(fd);
}

/** The process that wrote the lock `file`; null where there is none or its text is no mark (yet). */
export function ownerOf(file: string): ProcessMark | null {
  try {
    return ProcessMark.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return null;
  }
}

/** Whether a process that lives holds the lock `file`. Does not touch the lock, and sees no other container's processes. */
export function isHeld(file: string): boolean {
  const owner = ownerOf(file);
  return owner !== null && isAlive(owner);
}

const writerOf = (file: string): string => {
  const owner = ownerOf(file);
  return owner ? `process ${owner.pid}` : "another process";
};
