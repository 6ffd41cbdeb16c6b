/**
 * Writes to a folder that others may have made, such as a run from another machine. A link in it, or a second name of a
 * file elsewhere, would lead the writing out of it.
 */

import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, realpathSync, type Stats } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { UserError, writing } from "../data/errors.ts";
import { inLine } from "../text/text.ts";
import { isOpenedAt } from "./foreign_file.ts";
import { replaceFile } from "./replace_file.ts";

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;

/**
 * To be asked before something below `root` is written, made or removed.
 * @param root a folder that the user named or mend made; links on the way to it are followed
 * @param name a path from there, or a whole path below it; what is missing of it is no fault
 * @returns the path to write to
 * @throws UserError where a part of it is a link, or what is there is no file
 */
export function insidePath(root: string, name: string): string {
  const inside = relative(root, resolve(root, name));
  const parts = inside.split(sep);
  if (parts[0] === "..") throw new UserError(`${inLine(name)} does not lie in ${inLine(root)}, so it is not written.`);
  for (const at of parts.keys()) {
    const path = join(root, ...parts.slice(0, at + 1));
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found) break;
    if (found.isSymbolicLink()) throw throughLink(path);
    const isWanted = at === parts.length - 1 ? found.isFile() : found.isDirectory();
    if (!isWanted) throw notPlain(path);
  }
  return join(root, inside);
}

/**
 * To be asked before a program that writes to `root` in many places begins.
 * @param isSkipped of a path from there: it is removed before anything is written there
 * @throws UserError where a link, a second name of a file, a pipe or a device lies in it
 */
export function requireOwnFiles(root: string, isSkipped: (name: string) => boolean = () => false): void {
  const visit = (folder: string) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const name = join(folder, entry.name);
      if (isSkipped(name)) continue;
      if (entry.isDirectory()) visit(name);
      else requireAlone(join(root, name), lstatSync(insidePath(root, name)));
    }
  };
  visit(".");
}

/**
 * Replaces a file below `root`, as `replaceFile` does.
 * @throws UserError as `insidePath`, and where the system refuses it
 */
export const replaceInside = (root: string, name: string, content: string | Uint8Array): void =>
  replaceFile(insidePath(root, name), content);

/**
 * Opens a file below `root` to be read and added to; made where there is none.
 * @returns a descriptor that the caller closes
 * @throws UserError as `insidePath`, where the file has a second name, and where the system refuses it
 */
export function openInside(root: string, name: string): number {
  const path = insidePath(root, name);
  const fd = writing(path, () => openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o666));
  try {
    requireAlone(path, fstatSync(fd));
    // A link may have been put in the place of a folder since it was looked at.
    if (!isOpenedAt(fd, join(realpathSync.native(root), relative(root, path)))) throw throughLink(path);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function requireAlone(path: string, found: Stats): void {
  if (!found.isFile()) throw notPlain(path);
  if (found.nlink > 1)
    throw new UserError(`${inLine(path)} is a second name of another file, so nothing is written to it: remove it.`);
}

const throughLink = (path: string) =>
  new UserError(`${inLine(path)} is a link, through which nothing is written: remove it.`);

const notPlain = (path: string) =>
  new UserError(`${inLine(path)} is of another kind than what is written there: remove it.`);
