/** The user's project around a file: which folder a run may see, where commands run, which interpreter. */

import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { z } from "zod";
import { UserError } from "../base/data/errors.ts";
import { readForeignJson } from "../base/files/foreign_file.ts";
import { isFolder } from "../base/files/stat.ts";
import { startNothingOf } from "../base/host/host_programs.ts";
import { ancestors, commandFolder, isPrivateEnough, projectRoot, within } from "../base/host/project_root.ts";
import { MODULES } from "../languages/source_files.ts";
import type { CommandBox } from "../sandbox/command/command_box.ts";
import type { BoxLayer } from "../sandbox/types.ts";

export interface Project {
  /**
   * What a run may read: the git work tree, else the outermost folder that looks like a project, else the files' own.
   */
  root: string;
  /** The innermost folder that looks like a project of the tests: commands run here. */
  folder: string;
  /** Absolute path of the file to repair, links resolved. */
  target: string;
  /** True where commands run as a user who may read no more than everybody: not what lies in root's home. */
  shared: boolean;
  /** The Python that runs it. Default: its virtual environment's, else the one on the PATH. */
  python?: string | undefined;
  /** Where its modules were fetched to; absent: they are where the user's own programs put them. */
  modules?: string | undefined;
  /** Where its commands have it, in a container that has the programs for them; absent: they have those of here. */
  inside?: string | undefined;
}

/** Outside of bubblewrap root's commands run as another user, see `shared`. */
export const runsAsOther = (layer: BoxLayer): boolean => !isMounted(layer) && process.getuid?.() === 0;

/** Whether what a command is given is shown where it asks for it. */
export const isMounted = (layer: BoxLayer): boolean => layer === "bwrap" || layer === "container";

/**
 * The project that a file and its tests belong to.
 * @param files absolute paths of existing files, the target first
 * @throws UserError where they lie in no common folder that may be shown to a program
 */
export function findProject(files: readonly [target: string, ...others: string[]]): Project {
  const [target, ...others] = files.map((file) => realpathSync(file)) as [string, ...string[]];
  const common = others.reduce((folder, file) => commonFolder(folder, dirname(file)), dirname(target));
  const above = ancestors(common).filter(isPrivateEnough);
  if (!above.includes(common)) {
    throw new UserError(
      `${target} and its tests have only ${common} in common, and mend does not show a whole home or ` +
        "system folder to a program: put them into a folder of their own.",
    );
  }
  const root = projectRoot(common);
  startNothingOf(root);
  return { root, folder: commandFolder(dirname(others[0] ?? target), root) ?? root, target, shared: false };
}

/**
 * A repository whose own test command is run.
 * @throws UserError where it is not a folder
 */
export function repositoryProject(
  path: string,
  { layer, inside }: Pick<CommandBox, "layer" | "inside">,
  python?: string,
): Project {
  if (!isFolder(path)) throw new UserError(`${path} is not a folder.`);
  const folder = realpathSync(path);
  const root = ancestors(folder).find((at) => existsSync(join(at, ".git"))) ?? folder;
  startNothingOf(root);
  const modules = hasPackages(join(root, MODULES)) ? realpathSync(join(root, MODULES)) : undefined;
  const shared = runsAsOther(layer);
  return { root, folder, target: join(folder, "."), shared, python, modules, inside: inside?.root };
}

function commonFolder(a: string, b: string): string {
  return ancestors(a).find((folder) => within(folder, b)) ?? "/";
}

/** As a person in the project's folder would write it. */
export const shown = ({ folder }: Project, path: string): string => relative(folder, path) || ".";

/** A file named from where commands run, named from the root. */
export const fromRoot = ({ root, folder }: Project, file: string): string => relative(root, resolve(folder, file));

/** A file named from the root, named from where commands run. */
export const fromFolder = ({ root, folder }: Project, file: string): string => relative(folder, resolve(root, file));

/**
 * Whether installed packages are there. A link may lead to where they are kept, and to no other folder of this machine:
 * a project may be anybody's, and what it runs sees its packages.
 * @throws UserError where it leads elsewhere
 */
export function hasPackages(path: string): boolean {
  if (!isFolder(path)) return false;
  const real = realpathSync(path);
  const marks = ["pyvenv.cfg", "conda-meta"].map((mark) => join(real, mark));
  if (
    within(realpathSync(dirname(path)), real) ||
    ["node_modules", MODULES].includes(basename(real)) ||
    marks.some((mark) => existsSync(mark))
  )
    return true;
  throw new UserError(
    `${path} leads to ${real}, which does not look like installed packages: mend does not show it to the ` +
      "programs of a project.",
  );
}

/** The folders of installed Node packages that code in `folder` can import from, those above it too. */
export const nodeModules = (folder: string): string[] =>
  ancestors(folder)
    .map((above) => join(above, "node_modules"))
    .filter(hasPackages);

const PackageJson = z.looseObject({
  type: z.string().optional(),
  version: z.string().optional(),
  bin: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
  scripts: z.record(z.string(), z.string()).catch({}).default({}),
  dependencies: z.record(z.string(), z.string()).catch({}).default({}),
  devDependencies: z.record(z.string(), z.string()).catch({}).default({}),
});
type PackageJson = z.infer<typeof PackageJson>;

/**
 * The nearest `package.json` at or above a folder; null if there is none or it is no JSON. @throws UserError as
 * `readForeignJson`
 */
export function packageJson(folder: string): PackageJson | null {
  const place = ancestors(folder).find((above) => existsSync(join(above, "package.json")));
  return place ? readForeignJson(projectRoot(place), join(place, "package.json"), PackageJson) : null;
}

/** The folder of an installed package; undefined where it is not installed. */
const packageFolder = (folder: string, name: string): string | undefined =>
  nodeModules(folder)
    .map((path) => join(path, name))
    .find((path) => existsSync(join(path, "package.json")));

/** Of an installed package; null where it is not installed or does not say. */
export function packageVersion(folder: string, name: string): string | null {
  const place = packageFolder(folder, name);
  return (place && readForeignJson(place, "package.json", PackageJson)?.version) ?? null;
}

/** Absolute path of the program that an installed package starts; null where the package is not installed. */
export function packageProgram(folder: string, name: string): string | null {
  const place = packageFolder(folder, name);
  const bin = place ? readForeignJson(place, "package.json", PackageJson)?.bin : undefined;
  const file = typeof bin === "string" ? bin : bin?.[name];
  return place && file ? join(place, file) : null;
}

/** Absolute path of a file of a package that mend itself has. */
export const ownPackageFile = (specifier: string): string => createRequire(import.meta.url).resolve(specifier);
