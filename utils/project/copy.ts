/**
 * A project as a folder of its own: sources are copied, what is installed is not; the user's own files are never
 * touched.
 */

import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { UserError } from "../base/data/errors.ts";
import { within } from "../base/host/project_root.ts";
import { GitError, git, gitSucceeds } from "../git/git.ts";
import { LANGUAGES } from "../languages/registry.ts";
import type { BoxLayer } from "../sandbox/types.ts";
import { builtFiles } from "./built_files.ts";
import { hasPackages, isMounted } from "./project.ts";

const MOST_FILES = 50_000;
const MOST_BYTES = 1_000_000_000;
const LANGUAGE_FILES = Object.values(LANGUAGES).map(({ files }) => files);
const INSTALLED = new Set(LANGUAGE_FILES.flatMap(({ packageFolders }) => packageFolders));
const LEFT_OUT = new Set([
  ".git",
  ".hg",
  ".svn",
  ".cache",
  ...LANGUAGE_FILES.flatMap(({ madeFolders }) => madeFolders),
]);

/** What is to be copied. */
export interface ProjectFiles {
  root: string;
  /** Files and links by their path under the root, sorted. */
  files: string[];
  /** What a build made, which git ignores and tests load; copied, too, but no source. */
  built: string[];
  /** Of all together. */
  bytes: number;
}

/** What a copy was made of. */
export interface CopySource {
  files: string[];
  /** Folders of installed packages by their path under the root, with what they are once links are followed. */
  installed: ReadonlyMap<string, string>;
}

/**
 * @param wanted `tracked`: what git tracks or would track, where there is git; `all`: what it ignores, too
 * @param named files that are wanted whatever git says of them, by their path under the root
 * @throws UserError where the project is too large, or git does not tell its files
 */
export function filesOf(root: string, wanted: "tracked" | "all", named: readonly string[] = []): ProjectFiles {
  const isTracked = wanted === "tracked" && existsSync(join(root, ".git"));
  const names = [...new Set([...(isTracked ? gitFiles(root) : allFiles(root)), ...named])].sort();
  const made = isTracked ? builtFiles(root, "all").filter((name) => !named.includes(name)) : [];
  if (names.length > MOST_FILES) throw tooLarge(root, `${MOST_FILES} files`);
  let bytes = 0;
  const real = realpathSync(root);
  const folders = new Map<string, boolean>();
  // git's index may name a file under a folder that has become a link.
  const isOwn = (folder: string) => {
    const known = folders.get(folder);
    const own = known ?? (existsSync(join(root, folder)) && within(real, realpathSync(join(root, folder))));
    if (known === undefined) folders.set(folder, own);
    return own;
  };
  const isThere = (name: string) => {
    if (!isOwn(dirname(name))) return false;
    const found = lstatSync(join(root, name), { throwIfNoEntry: false });
    // git may track what is gone, and a folder that is a repository of its own.
    if (!found?.isFile() && !found?.isSymbolicLink()) return false;
    bytes += found.size;
    return true;
  };
  const [files, built] = [names.filter(isThere), made.filter(isThere)];
  if (bytes > MOST_BYTES) throw tooLarge(root, `${MOST_BYTES / 1e6} MB`);
  return { root, files, built, bytes };
}

/**
 * Copies a project to `copy`. Everybody may read the copy, and its owner may write. In a box of bubblewrap installed
 * packages are shown over empty folders; elsewhere links lead to them.
 */
