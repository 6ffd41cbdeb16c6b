/** The folders of packages that mend has installed, by name: those above them may hold mend itself. */

import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { readJsonFile } from "../data/record.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

const Names = z.record(z.string(), z.string()).catch({}).default({});
const Manifest = z.object({
  dependencies: Names,
  optionalDependencies: Names,
  peerDependencies: Names,
  peerDependenciesMeta: z
    .record(z.string(), z.object({ optional: z.boolean().optional() }))
    .catch({})
    .default({}),
  /** Folders with packages of their own, which npm installs on request. */
  workspaces: z.array(z.string()).catch([]).default([]),
});

/**
 * The folder in which Node finds a package for what lies in `from` (default: mend); undefined where it is not
 * installed.
 */
export const placeOf = (name: string, from = ROOT): string | undefined =>
  createRequire(join(from, "package.json"))
    .resolve.paths("any")
    ?.find((place) => existsSync(join(place, name)));

/**
 * What is to be shown so that the packages load: their folders and those of all they depend on. Where packages are
 * links into a store, as pnpm has them, also the folders that hold these links. Those not installed are left out.
 */
export function ownPackageFolders(names: readonly string[]): string[] {
  const folders = new Set<string>();
  const visited = new Set<string>();
  const visit = (name: string, from: string) => {
    const place = placeOf(name, from);
    if (place === undefined) return;
    const folder = join(place, name);
    const real = realpathSync(folder);
    for (const path of real === folder ? [folder] : [place, placeAbove(real)]) folders.add(path);
    if (visited.has(real)) return;
    visited.add(real);
    const manifest = readJsonFile(join(real, "package.json"), Manifest);
    for (const needed of Object.keys({
      ...manifest?.dependencies,
      ...manifest?.optionalDependencies,
      ...manifest?.peerDependencies,
    }))
      visit(needed, real);
  };
  for (const name of names) visit(name, ROOT);
  return [...folders];
}

/**
 * What `package.json` says that mend depends on; `lacking`: those of its peers and workspaces that a user may not have.
 */
export function ownDependencies(): { needed: string[]; optional: string[]; lacking: string[] } {
  const manifestIn = (folder: string) => Manifest.parse(readJsonFile(join(folder, "package.json"), Manifest) ?? {});
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta, workspaces } = manifestIn(ROOT);
  const isOptional = (name: string) => peerDependenciesMeta[name]?.optional === true;
  const peers = Object.keys(peerDependencies);
  const ofWorkspaces = workspaces.flatMap((folder) => Object.keys(manifestIn(join(ROOT, folder)).dependencies));
  const lacking = [...peers.filter(isOptional), ...ofWorkspaces];
  return {
    needed: [...Object.keys(dependencies), ...peers.filter((name) => !isOptional(name))],
    optional: [...Object.keys(optionalDependencies), ...lacking],
    lacking,
  };
}

/** What a user types to install packages where this mend finds them; in quotes, and where that is to be typed. */
export function installCommand(names: readonly string[]): string {
  const above = dirname(ROOT);
  // A global install has no project around it.
  const isGlobal = basename(above) === "node_modules" && !existsSync(join(dirname(above), "package.json"));
  return isGlobal
    ? `\`npm install --global ${names.join(" ")}\``
    : `\`npm install ${names.join(" ")}\` where mend is installed`;
}

/** The `node_modules` in which a package lies. */
const placeAbove = (folder: string): string =>
  basename(dirname(folder)).startsWith("@") ? dirname(dirname(folder)) : dirname(folder);
