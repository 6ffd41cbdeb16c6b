/** Whether the user's files may be written: checked before anything is spent. */

import {
  accessSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { errorCode, fileError, UserError, writeError, writing } from "../data/errors.ts";
import { makeFolder, noEntryMade } from "./make_folder.ts";
import { putInPlace } from "./replace_file.ts";
import { statOf } from "./stat.ts";

/**
 * To be asked before anything is spent on a repair.
 * @throws UserError where the file, or its folder, may not be written; a file without any right to write is left alone
 * by root too
 */
export function requireWritable(file: string): void {
  const path = realpathSync(file);
  if ((statSync(path).mode & 0o222) !== 0 && mayWrite(path) && mayWrite(dirname(path))) return;
  throw new UserError(`${file} is read-only: make it writable, or leave --write out to see the change.`);
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * To be asked before a command writes `out`.
 * @param inputs what the command reads; what is not there is passed over
 * @throws UserError where `out` is one of them, by whatever name: it would be lost
 */
export function requireOtherFile(out: string, inputs: readonly (string | undefined)[]): void {
  const written = identity(out);
  const lost = inputs.find((input) => input !== undefined && written !== null && identity(input) === written);
  if (lost !== undefined)
    throw new UserError(`${out} is read by this command, and writing would lose it. Use --out FILE.`);
}

/**
 * To be asked before anything is spent on what a command adds to `file`, whose folder is made.
 * @throws UserError where it cannot be written, and where it is not a file: a device may have no end
 */
export function requireAppendable(file: string): void {
  makeFolder(dirname(file));
  const found = statOf(file);
  if (found && !found.isFile())
    throw new UserError(`${file} is not a file that can be appended to: name another with --out.`);
  // A file that is not there is not made: it would stay where nothing is added.
  const tried = found ? file : `${file}.mend-${process.pid}`;
  try {
    writing(file, () => closeSync(openSync(tried, "a")));
  } catch (error) {
    throw noEntryMade(error, file);
  }
  if (!found) rmSync(tried);
}

/**
 * Writes text to the file that a user named, which may be a link, a device or a pipe. A plain file is replaced in one
 * step, so that a full disk leaves the old one.
 * @throws UserError if it cannot be written, or is a pipe without a reader
 */
export function writeNamed(file: string, text: string): void {
  const old = statOf(file);
  if ((old?.isFile() ?? true) && replacesNamed(file, old, text)) return;
  let pipe: number | null = null;
  try {
    // Opening a pipe would wait for a reader. Open until the end: the reader goes once nothing writes.
    if (statOf(file)?.isFIFO()) pipe = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK);
    writing(file, () => writeFileSync(file, text));
  } catch (error) {
    if (errorCode(error) === "ENXIO") throw new UserError(`${file} is a pipe without a reader.`);
    if (errorCode(error) === "ENOENT") throw new UserError(`${dirname(file)}: there is no such folder.`);
    throw fileError(error, file);
  } finally {
    if (pipe !== null) closeSync(pipe);
  }
}

/**
 * Puts a new file in the place of the one that the name leads to. False where only its content can be changed: in a
 * folder where this user may make no file, for another's file, and for one that has more names.
 * @throws UserError where the disk is full or broken
 */
function replacesNamed(file: string, old: Stats | null, text: string): boolean {
  if (old !== null && (old.uid !== process.getuid?.() || old.nlink > 1 || (old.mode & 0o222) === 0)) return false;
  try {
    const path = old === null ? file : realpathSync(file);
    if (old === null && lstatSync(file, { throwIfNoEntry: false })) return false;
    putInPlace(path, text, old === null ? undefined : old.mode & 0o777);
    return true;
  } catch (error) {
    if (CANNOT_MAKE.includes(String(errorCode(error)))) return false;
    throw writeError(error, file);
  }
}

const CANNOT_MAKE = ["EACCES", "EPERM", "ENOENT", "ENOTDIR", "EROFS", "ENAMETOOLONG", "EISDIR"];

/** The same for two names of one file; null if there is none. */
function identity(file: string): string | null {
  try {
    const { dev, ino } = statSync(file);
    return `${dev} ${ino}`;
  } catch {
    return null;
  }
}
