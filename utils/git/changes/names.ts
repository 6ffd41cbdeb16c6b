/** File names that a patch may contain. A tool or a person could overlook or misread the others. */

import { UserError } from "../../base/data/errors.ts";
import { inLine } from "../../base/text/text.ts";

/** Characters that file systems ignore in a name. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
/** Not read as text by a terminal or a patch: control characters, line ends, changes of the writing direction. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
/** Limit of most file systems, in bytes. */
const MOST_BYTES = 255;
const MOST_PATH_BYTES = 4000;

/**
 * Why mend does not change, show or commit a file of that name, as the second half of a sentence; null if it may.
 * @param file its path from the root, with `/`
 */
export function nameProblem(file: string): string | null {
  if (CONTROL.test(file)) return "its name has control characters";
  if (!file.isWellFormed() || file.includes("\uFFFD")) return "its name is not text";
  const parts = file.split("/");
  if (parts.some((part) => part === "" || part === "." || part === "..")) return "it is not a path from the root";
  if (parts.some((part) => Buffer.byteLength(part) > MOST_BYTES) || Buffer.byteLength(file) > MOST_PATH_BYTES)
    return "its name is too long";
  const spellings = file.split(/[/\\]/).map(folded);
  if (spellings.some(isRepository)) return "it is git's own folder to some file system";
  if (spellings.some((name) => TELLS_GIT.test(name))) return "it tells git what to do";
  return null;
}

/** The error message for a name that is not allowed. */
export const refusedName = (file: string, problem: string): string =>
  `${inLine(JSON.stringify(file))} is refused: ${problem}.`;

/** @throws UserError for a file name that is not allowed */
export function requireNames(changes: readonly { file: string }[]): void {
  for (const { file } of changes) {
    const problem = nameProblem(file);
    if (problem !== null) throw new UserError(refusedName(file, problem));
  }
}

/**
 * As the file systems of Windows and macOS compare names: without streams, dots and blanks at the end, in lower case.
 */
const folded = (name: string): string =>
  name
    .normalize("NFKC")
    .replace(UNSEEN, "")
    .replace(/:.*$/s, "")
    .replace(/[. ]+$/, "")
    .toLowerCase();

const isRepository = (name: string): boolean => name === ".git" || /^git~\d+$/.test(name);

/**
 * Submodules that are fetched, and programs that are started for files; with the short names that Windows gives them.
 */
const TELLS_GIT = /^(?:\.git(?:modules|attributes)|(?:git(?:mod|att)|gi7(?:eb|d2))\w*~\d+)$/;
