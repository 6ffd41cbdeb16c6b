/** Errors that are meant for the person at the keyboard. */

import { inLine } from "../text/text.ts";

/** A user's mistake. The message is one sentence that says what to do; commands print it without a stack and exit 2. */
export class UserError extends Error {
  override name = "UserError";
}

/** The code that Node.js gives errors of the system and of its own libraries, e.g. `ENOENT`. */
export const errorCode = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;

/** What an error says; of several in one, what each says. */
export const messageOf = (error: unknown): string =>
  error instanceof AggregateError
    ? error.errors.map(messageOf).join(", ")
    : error instanceof Error
      ? error.message || error.name
      : String(error);

/** Why the system refuses to write. */
const NOT_WRITTEN: Record<string, string> = {
  ENOSPC: "the disk is full",
  EDQUOT: "this user's disk quota is used up",
  EFBIG: "it would become larger than files may be",
  ENOTDIR: "a part of its path is a file",
  EROFS: "its file system is read-only",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  ELOOP: "a part of its path is a link that leads to itself",
  ENAMETOOLONG: "the name is longer than names of files may be",
  EISDIR: "there is a folder of that name",
};

/** What keeps `path` from being written, as a UserError where the system says why; else the error as it is. */
export function writeError(error: unknown, path: string): unknown {
  const reason = NOT_WRITTEN[String(errorCode(error))];
  return reason === undefined ? error : new UserError(`${inLine(path)} cannot be written: ${reason}.`);
}

/**
 * Does what writes to `path`.
 * @throws UserError where the system refuses it: a full disk, a read-only folder, rights that are missing
 */
export function writing<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw writeError(error, path);
  }
}

/** The same for an error from anywhere: system calls that only write, and errors that only writing can have. */
export function refusedWrite(error: unknown): unknown {
  const told: Partial<NodeJS.ErrnoException> & { dest?: string } = error instanceof Error ? error : {};
  // Of what is copied or renamed, `path` is the file that is read.
  const { syscall = "", path = "a file", dest = path } = told;
  const isWrite = /^(write|mkdir|mkdtemp|rename|unlink|link|symlink|rmdir|copyfile)$/.test(syscall);
  return isWrite || /^(ENOSPC|EDQUOT|EROFS)$/.test(String(errorCode(error))) ? writeError(error, dest) : error;
}

/** What went wrong with a file the user named, as a UserError where the reason is known; else the error as it is. */
export function fileError(error: unknown, path: string): unknown {
  const file = inLine(path);
  const code = errorCode(error);
  if (code === "ENOENT" || code === "ENOTDIR") return new UserError(`${file}: there is no such file.`);
  if (code === "EISDIR") return new UserError(`${file} is a folder; a file is needed.`);
  if (code === "EACCES" || code === "EPERM") return new UserError(`${file} may not be read by this user.`);
  if (code === "ELOOP") return new UserError(`${file} is a link that leads to itself.`);
  if (code === "ENAMETOOLONG") return new UserError(`${file}: the name is longer than names of files may be.`);
  if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") return new UserError(`${file} is not UTF-8 text.`);
  if (typeof code === "string" && code.startsWith("Z_")) return new UserError(`${file} is not a whole gzip file.`);
  return error;
}
