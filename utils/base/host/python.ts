/** Finds the Python interpreter: the real binary behind version managers' shims, its version and its folders. */

import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { UserError } from "../data/errors.ts";
import { jsonValue } from "../data/record.ts";

const run = promisify(execFile);

/**
 * Where an interpreter is asked something: with `-c` it imports from the current folder first, which may hold foreign
 * code.
 */
export const NOBODYS = "/";

const MINIMUM = [3, 9] as const;
/** On a busy machine a start takes twenty times as long. */
const PROBE_TIMEOUT_MS = 60_000;
const SYSTEM_PYTHONS = ["/usr/local/bin/python3", "/usr/bin/python3"];

/**
 * Runs without `site`, which would run start files of installed packages (`*.pth`: four times the processor time): only
 * what it says of an environment is asked for.
 */
const PROBE = `
import json, os, site, sys
site.addsitepackages = lambda known, prefixes=None: known
site.venv(set())
print(json.dumps({
    "executable": sys.executable,
    "version": list(sys.version_info[:3]),
    "packages": [path for path in site.getsitepackages() if os.path.isdir(path)],
    "prefixes": sorted({sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}),
    "machine": os.uname().machine,
    "release": os.uname().release,
}))
`;

import { findProgram, hostProgram } from "./host_programs.ts";
import { behindShim } from "./pyenv.ts";

const probeSchema = z.object({
  executable: z.string().min(1),
  version: z.array(z.number()).min(3),
  packages: z.array(z.string()),
  prefixes: z.array(z.string()),
  machine: z.string(),
  release: z.string(),
});

export interface Python {
  /** Absolute path of the interpreter itself. */
  executable: string;
  /** `3.11.7`. */
  version: string;
  /** Installation folders: the interpreter's, and those of the environment it belongs to. */
  prefixes: string[];
  /** Folders of installed packages. */
  packages: string[];
  /**
   * Where `executable` and its environment are files of a project: the interpreter behind it, which is none of these.
   */
  base?: Python;
  /** Told from its files: it may be a program of the project, and is started in boxes alone. */
  untried?: true;
  /** `x86_64`, `aarch64`, … */
  machine: string;
  /** The kernel's release. */
  release: string;
}

const found = new Map<string, Promise<Python>>();

/**
 * The interpreter that `name` (a command on PATH or a path; default `python3`) starts. Asked once per process.
 * Rejects with one sentence that says what to do where there is none, or one older than Python 3.9.
 */
export function findPython(name = "python3"): Promise<Python> {
  const known = found.get(name);
  if (known) return known;
  const asked = ask(name);
  found.set(name, asked);
  asked.catch(() => found.delete(name));
  return asked;
}

/**
 * An interpreter whose files every user may read: `preferred` if it is one, else one of the system's, else `preferred`.
 * For jobs that run as other users while our interpreter lies in a home folder.
 */
export async function findSharedPython(preferred: Python): Promise<Python> {
  if (lockedFolder(preferred) === undefined) return preferred;
  for (const path of SYSTEM_PYTHONS) {
    const python = await findPython(path).catch(() => undefined);
    if (python && lockedFolder(python) === undefined) return python;
  }
  return preferred;
}

/** The first of the interpreter's folders that other users cannot enter. */
export function lockedFolder(python: Python): string | undefined {
  return python.prefixes.find((prefix) => !othersMayEnter(prefix));
}

/** Whether any user may pass through a folder and all above it. */
export function othersMayEnter(folder: string): boolean {
  for (let path = folder; ; path = dirname(path)) {
    if ((statSync(path).mode & 0o001) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

/** @throws UserError if there is none outside of the projects that mend works on */
function onPathOrAbsolute(name: string): string {
  if (name.includes("/")) return resolve(name);
  const found = findProgram(name);
  if (found === undefined && name === "python3") throw new UserError(NO_PYTHON);
  return found ?? hostProgram(name);
}

const NO_PYTHON =
  "No working `python3` was found on the PATH, outside of the project's own folder; install Python 3.9 " +
  "or newer (https://www.python.org/downloads/).";

async function ask(name: string): Promise<Python> {
  const started = onPathOrAbsolute(name);
  const program = behindShim(started, NOBODYS) ?? started;
  let text: string;
  try {
    ({ stdout: text } = await run(program, ["-I", "-S", "-c", PROBE], { timeout: PROBE_TIMEOUT_MS, cwd: NOBODYS }));
  } catch (error) {
    // It may be a Python on a busy machine, or it was killed.
    if (error instanceof Error && "signal" in error && typeof error.signal === "string")
      throw new UserError(`\`${program}\` was ended by ${error.signal} before it said which Python it is: try again.`);
    throw new UserError(
      name === "python3"
        ? NO_PYTHON
        : `No working Python interpreter at \`${name}\`; give the path of Python 3.9 or newer.`,
    );
  }
  const probe = probeSchema.safeParse(jsonValue(text));
  if (!probe.success)
    throw new UserError(`\`${name}\` does not behave like Python; give the path of Python 3.9 or newer.`);
  const { version } = probe.data;
  const [major = 0, minor = 0] = version;
  if (major < MINIMUM[0] || (major === MINIMUM[0] && minor < MINIMUM[1])) {
    throw new UserError(`\`${name}\` is Python ${version.join(".")}; mend needs Python 3.9 or newer.`);
  }
  return { ...probe.data, version: version.join(".") };
}
