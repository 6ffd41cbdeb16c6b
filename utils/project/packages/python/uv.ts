/** uv as it is installed on this machine, and the Pythons that it finds here. */

import { execFile } from "node:child_process";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { messageOf, UserError } from "../../../base/data/errors.ts";
import { readJson } from "../../../base/data/record.ts";
import { findProgram, hostPath, isOfProject } from "../../../base/host/host_programs.ts";
import { behindShim } from "../../../base/host/pyenv.ts";
import { NOBODYS } from "../../../base/host/python.ts";

const run = promisify(execFile);

/** @throws UserError where it is not installed */
export function uvProgram(): string {
  const real = (name: string) => {
    const found = findProgram(name);
    return found === undefined ? "" : (behindShim(found, NOBODYS) ?? found);
  };
  // pip puts it beside its Python, which may not be on the PATH.
  const places = [dirname(real("python3")), ...[".local/bin", ".cargo/bin"].map((name) => join(homedir(), name))];
  const found = [real("uv"), ...places.map((place) => join(place, "uv"))].find(
    (path) => existsSync(path) && !isOfProject(path),
  );
  if (found !== undefined) return realpathSync(found);
  throw new UserError("packages of Python are installed by `uv`, which is not here: `pip install uv`");
}

const Pythons = z.array(z.object({ version: z.string(), path: z.string(), implementation: z.string() }));

/** Paths of the interpreters of this machine by their minor version, such as `3.9`. */
export type Pythons = ReadonlyMap<string, string>;

let found: Promise<Pythons> | undefined;

/** Asked once per process. pyenv's versions count, too, whichever of them is active. @throws UserError */
export function installedPythons(): Promise<Pythons> {
  found ??= askForPythons();
  found.catch(() => {
    found = undefined;
  });
  return found;
}

async function askForPythons(): Promise<Pythons> {
  const versions = join(process.env.PYENV_ROOT || join(homedir(), ".pyenv"), "versions");
  const ofPyenv = existsSync(versions) ? readdirSync(versions).map((name) => join(versions, name, "bin")) : [];
  const env = { ...process.env, PATH: [hostPath(), ...ofPyenv].join(delimiter) };
  const words = ["python", "list", "--only-installed", "--no-python-downloads", "--no-config"];
  const { stdout } = await started([...words, "--output-format", "json"], env);
  const all = (readJson(stdout, Pythons) ?? []).filter(({ implementation }) => implementation === "cpython");
  // A shim starts whatever version is active when it is started.
  const real = all.filter(({ path }) => !path.includes("/shims/") && !isOfProject(path));
  const minor = (version: string) => version.split(".").slice(0, 2).join(".");
  return new Map(real.toReversed().map(({ version, path }) => [minor(version), path]));
}

/** The index that uv asks by default, as its help says; undefined where the help does not say it. */
export async function usualIndex(): Promise<string | undefined> {
  const { stdout } = await started(["pip", "install", "--help"], process.env);
  return /by\s+default:\s+<(https?:[^>\s]+)>/.exec(stdout)?.[1];
}

async function started(words: readonly string[], env: NodeJS.ProcessEnv): Promise<{ stdout: string }> {
  try {
    return await run(uvProgram(), words, { cwd: NOBODYS, env, maxBuffer: 16 * 1024 * 1024 });
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`\`uv ${words.slice(0, 2).join(" ")}\` failed: ${messageOf(error).split("\n")[0]}`);
  }
}
