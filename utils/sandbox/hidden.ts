/**
 * What no box shows, even inside a folder that it shows: mend itself, which holds hidden tests, and what a command
 * hides. A mount that names something inside is still shown.
 */

import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { UserError } from "../base/data/errors.ts";

const ROOT = realpathSync(fileURLToPath(new URL("../../", import.meta.url)));
const PACKAGE = "mend";
/** In a folder of mend: the tests that score answers. */
const TESTS = "eval/benchmark/builtin";

const kept = new Set<string>();
/** What the open fork servers show. */
const openServers = new Set<readonly string[]>();

/**
 * From now on no box shows the file or folder, such as hidden tests or runs. It need not exist yet.
 * @throws UserError if an open sandbox already shows it
 */
export function keepFromBoxes(path: string): void {
  const real = realPath(resolve(path));
  kept.add(real);
  refuseShown(real, [...openServers].flat());
}

/**
 * What a fork server that shows these folders must hide, from all its jobs and as long as it lives.
 * @throws UserError if something to hide does not exist yet: nothing can lie over it
 */
export function hiddenFromServer(folders: readonly string[]): string[] {
  for (const path of kept) if (!existsSync(path)) refuseShown(path, folders);
  return folders.flatMap(hiddenIn);
}

/** Registers the folders that a fork server shows. @returns what to call when it has ended */
export function serverOpened(folders: readonly string[]): () => void {
  const shown = [...folders];
  openServers.add(shown);
  return () => openServers.delete(shown);
}

function refuseShown(path: string, folders: readonly string[]): void {
  const folder = folders.find((one) => isBelow(realPath(one), path));
  if (folder !== undefined)
    throw new UserError(`${path} is in ${folder}, which programs in the sandbox are shown: put it somewhere else.`);
}

/** What a box that shows `folder` must hide in it: real paths of files and folders, none inside another. */
export function hiddenIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const real = realpathSync.native(folder);
  const all = [ROOT, join(ROOT, TESTS), ...kept, ...copiesIn(real)].filter((path) => isBelow(real, path));
  return [...new Set(all)].filter((path) => existsSync(path) && !all.some((other) => isBelow(other, path)));
}

/** The hidden paths of a box that shows `outside` as `inside`. */
export const hiddenAt = (outside: string, inside: string): { path: string; isFolder: boolean }[] =>
  hiddenIn(outside).map((path) => ({
    path: join(inside, relative(realpathSync(outside), path)),
    isFolder: statSync(path).isDirectory(),
  }));

/** True for mend, everything in it, and what is hidden from boxes: a mount of a folder above does not show it. */
export const isHidden = (path: string): boolean => {
  const real = realPath(path);
  return [ROOT, ...kept].some((hidden) => real === hidden || isBelow(hidden, real));
};

/** Other copies of mend where package managers install them: they hold the same tests. */
function copiesIn(folder: string): string[] {
  const modules = basename(folder) === "node_modules" ? folder : join(folder, "node_modules");
  const store = join(modules, ".pnpm");
  const inStore = existsSync(store)
    ? readdirSync(store).flatMap((name) => (name.startsWith(`${PACKAGE}@`) ? join(store, name, "node_modules") : []))
    : [];
  return [modules, ...inStore]
    .map((place) => join(place, PACKAGE))
    .filter((path) => existsSync(join(path, TESTS)))
    .map((path) => realpathSync(path));
}

const isBelow = (folder: string, path: string): boolean => path.startsWith(folder === sep ? sep : folder + sep);

/** Without links, as far as it exists. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(realPath(parent), basename(path));
}
