/** A user's source file as text. */

import { UserError } from "../../utils/base/data/errors.ts";
import { namedFile, readForeign } from "../../utils/base/files/foreign_file.ts";
import { utf8Text } from "../../utils/base/text/line_ends.ts";

/** Sources over this are refused by the sandbox. */
const MAX_BYTES = 1_000_000;

/** @throws UserError if it is not a plain file, cannot be read, is too large or is not UTF-8 text */
export function readSource(file: string): string {
  const text = utf8Text(readForeign(...namedFile(file), MAX_BYTES));
  if (text === null) throw new UserError(`${file} is not UTF-8 text.`);
  return text;
}
