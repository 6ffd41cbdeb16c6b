/**
 * The Python that a project is run with: its virtual environment's, else the one on the PATH. An environment that lies
 * in a project is untrusted, and so are the targets of its links: mend only reads its files, and starts it in boxes.
 */

import { execFile } from "node:child_process";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { machine, release } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { messageOf, UserError } from "../base/data/errors.ts";
import { tryForeignText } from "../base/files/foreign_file.ts";
import { isFolder } from "../base/files/stat.ts";
import { isInstalled, isOfProject } from "../base/host/host_programs.ts";
import { isPrivateEnough, within } from "../base/host/project_root.ts";
import { findPython, findSharedPython, NOBODYS, type Python } from "../base/host/python.ts";
import { isOfSystem } from "../sandbox/bwrap.ts";
import { interpreterFolders } from "../sandbox/layers.ts";
import type { Project } from "./project.ts";

const run = promisify(execFile);

/**
 * @throws UserError where there is no working Python, or one too old, or the project has one that its files do not tell
 * of
 */
export async function projectPython(
  { root, folder, shared, python: named }: Project,
  env = process.env,
): Promise<Python> {
  const places = [folder, root].flatMap((at) => [join(at, ".venv"), join(at, "venv")]);
  const { VIRTUAL_ENV: activated } = env;
  const chosen = named ?? (activated && hasPython(activated) ? inEnvironment(activated) : undefined);
  const found = chosen === undefined ? places.find(hasPython) : undefined;
  const inside = chosen === undefined ? found && inEnvironment(found) : pathInProject(chosen, root);
  const python = inside === undefined ? await findPython(chosen) : await environmentPython(inside, root);
  return shared ? findSharedPython(python) : python;
}

/** The path of an interpreter that a project has; undefined for others and for names of programs. */
function pathInProject(name: string, root: string): string | undefined {
  const path = resolve(name);
  return name.includes("/") && (within(root, path) || isOfProject(path)) ? path : undefined;
}

const inEnvironment = (environment: string): string => join(environment, "bin", "python");
const hasPython = (environment: string): boolean => existsSync(inEnvironment(environment));

/**
 * The interpreter that mend itself may start to read the project's code: as new as the project's where that is
 * installed here.
 */
export async function startedPython(project: Project): Promise<Python> {
  const python = await projectPython(project);
  const own = python.base ?? python;
  return own.untried ? await findPython() : own;
}

/** A Python of an environment of the project `root`, told without starting anything of it. */
async function environmentPython(executable: string, root: string): Promise<Python> {
  const environment = dirname(dirname(executable));
  if (!existsSync(executable)) throw new UserError(`${executable} is not there; give the path of Python 3.9 or newer.`);
  const real = realpathSync(executable);
  const settings = settingsOf(environment);
  const base =
    isInstalled(real) && !within(realpathSync(root), real)
      ? await findPython(real)
      : toldByFiles(executable, real, settings);
  if (settings === "") return base.untried ? { ...base, executable } : base;
  const own = librariesOf(environment, base.version);
  const withSystem = /^include-system-site-packages\s*=\s*true\s*$/im.test(settings);
  return {
    ...base,
    executable,
    prefixes: [...new Set([environment, ...base.prefixes])].sort(),
    packages: [...own, ...(withSystem ? base.packages : [])],
    base,
  };
}

/** Text of an environment's settings; empty if it is not an environment. */
function settingsOf(environment: string): string {
  return tryForeignText(environment, "pyvenv.cfg").text ?? "";
}

/** Describes an untrusted interpreter from its folders and the settings of its environment, without starting it. */
function toldByFiles(executable: string, real: string, settings: string): Python {
  const prefix = dirname(dirname(real));
  const version = versionOf(real, prefix, settings);
  if (version === null || basename(dirname(real)) !== "bin" || !isPrivateEnough(prefix))
    throw new UserError(
      `${executable} may be a program of the project itself, which mend does not start outside of its ` +
        "sandbox, and its files do not tell which Python it is: make that environment with links to your " +
        "Python (`python3 -m venv`), or name another Python.",
    );
  const packages = librariesOf(prefix, version);
  return {
    executable: real,
    version,
    prefixes: [prefix],
    packages,
    untried: true,
    machine: machine(),
    release: release(),
  };
}

function versionOf(real: string, prefix: string, settings: string): string | null {
  const [, told] = /^version(?:_info)?\s*=\s*(\d+\.\d+(?:\.\d+)?)/im.exec(settings) ?? [];
  const [, named] = /^(?:python|pypy)(\d+\.\d+)t?$/.exec(basename(real)) ?? [];
  if (!/^(?:python|pypy)[\d.]*t?$/.test(basename(real))) return null;
  const folders = isFolder(join(prefix, "lib")) ? readdirSync(join(prefix, "lib")) : [];
  const versions = folders.flatMap((name) => /^(?:python|pypy)(\d+\.\d+)t?$/.exec(name)?.[1] ?? []);
  return told ?? named ?? (versions.length === 1 ? (versions[0] ?? null) : null);
}

/** Folders of packages below a prefix. */
function librariesOf(prefix: string, version: string): string[] {
  const [major, minor] = version.split(".");
  return ["lib", "lib64"].map((lib) => join(prefix, lib, `python${major}.${minor}`, "site-packages")).filter(isFolder);
}

const known = new Map<string, Promise<boolean>>();

/** Whether the interpreter can import a package. Asked once per process. @throws UserError where it does not answer */
export function hasPackage({ executable, packages, base, untried }: Python, name: string): Promise<boolean> {
  const key = `${executable} ${name}`;
  const asked =
    known.get(key) ??
    (base || untried
      ? Promise.resolve(
          packages.some((folder) => [name, `${name}.py`].some((entry) => existsSync(join(folder, entry)))),
        )
      : canImport(executable, name));
  known.set(key, asked);
  return asked;
}

const FIND = "import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)";

const canImport = (executable: string, name: string): Promise<boolean> =>
  run(executable, ["-I", "-c", FIND, name], { cwd: NOBODYS }).then(
    () => true,
    (error: Error & { code?: unknown }) => {
      if (error.code === 1) return false;
      throw new UserError(`${executable} did not tell whether it has ${name}: ${messageOf(error)}`);
    },
  );

/**
 * What a run must be able to read of an interpreter. A link of a project's environment shows nothing beside the
 * interpreter.
 */
export function pythonFolders(python: Python): string[] {
  const folders = [...interpreterFolders(python), dirname(python.executable)];
  const base = python.base ?? (python.untried ? python : undefined);
  if (!base) return folders;
  const environment = realpathSync(dirname(dirname(python.executable)));
  const shown = [environment, ...base.prefixes, ...base.packages];
  return folders.filter((path) => {
    const real = realpathSync(path);
    return isOfSystem(real) || shown.some((folder) => within(folder, real));
  });
}
