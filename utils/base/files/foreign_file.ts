/**
 * The one way to read a file of a project, a dataset or a run by others. Such a folder may hold links to secrets,
 * pipes that never end, devices and files of any size. So only a plain file that lies in the folder is read, up to a
 * limit, and error messages never quote it.
 */

import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { z } from "zod";
import { errorCode, fileError, UserError } from "../data/errors.ts";
import { readJson } from "../data/record.ts";
import { inLine } from "../text/text.ts";

/** The limit of one file if the caller sets none. */
export const MOST_FOREIGN_BYTES = 64 * 1024 * 1024;

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;

/** A file that is not read. */
export class ForeignFileError extends UserError {
  /** True if nothing is there, false if something is there that must not be read. */
  readonly isMissing: boolean;

  constructor(message: string, isMissing = false) {
    super(message);
    this.isMissing = isMissing;
  }
}

/**
 * The bytes of a plain file below `root`.
 * @param root a folder that the user named or mend made; links on the way to it are followed
 * @param name path of the file from there (or a whole path below it); its links may lead to what lies below `root`
 * alone
 * @throws ForeignFileError with a sentence that names the file
 */
export function readForeign(root: string, name: string, mostBytes = MOST_FOREIGN_BYTES): Buffer {
  const fd = openForeign(root, name, mostBytes);
  try {
    const bytes = readAtMost(fd, mostBytes);
    if (bytes === null) throw tooLarge(shown(root, name), mostBytes);
    return bytes;
  } catch (error) {
    throw asForeign(error, shown(root, name));
  } finally {
    closeSync(fd);
  }
}

/** The same as text; bytes that are no UTF-8 are read as U+FFFD. */
export const readForeignText = (root: string, name: string, mostBytes?: number): string =>
  readForeign(root, name, mostBytes).toString("utf8");

/** The same for callers that can go on without it. */
export function tryForeignText(
  root: string,
  name: string,
  mostBytes?: number,
): { text: string; problem: null } | { text: null; problem: ForeignFileError } {
  try {
    return { text: readForeignText(root, name, mostBytes), problem: null };
  } catch (error) {
    if (error instanceof ForeignFileError) return { text: null, problem: error };
    throw error;
  }
}

/**
 * A file that the user named, as the functions here take one. A link stands for its target.
 * @returns folder and name of the file, or of the link's target
 */
export function namedFile(file: string): [root: string, name: string] {
  let path = file;
  try {
    if (lstatSync(file).isSymbolicLink()) path = realpathSync.native(file);
  } catch {
    // Opening it reports what is wrong.
  }
  return [dirname(path), basename(path)];
}

/**
 * The bytes of a file that the user named to be read.
 * @throws ForeignFileError as `readForeign`
 */
export function readNamed(file: string, mostBytes = MOST_FOREIGN_BYTES): Buffer {
  const fd = openNamed(file, mostBytes);
  try {
    const bytes = readAtMost(fd, mostBytes);
    if (bytes === null) throw tooLarge(inLine(file), mostBytes);
    return bytes;
  } catch (error) {
    throw asForeign(error, inLine(file));
  } finally {
    closeSync(fd);
  }
}

/** The same as text; bytes that are no UTF-8 are read as U+FFFD. */
export const readNamedText = (file: string, mostBytes?: number): string => readNamed(file, mostBytes).toString("utf8");

/**
 * Opens a file that the user named. Links are followed, and what a shell puts in place of a file (`<(…)`,
 * `/dev/stdin`) is accepted. The reader must count bytes, since it may have no end.
 * @returns a descriptor that the caller closes
 * @throws ForeignFileError as `readForeign`
 */
export function openNamed(file: string, mostBytes = MOST_FOREIGN_BYTES): number {
  try {
    const found = statSync(file);
    if (!isShellsPipe(file, found)) return openForeign(...namedFile(file), mostBytes);
    return openSync(file, O_RDONLY | O_NOCTTY);
  } catch (error) {
    throw asForeign(error, inLine(file));
  }
}

/** A pipe that lies in no folder. A named pipe could make us wait for ever. */
function isShellsPipe(file: string, found: Stats): boolean {
  if (!found.isFIFO()) return false;
  try {
    realpathSync.native(file);
    return false;
  } catch {
    return true;
  }
}

