/**
 * Patches between two trees, as git makes them from objects of its own: no name and no text can pass for a part of a
 * patch.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../base/data/errors.ts";
import { makeTemporaryFolder } from "../../base/files/temporary.ts";
import { git, gitSucceeds } from "../git.ts";
import { requireNames } from "./names.ts";

/** What git calls the kinds of files that a change may have. */
export type FileMode = "100644" | "100755";

/** A file before and after; null where it is not there. */
export interface TreeChange {
  /** Its path from the root, with `/`. */
  file: string;
  before: TreeFile | null;
  after: TreeFile | null;
}

export interface TreeFile {
  text: string;
  mode: FileMode;
}

const DIFF = ["-r", "-p", "--binary", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color"];
const PREFIXES = ["--src-prefix=a/", "--dst-prefix=b/"];

/**
 * As one text that `git apply` takes; empty without changes.
 * @throws UserError where a file has a name that no change may have, or git fails
 */
export function patchBetween(changes: readonly TreeChange[]): string {
  if (changes.length === 0) return "";
  // git passes over a name that it does not take, without a word.
  requireNames(changes);
  using folder = makeTemporaryFolder("trees");
  const at = (name: string) => join(folder.path, name);
  // What git needs to take a folder for a repository: `git init` would ask the user's template.
  for (const name of ["objects", "refs"]) mkdirSync(at(name));
  writeFileSync(at("HEAD"), "ref: refs/heads/none\n");
  const env = { GIT_DIR: folder.path };
  const run = (args: string[], more: { input?: string; env?: Record<string, string> } = {}) =>
    git(folder.path, ["-c", "core.protectNTFS=true", "-c", "core.protectHFS=true", ...args], {
      isolated: true,
      ...more,
      env: { ...env, ...more.env },
    });
  const files = changes.flatMap(({ before, after }) => [before, after]).filter((file) => file !== null);
  for (const [i, { text }] of files.entries()) writeFileSync(at(`${i}`), text);
  const ids = run(["hash-object", "-w", "--no-filters", "--stdin-paths"], {
    input: files.map((_, i) => `${at(`${i}`)}\n`).join(""),
  }).split("\n");
  const idOf = new Map(files.map((file, i) => [file, ids[i]]));
  const tree = (side: "before" | "after") => {
    const index = { GIT_INDEX_FILE: at(side) };
    const input = changes.flatMap(({ file, [side]: one }) =>
      one === null ? [] : [`${one.mode} ${idOf.get(one)}\t${file}\0`],
    );
    run(["update-index", "-z", "--index-info"], { env: index, input: input.join("") });
    return run(["write-tree"], { env: index }).trim();
  };
  return run(["diff-tree", ...DIFF, ...PREFIXES, tree("before"), tree("after")]);
}

let isGitThere: boolean | null = null;

/** Whether there is a git, with which patches are made. */
export function hasGit(): boolean {
  isGitThere ??= gitSucceeds(".", ["--version"]);
  return isGitThere;
}

/** To be asked before anything is spent on a repair. @throws UserError where there is no git */
export function requireGit(): void {
  if (!hasGit()) throw new UserError("There is no git on this machine, with which patches are made: install it.");
}
