/**
 * A copy of a work folder, made while the agent may still change the folder. Only the copy is used after that, so
 * nothing can change between the check and its use. The box need not be stopped: no process of the agent, not even one
 * that stays behind, can reach the copy.
 */

import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { broken, isName, MAX_FILE_BYTES, MAX_TOTAL_BYTES, readable, tampered } from "../archive/surface.ts";
import type { Finding } from "../log.ts";

const MAX_ENTRIES = 4096;
const MAX_DEPTH = 64;
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_DIRECTORY } = constants;

/**
 * Copies files, folders and links (as links) of `source`. Follows no link, not even one that is put there meanwhile:
 * each folder is held open and its entries are opened in it.
 * @param except a name at the top that is not copied
 * @returns what keeps it from being a copy of an agent; null where the copy is complete
 */
export function takeSnapshot(source: string, target: string, except: string): Finding | null {
  let entries = 0;
  let total = 0;
  const visit = (folder: number, to: string, depth: number): Finding | null => {
    mkdirSync(to);
    const here = inFolder(folder, source, relative(target, to));
    for (const name of readdirSync(here).sort()) {
      if (depth === 0 && name === except) continue;
      const shown = relative(target, join(to, name));
      entries += 1;
      if (entries > MAX_ENTRIES || depth > MAX_DEPTH) return broken("the agent has too many files or folders");
      if (!isName(name)) return broken(`${shown}: use letters, digits and ._- in names, not starting with a dot`);
      const problem = copy(join(here, name), join(to, name), shown, depth);
      if (problem) return problem;
    }
    return null;
  };
  const copy = (from: string, to: string, shown: string, depth: number): Finding | null => {
    const link = linkTarget(from);
    if (link !== null) {
      symlinkSync(link, to);
      return null;
    }
    const file = openSync(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const stat = fstatSync(file);
      if (stat.isDirectory()) return visit(file, to, depth + 1);
      if (!stat.isFile()) return tampered(`${shown} is neither a file nor a folder`);
      if (stat.nlink > 1) return tampered(`${shown} is a second name of another file`);
      const bytes = readAtMost(file, MAX_FILE_BYTES);
      if (bytes === null) return broken(`${shown} is larger than ${MAX_FILE_BYTES / 1024} KB`);
      total += bytes.length;
      if (total > MAX_TOTAL_BYTES) return broken(`the agent is larger than ${MAX_TOTAL_BYTES / 1024 / 1024} MB`);
      writeFileSync(to, bytes);
      return null;
    } finally {
      closeSync(file);
    }
  };
  const root = openSync(source, O_RDONLY | O_NOFOLLOW | O_DIRECTORY);
  try {
    // Its writer is at work: something may have gone or changed its kind between two looks.
    return readable(() => visit(root, target, 0));
  } finally {
    closeSync(root);
  }
}

/** A folder that is open, as a path that no renaming leads elsewhere; where the system has none, its plain path. */
const inFolder = (folder: number, source: string, inside: string): string =>
  process.platform === "linux" ? `/proc/self/fd/${folder}` : join(source, inside);

function linkTarget(path: string): string | null {
  return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null;
}

/** Null where there is more: a size that was asked for first may grow. */
function readAtMost(file: number, limit: number): Buffer | null {
  const bytes = Buffer.allocUnsafe(limit + 1);
  let size = 0;
  for (;;) {
    const read = readSync(file, bytes, size, bytes.length - size, null);
    if (read === 0) return bytes.subarray(0, size);
    size += read;
    if (size > limit) return null;
  }
}
