/**
 * Which programs mend starts outside of a box: those on the PATH that lie outside of every folder that came with a
 * project. A folder that the PATH names may be part of a download, as `.`, `node_modules/.bin` and an environment in it
 * are.
 */

import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join, sep } from "node:path";
import { UserError } from "../data/errors.ts";

const projects = new Set<string>();

/**
 * From now on no program below a folder is started outside of a box. Commands say it of the project in which they are
 * started,
 * `findProject` and `repositoryProject` of those that they find.
 */
export function startNothingOf(folder: string): void {
  projects.add(realOf(folder));
}

/** Whether a path, as it is written or where its links lead, lies in such a folder. */
export function isOfProject(path: string): boolean {
  const names = [path, realOf(dirname(path)), realOf(path)];
  return names.some((name) => [...projects].some((folder) => isIn(folder, name)));
}

const HOME = homedir();
/** Where systems and managers of versions put interpreters, and no download lies. */
const INSTALLED = [
  ...["/usr", "/bin", "/opt/homebrew", "/nix/store", "/snap", "/Library/Frameworks"],
  ...[".pyenv/versions", ".local/share/uv/python", ".asdf/installs", ".local/share/mise/installs"].map((name) =>
    join(HOME, name),
  ),
  ...["miniconda3", "anaconda3", "miniforge3", "mambaforge"].map((name) => join(HOME, name)),
];

/** Whether a program, all links followed, is one that was installed on this machine. */
export const isInstalled = (real: string): boolean =>
  INSTALLED.some((folder) => isIn(folder, real)) && !isOfProject(real);

/** The PATH for programs that programs of ours start. */
export const hostPath = (): string =>
  foldersOf()
    .filter((folder) => !isOfProject(join(folder, "program")))
    .join(delimiter);

const isIn = (folder: string, path: string): boolean => path === folder || path.startsWith(folder + sep);

const known = new Map<string, string>();

/**
 * Absolute path of a program; undefined where none is installed. A link in a project's environment counts as what it
 * leads to where that is installed: it may be the only way to a Python.
 */
export function findProgram(name: string): string | undefined {
  const key = [name, process.env.PATH, projects.size].join("\n");
  const before = known.get(key);
  if (before !== undefined && isProgram(before)) return before;
  const all = foldersOf()
    .map((folder) => join(folder, name))
    .filter(isProgram);
  const found = all.find((path) => !isOfProject(path)) ?? all.map(realOf).find(isInstalled);
  if (found !== undefined) known.set(key, found);
  return found;
}

/** All programs of a name on the PATH that lie outside of projects, in the order in which a shell looks for them. */
export const programsNamed = (name: string): string[] =>
  foldersOf()
    .map((folder) => join(folder, name))
    .filter((path) => isProgram(path) && !isOfProject(path));

/** A program that a variable of the user's environment names, by its path or by its name on the PATH. */
export function programOf(variable: string): string | undefined {
  const named = process.env[variable]?.trim();
  if (!named) return undefined;
  if (!named.includes("/")) return findProgram(named);
  return isAbsolute(named) && isProgram(named) && !isOfProject(named) ? named : undefined;
}

/** @throws UserError where it is not installed */
export function hostProgram(name: string): string {
  const found = findProgram(name);
  if (found !== undefined) return found;
  const passed = (process.env.PATH ?? "").split(delimiter).find((folder) => isProgram(join(folder || ".", name)));
  throw new UserError(
    passed === undefined
      ? `\`${name}\` was not found on the PATH; mend needs it.`
      : `\`${name}\` was found on the PATH only in ${passed || "."}, which came with a project, and mend ` +
          "starts nothing of it: install it elsewhere.",
  );
}

/** A relative one would mean another folder for each program that is started elsewhere. */
const foldersOf = (): string[] => [...new Set((process.env.PATH ?? "").split(delimiter))].filter(isAbsolute);

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
