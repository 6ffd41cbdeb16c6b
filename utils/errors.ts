/** Errors that are meant for the person at the keyboard. */

/** A user's mistake. The message is one sentence that says what to do; commands print it without a stack and exit 2. */
export class UserError extends Error {
  override name = "UserError";
}

/** The code that Node.js gives errors of the system and of its own libraries, e.g. `ENOENT`. */
export const errorCode = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;

/** What went wrong with a file the user named, as a UserError where the reason is known; else the error as it is. */
export function fileError(error: unknown, file: string): unknown {
  const code = errorCode(error);
  if (code === "ENOENT" || code === "ENOTDIR") return new UserError(`${file}: there is no such file.`);
  if (code === "EISDIR") return new UserError(`${file} is a folder; a file is needed.`);
  if (code === "EACCES" || code === "EPERM") return new UserError(`${file} may not be read by this user.`);
  if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") return new UserError(`${file} is not UTF-8 text.`);
  if (typeof code === "string" && code.startsWith("Z_")) return new UserError(`${file} is not a whole gzip file.`);
  return error;
}