export function copyProject({ root, files, built }: ProjectFiles, copy: string, layer: BoxLayer): CopySource {
  const folders = new Set<string>();
  for (const name of [...files, ...built]) {
    const [source, target] = [join(root, name), join(copy, name)];
    const found = lstatSync(source);
    if (!folders.has(dirname(target))) mkdirSync(dirname(target), { recursive: true });
    folders.add(dirname(target));
    if (found.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else {
      copyFileSync(source, target);
      // Builds compare these.
      utimesSync(target, found.atime, found.mtime);
      if ((found.mode & OPEN) !== OPEN) chmodSync(target, found.mode | OPEN);
    }
  }
  mkdirSync(copy, { recursive: true });
  const installed = installedIn(root, files);
  for (const [name, real] of installed) {
    mkdirSync(dirname(join(copy, name)), { recursive: true });
    if (isMounted(layer)) mkdirSync(join(copy, name));
    else if (basename(name) === "node_modules") linkPackages(real, join(copy, name), { root, copy });
    else symlinkSync(real, join(copy, name));
  }
  return { files, installed };
}

/** What a file of a copy lets its readers and its owner do. */
const OPEN = 0o644;
/** Folders in `node_modules` that tools fill anew. */
const REMADE = [".vite", ".vite-temp", ".vitest"];

/**
 * Makes a `node_modules` with a link to each package: tools make folders of their own in it. Links to packages of a
 * workspace, which are the project's own sources, lead into the copy.
 */
function linkPackages(real: string, target: string, project: { root: string; copy: string }): void {
  mkdirSync(target);
  for (const entry of readdirSync(real, { withFileTypes: true })) {
    const [from, to] = [join(real, entry.name), join(target, entry.name)];
    if (REMADE.includes(entry.name)) continue;
    if (entry.isDirectory() && (entry.name.startsWith("@") || entry.name === ".cache")) linkPackages(from, to, project);
    else symlinkSync(entry.isSymbolicLink() ? inCopy(from, to, project) : from, to);
  }
}

/** Where a link in the copy leads that stands for `link`: to the same source in the copy, else to where `link` does. */
function inCopy(link: string, to: string, { root, copy }: { root: string; copy: string }): string {
  const source = resolve(dirname(link), readlinkSync(link));
  const isOwn = within(root, source) && !source.split(sep).includes("node_modules");
  return isOwn ? relative(dirname(to), join(copy, relative(root, source))) : source;
}

const tooLarge = (root: string, most: string) => new UserError(`${root} has more than ${most}: too much to copy.`);

/** Tracked files, those of submodules too, and new ones that are not ignored, as they are now. */
function gitFiles(root: string): string[] {
  try {
    const out = git(root, ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    const told = [...new Set(out.split("\0").filter(Boolean))];
    const names = told.flatMap((name) => submoduleFiles(root, name)).sort();
    return names.filter((name) => !name.split("/").some((part) => INSTALLED.has(part)));
  } catch (error) {
    throw error instanceof GitError ? new UserError(`git does not tell the files of ${root}: ${error.said}`) : error;
  }
}

/** Of a submodule that is checked out; a folder that is a repository of its own and no submodule has none. */
function submoduleFiles(root: string, name: string): string[] {
  if (!lstatSync(join(root, name), { throwIfNoEntry: false })?.isDirectory()) return [name];
  const isOne = gitSucceeds(root, [
    "config",
    "--file",
    ".gitmodules",
    "--fixed-value",
    "--get-regexp",
    "[.]path$",
    name,
  ]);
  return isOne && existsSync(join(root, name, ".git"))
    ? gitFiles(join(root, name)).map((file) => join(name, file))
    : [];
}

function allFiles(root: string): string[] {
  const found: string[] = [];
  const walk = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (INSTALLED.has(entry.name) || (LEFT_OUT.has(entry.name) && !isSource(folder, entry.name))) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile() || entry.isSymbolicLink()) found.push(relative(root, path));
      if (found.length > MOST_FILES) return;
    }
  };
  walk(root);
  return found.sort();
}

/** What builds a folder `target`; elsewhere that is a name like any other, as of a package in Python. */
const BUILDS_TARGET = ["Cargo.toml", "pom.xml"];
const isSource = (folder: string, name: string): boolean =>
  name === "target" && !BUILDS_TARGET.some((file) => existsSync(join(folder, file)));

/** Folders of packages in the root and beside files. */
function installedIn(root: string, files: readonly string[]): Map<string, string> {
  const folders = new Set([".", ...files.map((name) => dirname(name))]);
  const places = [...folders].flatMap((folder) => [...INSTALLED].map((name) => join(folder, name)));
  const there = places.filter((name) => hasPackages(join(root, name)));
  const tops = there.filter((name) => !there.some((other) => other !== name && within(other, name)));
  return new Map(tops.map((name) => [name, realpathSync(join(root, name))]));
}
