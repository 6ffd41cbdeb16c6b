/** What was changed in a work folder: a patch, of which only what is source counts. */

import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { writeOwnFile } from "../../utils/files/copy_tree.ts";
import { unifiedDiff } from "../../utils/text/diff.ts";
import { Kinds } from "./guard/kinds.ts";
import { isPython } from "./places/functions.ts";

/** One file before and after; null where it is not there. */
export interface FileChange {
  file: string;
  before: string | null;
  after: string | null;
}

export interface Patch {
  /** Changes of source: these are tested, shown and applied. */
  source: FileChange[];
  /** New files of tests: what the model wrote to reproduce the problem. */
  tests: FileChange[];
  /** Changes of tests, of what decides how they run, and of what is no source: dropped. */
  dropped: { file: string; why: string }[];
}

/**
 * What differs between two trees.
 * @param base the tree as it was; a file that is no text counts as unchanged
 * @param written files that may differ, by their path under the root
 * @param kinds of the files of `base`
 */
export function readPatch(base: string, work: string, written: Iterable<string>, kinds = kindsOf(base)): Patch {
  const patch: Patch = { source: [], tests: [], dropped: [] };
  for (const file of [...new Set(written)].sort()) {
    const change = { file, before: textOf(join(base, file)), after: textOf(join(work, file)) };
    if (change.before === change.after) continue;
    const standing = kinds.standing(file, { isNew: change.before === null, isGone: change.after === null });
    if (standing.kind === "dropped") patch.dropped.push({ file, why: standing.why });
    else patch[standing.kind === "test" ? "tests" : "source"].push(change);
  }
  return patch;
}

function textOf(path: string): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? readFileSync(path, "utf8") : null;
}

/** Puts changes into a tree. */
export function applyChanges(tree: string, changes: readonly FileChange[]): void {
  for (const { file, after } of changes) {
    const path = join(tree, file);
    if (after === null) rmSync(path, { force: true });
    else {
      mkdirSync(dirname(path), { recursive: true });
      writeOwnFile(path, after);
    }
  }
}

/** As one text that `git apply` and `patch -p1` take; empty without changes. */
export const renderPatch = (changes: readonly FileChange[]): string =>
  changes.map((change) => renderChange(change)).join("");

function renderChange({ file, before, after }: FileChange): string {
  const text = unifiedDiff(file, before ?? "", after ?? "");
  const head = `diff --git a/${file} b/${file}\n`;
  if (before === null) return `${head}new file mode 100644\n${text.replace(/^--- .*$/m, "--- /dev/null")}`;
  if (after === null) return `${head}deleted file mode 100644\n${text.replace(/^\+\+\+ .*$/m, "+++ /dev/null")}`;
  return head + text;
}

/** Patches that do the same but for blanks and comments are one. */
export const normalised = (changes: readonly FileChange[]): string =>
  JSON.stringify(changes.map(({ file, after }) => [file, after === null ? null : bareCode(file, after)]));

const bareCode = (file: string, text: string): string =>
  text
    .split("\n")
    .map((line) => (isPython(file) ? line.replace(/(^|\s)#[^'"]*$/, "") : line.replace(/(^|\s)\/\/[^'"`]*$/, "")))
    .map((line) => (isPython(file) ? line.trimEnd() : line.trim()).replace(/(?<=\S)\s+/g, " "))
    .filter((line) => line.trim() !== "")
    .join("\n");

/** All files of a tree that are no packages, for what a run may have changed. */
export function filesIn(tree: string): string[] {
  const found: string[] = [];
  const walk = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (/^(?:node_modules|\.venv|venv|__pycache__|\.git)$/.test(entry.name)) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile()) found.push(relative(tree, path));
    }
  };
  if (existsSync(tree)) walk(tree);
  return found.sort();
}

/** What the files of a tree are. @param ran those of which the runner told tests */
export const kindsOf = (tree: string, ran?: Iterable<string>): Kinds =>
  new Kinds({ files: filesIn(tree), text: (file) => textOf(join(tree, file)) }, ran);
