/** Folders of this machine: where a project begins, and which ones no program under test may see as a whole. */

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, sep } from "node:path";

const MARKS = [
  "pyproject.toml",
  "setup.py",
  "setup.cfg",
  "pytest.ini",
  "tox.ini",
  "package.json",
  "pnpm-workspace.yaml",
  "deno.json",
  "go.mod",
  "Cargo.toml",
  "pom.xml",
  "settings.gradle",
  "settings.gradle.kts",
  "build.gradle",
  "build.gradle.kts",
];
/** Folders inside a project have these, too: the outermost is its own. */
const OUTER_MARKS = ["CMakeLists.txt"];

/** Whether a folder holds what tools put into the root of a project. */
const looksLikeProject = (folder: string): boolean => holdsOne(folder, MARKS);

const holdsOne = (folder: string, names: readonly string[]) => names.some((name) => existsSync(join(folder, name)));

/** The folder, from `folder` up to `root`, in which a project's own commands are started; null where none looks so. */
export function commandFolder(folder: string, root: string): string | null {
  const inside = ancestors(folder).filter((path) => within(root, path));
  return inside.find(looksLikeProject) ?? inside.findLast((path) => holdsOne(path, OUTER_MARKS)) ?? null;
}

/**
 * The root of the project that files in a folder belong to; the folder itself where nothing above it looks like one.
 */
export function projectRoot(folder: string): string {
  const above = ancestors(folder).filter(isPrivateEnough);
  const git = above.find((path) => existsSync(join(path, ".git")));
  return git ?? above.findLast((path) => looksLikeProject(path) || holdsOne(path, OUTER_MARKS)) ?? folder;
}

/**
 * The root of the project that a folder lies in, or the folder itself; null for folders of the system, which belong to
 * no project, and for a home folder as a whole.
 */
export const projectAround = (folder: string): string | null =>
  isPrivateEnough(folder) && !SYSTEM.some((one) => within(one, folder)) ? projectRoot(folder) : null;

const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/etc", "/nix", "/snap"];

/** A program under test may see the project, and never a home folder or a folder of the system as a whole. */
export const isPrivateEnough = (folder: string): boolean =>
  folder.split(sep).length > 2 && folder !== homedir() && dirname(folder) !== "/home" && !within(folder, homedir());

/** `folder` and those above it, innermost first, without the root of the file system. */
export function ancestors(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [] : [folder, ...ancestors(parent)];
}

/** Whether `path` is `folder` or lies in it. */
export const within = (folder: string, path: string): boolean => path === folder || path.startsWith(folder + sep);
