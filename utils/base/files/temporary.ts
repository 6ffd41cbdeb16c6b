/**
 * Temporary folders. Those of one process lie in one folder; if the process is killed, the next start removes it.
 */

import { chmodSync, closeSync, constants, existsSync, fstatSync, mkdtempSync, openSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorCode, UserError } from "../data/errors.ts";
import { atExit } from "../host/at_exit.ts";
import { isStillAt, tryLock } from "./os_lock.ts";
import { removeFolder } from "./trees/remove_folder.ts";

/** How such folders are named, here and in `sandbox/python/supervision/temporary.py`. */
const PREFIX = "mend-temporary-";

export interface TemporaryFolder extends Disposable {
  readonly path: string;
}

/** Folder of this process, by the folder for temporary files that it lies in. */
const ownFolders = new Map<string, string>();

/** Makes a folder that only this user may enter. It is removed when disposed of, or at the end of this process. */
export function makeTemporaryFolder(purpose: string): TemporaryFolder {
  const place = tmpdir();
  const known = ownFolders.get(place);
  const own = known !== undefined && existsSync(known) ? known : makeOwnFolder(place);
  ownFolders.set(place, own);
  const path = mkdtempSync(join(own, `${purpose}-`));
  return { path, [Symbol.dispose]: () => removeFolder(path) };
}

/** The folder of this process, locked for as long as it lives. Others may pass through it to what is opened to them. */
function makeOwnFolder(place: string): string {
  for (;;) {
    const path = makeIn(place);
    const fd = openIfThere(path);
    if (fd === undefined) continue;
    // Another process that is just looking for stale folders may have found it before it was locked.
    if (tryLock(fd) !== "held" && isStillAt(fd, path)) {
      chmodSync(path, 0o711);
      atExit(() => removeFolder(path));
      return path;
    }
    closeSync(fd);
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** @throws UserError if the user's TMPDIR is not a folder */
function makeIn(folder: string): string {
  try {
    return mkdtempSync(join(folder, PREFIX));
  } catch (error) {
    throw new UserError(
      `No temporary folder can be made in ${folder} (${errorCode(error)}): mend that, or name another one with TMPDIR.`,
    );
  }
}

/** Removes folders of this user's dead processes: a living process holds the lock of its folder. */
export function removeStaleFolders(): void {
  const place = tmpdir();
  let names: string[];
  try {
    names = readdirSync(place);
  } catch {
    return;
  }
  for (const name of names) if (name.startsWith(PREFIX)) removeIfStale(join(place, name));
}

/** Without a program that locks files, stale folders cannot be recognised and stay. */
function isFree(fd: number): boolean {
  try {
    return tryLock(fd) === "taken";
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}

function removeIfStale(path: string): void {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch {
    // Gone by now, a link, or another user's.
    return;
  }
  try {
    const isOurs = fstatSync(fd).uid === process.getuid?.();
    if (isOurs && isFree(fd) && isStillAt(fd, path)) removeFolder(path);
  } finally {
    closeSync(fd);
  }
}