/**
 * Opens it to be read in pieces; the reader must count them, since the file may grow.
 * @returns a descriptor that the caller closes
 * @throws ForeignFileError as `readForeign`
 */
export function openForeign(root: string, name: string, mostBytes = MOST_FOREIGN_BYTES): number {
  const file = shown(root, name);
  try {
    const path = placeOf(root, name, file);
    // Opening a device may change it; the next look finds what is put there after this one.
    requirePlain(lstatSync(path), file, mostBytes);
    const fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    try {
      requirePlain(fstatSync(fd), file, mostBytes);
      if (!isOpenedAt(fd, path)) throw new ForeignFileError(`${file} changed while it was opened: try again.`);
      return fd;
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  } catch (error) {
    throw asForeign(error, file);
  }
}

/** Where the file lies, all links followed. */
function placeOf(root: string, name: string, file: string): string {
  if (name.includes("\0")) throw new ForeignFileError(`${file} is not the name of a file.`);
  const inside = relative(root, resolve(root, name));
  const top = realpathSync.native(root);
  const path = realpathSync.native(join(top, inside));
  if (path !== top && !path.startsWith(top === sep ? sep : top + sep))
    throw new ForeignFileError(`${file} leads out of ${inLine(root)}, so it is not read.`);
  return path;
}

function requirePlain(found: Stats, file: string, mostBytes: number): void {
  if (!found.isFile()) throw new ForeignFileError(`${file} is ${kindOf(found)}; a file is needed.`);
  if (found.size > mostBytes) throw tooLarge(file, mostBytes);
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return "a folder";
  if (found.isFIFO()) return "a pipe";
  if (found.isSocket()) return "a socket";
  return found.isSymbolicLink() ? "a link" : "a device";
}

/**
 * Whether what is open lies at `path`, a real one: a folder on the way may have been replaced by a link since it was
 * looked at.
 */
export function isOpenedAt(fd: number, path: string): boolean {
  const opened = fstatSync(fd);
  // Writers of a run replace its files: then the opened file no longer has a name.
  if (opened.nlink === 0) return true;
  try {
    return readlinkSync(`/proc/self/fd/${fd}`) === path;
  } catch {
    const now = lstatSync(path);
    return now.dev === opened.dev && now.ino === opened.ino;
  }
}

/** Null if there is more: the size read before may be wrong, and the file may grow. */
function readAtMost(fd: number, mostBytes: number): Buffer | null {
  let bytes = Buffer.allocUnsafe(Math.min(fstatSync(fd).size, mostBytes) + 1);
  let length = 0;
  for (;;) {
    const read = readSync(fd, bytes, length, bytes.length - length, null);
    if (read === 0) return bytes.subarray(0, length);
    length += read;
    if (length > mostBytes) return null;
    if (length === bytes.length) bytes = Buffer.concat([bytes], 2 * length + 4096);
  }
}

const shown = (root: string, name: string): string => inLine(resolve(root, name) === name ? name : join(root, name));

function tooLarge(file: string, mostBytes: number): ForeignFileError {
  const [amount, unit] = mostBytes < 1024 * 1024 ? [mostBytes / 1024, "KB"] : [mostBytes / 1024 / 1024, "MB"];
  return new ForeignFileError(`${file} is larger than ${Math.round(amount)} ${unit}, so it is not read.`);
}

function asForeign(error: unknown, file: string): unknown {
  if (error instanceof ForeignFileError) return error;
  const said = fileError(error, file);
  const isMissing = errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR";
  if (said instanceof UserError) return new ForeignFileError(said.message, isMissing);
  return typeof errorCode(error) === "string"
    ? new ForeignFileError(`${file} cannot be read (${errorCode(error)}).`)
    : error;
}

/**
 * The value of a JSON file of a project or a run, as `readForeign` takes it; null if there is none, or where it is
 * not what the schema says.
 * @throws UserError where it is there and not to be read: a pipe, a link that leads out, a huge file
 */
export function readForeignJson<T>(root: string, name: string, schema: z.ZodType<T>): T | null {
  const found = tryForeignText(root, name);
  if (found.text !== null) return readJson(found.text, schema);
  if (found.problem.isMissing) return null;
  throw found.problem;
}
