/** A copy of a project for boxes that cannot show it in its place: sources are copied, what is installed is not. */

import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, realpathSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../errors.ts";

const LEFT_OUT = new Set([
  ".git",
  ".hg",
  ".svn",
  "__pycache__",
  ".tox",
  ".nox",
  "coverage",
  ".next",
  ".turbo",
  ".cache",
]);
const INSTALLED = new Set(["node_modules", ".venv", "venv"]);
const MOST_BYTES = 200_000_000;
const MOST_FILES = 20_000;

/** A folder of installed packages: where it is in the project, and what it is once links are followed. */
export interface Installed {
  path: string;
  real: string;
}

/**
 * Copies `root` to `copy`, readable for everybody. Folders of installed packages become links to the real ones, or
 * empty folders over which a box shows them.
 * @throws UserError where the project is too large to be copied
 */
export function copyProject(root: string, copy: string, installed: "linked" | "empty"): Installed[] {
  const found: Installed[] = [];
  const left = { bytes: MOST_BYTES, files: MOST_FILES };
  const walk = (from: string, to: string) => {
    mkdirSync(to, { recursive: true });
    for (const entry of readdirSync(from, { withFileTypes: true })) {
      const [source, target] = [join(from, entry.name), join(to, entry.name)];
      if (LEFT_OUT.has(entry.name)) continue;
      if (INSTALLED.has(entry.name)) {
        const real = realpathSync(source);
        found.push({ path: source, real });
        if (installed === "linked") symlinkSync(real, target);
        else mkdirSync(target);
      } else if (entry.isDirectory()) walk(source, target);
      else if (entry.isFile() || entry.isSymbolicLink()) {
        left.files -= 1;
        left.bytes -= lstatSync(source).size;
        if (left.bytes < 0 || left.files < 0) throw tooLarge(root);
        cpSync(source, target, { verbatimSymlinks: true });
        if (entry.isFile()) chmodSync(target, statSync(source).mode | 0o444);
      }
    }
  };
  walk(root, copy);
  return found;
}

const tooLarge = (root: string) =>
  new UserError(
    `${root} has more than ${MOST_BYTES / 1e6} MB or ${MOST_FILES} files, too much for mend to copy for a run: install bubblewrap, with which nothing is copied.`,
  );
