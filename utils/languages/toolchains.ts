/** Finds the toolchains of compiled languages: the one that the user's shell takes, and what boxes may read of it. */

import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname } from "node:path";
import { findProgram } from "../base/host/host_programs.ts";
import { othersMayEnter } from "../base/host/python.ts";

const ASKING_TIMEOUT_MS = 60_000;
const OTHERS_READ = 0o005;

/** Where a toolchain is looked for. */
export interface ToolchainPlace {
  /** The project's folder, whose files may name a version. Default: none. */
  folder?: string | undefined;
  /** See `Project`. Default: true for root where there is no bubblewrap, which shows boxes what lies in root's home. */
  shared?: boolean | undefined;
}

/** Whether the processes in a box may read a folder: those of root run as another user. */
export function boxesMayRead(folder: string, shared = process.getuid?.() === 0 && !findProgram("bwrap")): boolean {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (process.getuid?.() !== 0) return true;
  return (found.mode & OTHERS_READ) === OTHERS_READ && (!shared || othersMayEnter(dirname(folder)));
}

/** What a program of the user's prints, started in no project's folder unless one is named. @throws where it fails */
export const outputOf = (
  program: string,
  words: readonly string[],
  folder = homedir(),
  variables: Readonly<Record<string, string>> = {},
): string =>
  execFileSync(program, words, {
    cwd: folder,
    encoding: "utf8",
    stdio: "pipe",
    timeout: ASKING_TIMEOUT_MS,
    // Nothing is installed by the way.
    env: { ...process.env, RUSTUP_AUTO_INSTALL: "0", GOTOOLCHAIN: "local", ...variables },
  }).trim();

const VARIABLES = ["PATH", "JAVA_HOME", "GOROOT", "CARGO", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "CC", "CXX"];

/** Keeps what was found, by place and by what decides in the user's environment. */
export function cachedByPlace<Found>(find: (place: ToolchainPlace) => Found): (place?: ToolchainPlace) => Found {
  const known = new Map<string, Found>();
  return (place = {}) => {
    const key = JSON.stringify([place.folder, place.shared, ...VARIABLES.map((name) => process.env[name])]);
    const found = known.has(key) ? (known.get(key) as Found) : find(place);
    known.set(key, found);
    return found;
  };
}

/** Whether a program belongs to the system, whose folders every box shows. */
export const isOfSystem = (program: string): boolean => /^\/usr\/(?:bin|lib\w*)\//.test(program);
