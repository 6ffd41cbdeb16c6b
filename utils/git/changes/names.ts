/**
 * Which names a change of files may have: the rest would be missed, or be taken for something else, by whoever gets it.
 */

import { UserError } from "../../base/data/errors.ts";
import { inLine } from "../../base/text/text.ts";

/** Letters that file systems pass over when they look for a name. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
/**
 * What a terminal or a patch takes for something else than a letter: control characters, ends of lines, turns of the
 * direction.
 */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
/** What most file systems take, in bytes. */
const MOST_BYTES = 255;
const MOST_PATH_BYTES = 4000;

/**
 * Why no change of a file of that name is made, shown or committed, as the end of a sentence about it; null where it
 * may be.
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

/** A sentence for whoever asked for it. */
export const refusedName = (file: string, problem: string): string =>
  `${inLine(JSON.stringify(file))} is refused: ${problem}.`;

/** @throws UserError where a file has a name that no change may have */
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
