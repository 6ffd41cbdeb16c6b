/** Errors that are meant for the person at the keyboard. */

/** A user's mistake. The message is one sentence that says what to do; commands print it without a stack and exit 2. */
export class UserError extends Error {
  override name = "UserError";
}
