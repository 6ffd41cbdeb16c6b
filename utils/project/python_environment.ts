/** The Python that a project is run with: its virtual environment's, else the one on the PATH. */

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { interpreterFolders } from "../sandbox/layers.ts";
import { findPython, findSharedPython, type Python } from "../sandbox/python.ts";
import type { Project } from "./project.ts";

const run = promisify(execFile);

/** @throws UserError where there is no working Python, or one too old */
export async function projectPython(
  { root, folder, shared, python: named }: Project,
  env = process.env,
): Promise<Python> {
  const places = [folder, root].flatMap((at) => [join(at, ".venv"), join(at, "venv")]);
  const environment = [env.VIRTUAL_ENV, ...places].find((at) => at && existsSync(join(at, "bin", "python")));
  const python = await findPython(named ?? (environment ? join(environment, "bin", "python") : undefined));
  return shared ? findSharedPython(python) : python;
}

const known = new Map<string, Promise<boolean>>();

/** Whether the interpreter can import a package. Asked once per process. */
export function hasPackage({ executable }: Python, name: string): Promise<boolean> {
  const key = `${executable} ${name}`;
  const asked =
    known.get(key) ??
    run(executable, ["-c", "import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)", name])
      .then(() => true)
      .catch(() => false);
  known.set(key, asked);
  return asked;
}

/** What a run must be able to read of an interpreter. */
export const pythonFolders = (python: Python): string[] => [...interpreterFolders(python), dirname(python.executable)];
