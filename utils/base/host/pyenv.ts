/** What a shim of pyenv starts, told from pyenv's files: the shim itself asks twenty shell scripts, at each start. */

import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isProgram } from "./host_programs.ts";

const MOST_BYTES = 4096;
/** Lines of the script that `pyenv rehash` writes (libexec/pyenv-rehash of pyenv 2). */
const ROOT = /^export PYENV_ROOT="([^"$`\\]+)"$/m;
const STARTS = /^exec "[^"]+\/pyenv" exec "\$program" "\$@"$/m;
/** One version by its whole name. Of several, and of a prefix of one, pyenv itself chooses. */
const VERSION = /^([\w+-][\w.+-]*)\s*$/;
/** What else decides about the version. */
const DECIDING = ["PYENV_VERSION", "PYENV_DIR", "PYENV_HOOK_PATH"];

/**
 * The program that a shim starts in the folder `where`, which is no project's; undefined where the file is none, or
 * where more than the version that is set for all folders decides: then it is to be started as it is.
 */
export function behindShim(
  shim: string,
  where: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  const text = beginningOf(shim);
  const root = STARTS.test(text) ? ROOT.exec(text)?.[1] : undefined;
  if (root === undefined || dirname(shim) !== join(root, "shims")) return undefined;
  if (DECIDING.some((name) => environment[name]) || existsSync(join(where, ".python-version"))) return undefined;
  const version = VERSION.exec(beginningOf(join(root, "version")))?.[1];
  if (version === undefined || version === "system") return undefined;
  const program = join(root, "versions", version, "bin", basename(shim));
  return isProgram(program) ? program : undefined;
}

/** The first bytes of a file, as an interpreter may be large; nothing of one that cannot be read. */
function beginningOf(path: string): string {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const buffer = Buffer.alloc(MOST_BYTES);
    return buffer.toString("latin1", 0, readSync(file, buffer));
  } catch {
    return "";
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
