/**
 * Python's bytecode of the sandbox's own modules, kept beside them as Python itself keeps it: servers and boxes are
 * started with
 * `-B` and in places where they may not write, so that each start would compile all of them anew.
 */

import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Python } from "../base/host/python.ts";
import { PYTHON_FOLDER } from "./bwrap.ts";

const CACHE = "__pycache__";
const done = new Set<string>();

/**
 * Where the folder is ours, and there is none by this interpreter that is newer than the sources. Python compares each
 * file with its source when it is read, so that one that is out of date does no harm; what cannot be written is done
 * without.
 */
export function keepBytecode({
  executable,
  version,
  untried,
}: Pick<Python, "executable" | "version" | "untried">): void {
  if (untried || done.has(executable)) return;
  done.add(executable);
  const made = join(PYTHON_FOLDER, CACHE, `made-by-${version}`);
  try {
    // As root we would leave files in another's folder that its owner cannot remove.
    if (statSync(PYTHON_FOLDER).uid !== process.getuid?.()) return;
    const at = statSync(made, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (sources().every((file) => statSync(file).mtimeMs < at)) return;
    // `-S -I`: nothing of the user's runs.
    spawnSync(executable, ["-S", "-I", "-m", "compileall", "-q", PYTHON_FOLDER], { stdio: "ignore", timeout: 60_000 });
    mkdirSync(join(PYTHON_FOLDER, CACHE), { recursive: true });
    writeFileSync(made, "");
  } catch {
    // A folder that only others may write.
  }
}

const sources = (): string[] =>
  readdirSync(PYTHON_FOLDER, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".py"))
    .map((file) => join(PYTHON_FOLDER, file));
