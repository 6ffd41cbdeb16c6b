/** A copy of a project for layers that cannot put one file over another: sources copied, what is installed linked. */

import { cpSync, lstatSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../errors.ts";

const LEFT_OUT = new Set([".git", ".hg", ".svn", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".tox", ".nox", "coverage", ".next", ".turbo", ".cache"]);
const LINKED = new Set(["node_modules", ".venv", "venv"]);
const MOST_BYTES = 200_000_000;
const MOST_FILES = 20_000;

/**
 * Copies `root` to `copy`, which must not exist.
 * @returns the folders outside of the copy that its links lead to
 * @throws UserError where the project is too large to be copied
 */
export function copyProject(root: string, copy: string): string[] {
  const linked: string[] = [];
  const left = { bytes: MOST_BYTES, files: MOST_FILES };
  copyFolder(root, copy, linked, left);
  if (left.bytes < 0 || left.files < 0) {
    throw new UserError(
      `${root} is larger than ${MOST_BYTES / 1e6} MB or ${MOST_FILES} files, too large for mend to copy for a run; install bubblewrap, with which nothing is copied.`,
    );
  }
  return linked;
}

function copyFolder(from: string, to: string, linked: string[], left: { bytes: number; files: number }): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (LEFT_OUT.has(entry.name) || left.bytes < 0 || left.files < 0) continue;
    if (LINKED.has(entry.name)) {
      const real = realpathSync(source);
      linked.push(real);
      symlinkSync(real, target);
    } else if (entry.isDirectory()) copyFolder(source, target, linked, left);
    else if (entry.isFile() || entry.isSymbolicLink()) {
      left.files -= 1;
      left.bytes -= lstatSync(source).size;
      cpSync(source, target, { verbatimSymlinks: true });
    }
  }
}
