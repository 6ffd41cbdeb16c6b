/**
 * The Python that a project is run with: its virtual environment's, else the one on the PATH. An environment that lies in a
 * project came with it: a link to its interpreter is followed, and nothing of it is started outside of a box.
 */

import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { UserError } from "../data/errors.ts";
import { tryForeignText } from "../files/foreign_file.ts";
import { isFolder } from "../files/look.ts";
import { isOfSystem } from "../sandbox/bwrap.ts";
import { interpreterFolders } from "../sandbox/layers.ts";
import { findPython, findSharedPython, NOBODYS, type Python } from "../sandbox/python.ts";
import { type Project, within } from "./project.ts";

const run = promisify(execFile);

/** @throws UserError where there is no working Python, or one too old, or the project has one that is not an outer one's */
export async function projectPython(
  { root, folder, shared, python: named }: Project,
  env = process.env,
): Promise<Python> {
  const has = (at: string) => existsSync(join(at, "bin", "python"));
  const places = [folder, root].flatMap((at) => [join(at, ".venv"), join(at, "venv")]);
  const started = named ?? (env.VIRTUAL_ENV && has(env.VIRTUAL_ENV) ? inEnvironment(env.VIRTUAL_ENV) : undefined);
  const environment = started === undefined ? places.find(has) : undefined;
  const python = environment === undefined ? await findPython(started) : await environmentPython(environment, root);
  return shared ? findSharedPython(python) : python;
}

const inEnvironment = (environment: string): string => join(environment, "bin", "python");

/** The Python of an environment of the project `root`, told without starting anything of it. */
async function environmentPython(environment: string, root: string): Promise<Python> {
  const executable = inEnvironment(environment);
  const real = realpathSync(executable);
  if (within(realpathSync(root), real) || !/^(?:python|pypy)[\d.]*t?$/.test(basename(real)))
    throw new UserError(
      `${executable} is a program of the project itself, which mend does not start outside of its sandbox: activate that environment if you trust it, or make it with links to your Python (\`python3 -m venv\`).`,
    );
  const base = await findPython(real);
  const settings = tryForeignText(environment, "pyvenv.cfg").text;
  if (settings === null) return base;
  const [major, minor] = base.version.split(".");
  const own = ["lib", "lib64"].map((lib) => join(environment, lib, `python${major}.${minor}`, "site-packages"));
  const withSystem = /^include-system-site-packages\s*=\s*true\s*$/im.test(settings);
  return {
    ...base,
    executable,
    prefixes: [...new Set([environment, ...base.prefixes])].sort(),
    packages: [...own.filter(isFolder), ...(withSystem ? base.packages : [])],
    base,
  };
}

const known = new Map<string, Promise<boolean>>();

/** Whether the interpreter can import a package. Asked once per process. */
export function hasPackage({ executable, packages, base }: Python, name: string): Promise<boolean> {
  const key = `${executable} ${name}`;
  const asked =
    known.get(key) ??
    (base
      ? Promise.resolve(
          packages.some((folder) => [name, `${name}.py`].some((entry) => existsSync(join(folder, entry)))),
        )
      : canImport(executable, name));
  known.set(key, asked);
  return asked;
}

const FIND = "import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)";

const canImport = (executable: string, name: string): Promise<boolean> =>
  run(executable, ["-c", FIND, name], { cwd: NOBODYS }).then(
    () => true,
    () => false,
  );

/** What a run must be able to read of an interpreter. A link of a project's environment shows nothing beside the interpreter. */
export function pythonFolders(python: Python): string[] {
  const folders = [...interpreterFolders(python), dirname(python.executable)];
  const { base } = python;
  if (!base) return folders;
  const environment = realpathSync(dirname(dirname(python.executable)));
  const shown = [environment, ...base.prefixes, ...base.packages];
  return folders.filter((path) => {
    const real = realpathSync(path);
    return isOfSystem(real) || shown.some((folder) => within(folder, real));
  });
}
