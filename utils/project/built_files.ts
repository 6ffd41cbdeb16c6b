/** Files that a build made and git ignores: without them the tests of many projects do not load. */

import { closeSync, lstatSync, openSync, readdirSync, readSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { git } from "../git/git.ts";

/** Folders that builds fill. */
const FOLDERS = /^(?:dist|lib|out|es|esm|cjs|_?generated|__generated__|.+\.egg-info)$/;
/** What a build makes of Python's packages too, beside the files themselves. */
const BUILD = "build";
const COMPILED = /\.(?:so|pyd|node|wasm)$/;
const SOURCE = /\.(?:pyi?|[cm]?[jt]s)$/;
const VERSION = /^_?_?version_?_?\.pyi?$/;
/** What generators write at the head of a file. Other ignored files are the user's own: settings, keys. */
const MARK = /\bgenerated\b|do(?:n't| not) (?:edit|modify|change|track)/i;

const HEAD_BYTES = 600;
const MOST_BYTES = 1_000_000;
const MOST_COMPILED_BYTES = 50_000_000;
const MOST_IN_FOLDER = 5000;

/**
 * Their paths under the root, which is a repository.
 * @param kind `generated`: sources alone, such as the `_version.py` of setuptools_scm; `all`: folders and compiled
 * files, too
 */
export function builtFiles(root: string, kind: "all" | "generated"): string[] {
  const told = git(root, ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"]);
  return told.split("\0").flatMap((name) => {
    if (name.endsWith("/")) return kind === "all" ? inFolder(root, name.slice(0, -1)) : [];
    return isBuilt(root, name, kind) ? [name] : [];
  });
}

function isBuilt(root: string, name: string, kind: "all" | "generated"): boolean {
  const found = lstatSync(join(root, name), { throwIfNoEntry: false });
  if (!found?.isFile()) return false;
  if (COMPILED.test(name)) return kind === "all" && found.size <= MOST_COMPILED_BYTES;
  if (!SOURCE.test(name) || found.size > MOST_BYTES) return false;
  return VERSION.test(basename(name)) || MARK.test(headOf(join(root, name)));
}

function headOf(file: string): string {
  const fd = openSync(file, "r");
  try {
    const bytes = Buffer.alloc(HEAD_BYTES);
    return bytes.toString("latin1", 0, readSync(fd, bytes));
  } finally {
    closeSync(fd);
  }
}

/** All plain files of a folder that a build fills; none of one with too many. */
function inFolder(root: string, name: string): string[] {
  const isJavascript = lstatSync(join(root, dirname(name), "package.json"), { throwIfNoEntry: false })?.isFile();
  if (!FOLDERS.test(basename(name)) && !(basename(name) === BUILD && isJavascript)) return [];
  if (!lstatSync(join(root, name), { throwIfNoEntry: false })?.isDirectory()) return [];
  const found: string[] = [];
  const walk = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && entry.name !== "node_modules") walk(path);
      else if (entry.isFile()) found.push(relative(root, path));
      if (found.length > MOST_IN_FOLDER) return;
    }
  };
  walk(join(root, name));
  const bytes = found.reduce((sum, file) => sum + lstatSync(join(root, file)).size, 0);
  return found.length > MOST_IN_FOLDER || bytes > MOST_COMPILED_BYTES ? [] : found;
}
