/**
 * Makes a virtual environment with uv, in a box that reaches the user's index of packages and nothing else. Programs
 * that build a package run there and nowhere else.
 */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { UserError } from "../../../base/data/errors.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "../../../base/files/temporary.ts";
import { copyWritable, writeOwnFile } from "../../../base/files/trees/copy_tree.ts";
import { findPython } from "../../../base/host/python.ts";
import { isOfSystem } from "../../../sandbox/bwrap.ts";
import type { CommandBox } from "../../../sandbox/command/command_box.ts";
import type { CommandMount } from "../../../sandbox/command/command_mounts.ts";
import { LIMITS, takeBack } from "../install.ts";
import { SOCKET } from "../proxy.ts";
import { openIndexProxy, PAGES } from "./index_proxy.ts";
import { indexSettings } from "./index_settings.ts";
import { usualIndex, uvProgram } from "./uv.ts";

/** What an environment is to have. */
export interface PythonPackages {
  /** Path of an interpreter of this machine. */
  python: string;
  /** Words of `uv pip install`: requirements, files of them, and `.` for the project. */
  wanted: readonly string[];
  /** The project, in which these words are read; a copy of it is made. */
  project: string;
  /** Texts that its files have in the copy. */
  texts: Readonly<Record<string, string>>;
  /** The project's version, for builders that would ask git for it. */
  version: string;
  /** Nothing that came later is installed; null: what is current now. */
  before: Date | null;
}

/** With its `.venv`. */
export interface VirtualEnvironment extends TemporaryFolder {
  /** Packages whose files have no dates in the index. */
  undated: string[];
}

const [UV, SCRIPT, PROXY, CACHE] = ["/opt/uv", "/opt/through_proxy.py", "/opt/proxy", "/cache"];
/** The project, where a build finds it. */
export const PROJECT = "/project";
const ENVIRONMENT = "/environment";

const VARIABLES = {
  UV_CACHE_DIR: CACHE,
  UV_NO_CONFIG: "1",
  UV_NO_PROGRESS: "1",
  UV_PYTHON_DOWNLOADS: "never",
  UV_LINK_MODE: "copy",
  UV_HTTP_TIMEOUT: "120",
  // Copies of an environment have other times.
  PYC_INVALIDATION_MODE: "UNCHECKED_HASH",
};

/** Variables with a version, for programs that build packages and would ask git for it. */
const VERSION_VARIABLES = ["SETUPTOOLS_SCM_PRETEND_VERSION", "PBR_VERSION", "PDM_BUILD_SCM_VERSION"];

/**
 * Makes it in a new folder. The caller disposes of it.
 * @returns uv's own words where it failed
 * @throws UserError where this machine has no uv or no bubblewrap
 */
export async function installPython(
  box: CommandBox,
  { python, wanted, project, texts, version, before }: PythonPackages,
): Promise<VirtualEnvironment | { problem: string; undated: string[] }> {
  if (box.layer !== "bwrap")
    throw new UserError("packages of Python are installed under bubblewrap alone: `sudo apt install bubblewrap`");
  const { executable, prefixes } = await findPython(python);
  const uv = uvProgram();
  const settings = indexSettings(await usualIndex());
  using copy = makeTemporaryFolder("project");
  copyWritable(project, copy.path);
  for (const [file, text] of Object.entries(texts)) writeOwnFile(join(copy.path, file), text);
  const folder = makeTemporaryFolder("environment");
  let isDone = false;
  try {
    await using proxy = await openIndexProxy(settings);
    const shown = [...new Set([executable, ...prefixes])].filter((path) => !isOfSystem(path) && path !== "/usr");
    const mounts: CommandMount[] = [
      { kind: "read", inside: UV, outside: uv },
      { kind: "read", inside: SCRIPT, outside: fileURLToPath(new URL("../through_proxy.py", import.meta.url)) },
      ...shown.map((path): CommandMount => ({ kind: "read", inside: path, outside: path })),
      { kind: "sockets", inside: PROXY, outside: proxy.folder },
      { kind: "scratch", inside: CACHE },
      { kind: "write", inside: PROJECT, outside: copy.path },
      { kind: "write", inside: ENVIRONMENT, outside: folder.path },
    ];
    const index = ["--default-index", `{proxy}${PAGES}`];
    const time = before === null ? [] : ["--exclude-newer", before.toISOString()];
    const venv = `${ENVIRONMENT}/.venv`;
    const options = ["--python", venv, "--no-sources", "--compile-bytecode", ...index, ...time];
    const commands = [
      [UV, "venv", "--quiet", "--relocatable", "--python", executable, venv],
      [UV, "pip", "install", ...options, ...wanted],
    ];
    const versions = VERSION_VARIABLES.map((name) => [name, version]);
    const { ending, exitCode, explanation, stdout, stderr } = await box.run({
      mounts,
      start: () => ({
        argv: [executable, "-I", SCRIPT, `${PROXY}/${SOCKET}`, JSON.stringify(commands)],
        cwd: PROJECT,
        environment: { ...VARIABLES, ...Object.fromEntries(versions) },
      }),
      limits: LIMITS,
    });
    const undated = [...proxy.undated].sort();
    if (exitCode !== 0) return { problem: ending === "exited" ? lastWords(stderr || stdout) : explanation, undated };
    takeBack(folder.path, ".venv");
    isDone = true;
    return { ...folder, undated };
  } finally {
    if (!isDone) folder[Symbol.dispose]();
  }
}

const PROGRESS = /^\s*(?:warning:|Using |Resolved |Prepared |Installed |Download|Build|Built |hint:|\+|$)/;

/** What uv says, and of a trace in it the exception alone. */
export function lastWords(text: string): string {
  const said = text
    .split("\n")
    .filter((line) => !PROGRESS.test(line))
    .map((line) =>
      line
        .replace(/[×╰─▶│├]+/g, " ")
        .replace(/\s+/g, " ")
        .trim(),
    )
    .filter(Boolean);
  const trace = said.findIndex((line) => line.startsWith("Traceback "));
  const exception = said.findLast((line) => /^[\w.]+(?:Error|Exception|Exit|Failure)\b/.test(line));
  const lines =
    trace === -1 || exception === undefined ? said.slice(0, 4) : [...said.slice(0, trace).slice(0, 3), exception];
  return lines
    .join("; ")
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, "")
    .slice(0, 400);
}
