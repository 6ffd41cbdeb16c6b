/** Paths that a repository, a patch or a dataset chose: whether they may be joined to a folder. */

/** What file systems leave out of a name, or take for the same letter. */
const IGNORED = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Whether a name is git's own folder, in any spelling that some file system takes for it. */
function isGitFolder(name: string): boolean {
  const letters = name.replace(IGNORED, "").toLowerCase();
  return /^(?:\.git|git~\d+)(?::.*)?[. ]*$/s.test(letters);
}

/** Whether a path leads from a folder to something below it, and not to what is git's own: no link is looked at. */
export const leadsInside = (path: string): boolean =>
  path !== "" &&
  !path.includes("\0") &&
  path.split("/").every((name) => name !== "" && name !== "." && name !== ".." && !isGitFolder(name));

/**
 * The same for a path that is going to be part of a text, such as a command, a patch or a message: no control
 * characters.
 */
export const isPlainPath = (path: string): boolean => leadsInside(path) && !/\p{Cc}/u.test(path);
