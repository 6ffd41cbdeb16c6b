/** How each isolation layer starts the fork server here: command prefix, users, readable folders. */

import { randomInt } from "node:crypto";
import { existsSync, lstatSync, readFileSync, readlinkSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { LANGUAGES } from "../languages/registry.ts";
import type { RuntimeCommands } from "../languages/runtime.ts";
import { lockedFolder, type Python } from "./python.ts";
import type { Layer } from "./types.ts";

export const PYTHON_FOLDER = fileURLToPath(new URL("./python", import.meta.url));
const BOX_FOLDER = "/box";
const SYSTEM_FOLDERS = ["/usr/bin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/share/zoneinfo", "/nix/store"];
const ROOT_LINKS = ["/bin", "/lib", "/lib32", "/lib64"];
const PREFIX_PARTS = ["bin", "lib", "lib64", "pyvenv.cfg"];
const DEVICES = ["/dev/null", "/dev/zero", "/dev/urandom", "/dev/random"];
const SECCOMP_MACHINES = ["x86_64", "aarch64"];
/** Jobs that can run at the same time. Program and judge of each have user ids of their own where there are such. */
export const MAX_SLOTS = 64;
const USERS = 2 * MAX_SLOTS;

/** What the supervisor is told about its layer. */
export interface LayerPlan {
  layer: Layer;
  prefix: string[];
  python: string;
  /** Where the fork server finds its own sources. */
  folder: string;
  slots: number;
  /** True where a job's processes are the only ones of their user, as RLIMIT_NPROC counts. */
  ownUser: boolean;
  settings: {
    layer: Layer;
    uidBase: number | null;
    userNamespace: boolean;
    readable: string[];
    memoryBytes: number;
    /** By language: what replaces a confined process that is to run another language than Python. */
    runtimes: Record<string, string[]>;
    /** The same for the process that judges. */
    judges: Record<string, string[]>;
    /** Folders of installed packages, which the servers and their jobs may import from. */
    packages: string[];
  };
}

export interface Plan {
  plan: LayerPlan;
  warnings: string[];
}

/** The plan for one layer, or the sentence that says why it cannot work here. Starting it may still fail. */
export function planLayer(layer: Layer, python: Python, memoryMb: number): Plan | { unavailable: string } {
  const root = process.getuid?.() === 0;
  if (layer !== "plain") {
    if (process.platform !== "linux") return { unavailable: `the ${layer} layer needs Linux` };
    if (!SECCOMP_MACHINES.includes(python.machine)) {
      return { unavailable: `the ${layer} layer has no system call table for ${python.machine}` };
    }
  }
  const uidBase = root ? reserveUsers() : null;
  const others = Object.values(LANGUAGES).flatMap(({ name, runtime }) =>
    runtime ? [{ name, ...runtime.commands(memoryMb) }] : [],
  );
  const folders = interpreterFolders(python, others);
  const plan: LayerPlan = {
    layer,
    prefix: [],
    python: python.executable,
    folder: PYTHON_FOLDER,
    slots: MAX_SLOTS,
    ownUser: uidBase !== null,
    settings: {
      layer,
      uidBase,
      userNamespace: false,
      readable: [...SYSTEM_FOLDERS, ...ROOT_LINKS, ...folders, ...DEVICES].filter((path) => existsSync(path)),
      memoryBytes: memoryMb * 1024 * 1024,
      runtimes: Object.fromEntries(others.map(({ name, candidate }) => [name, candidate])),
      judges: Object.fromEntries(others.map(({ name, judge }) => [name, judge])),
      packages: python.packages,
    },
  };
  const warnings: string[] = [];
  if (root && uidBase === null) warnings.push("This container has no user ids to give to jobs: all run as its root.");
  if (layer === "bwrap") {
    const bwrap = onPath("bwrap");
    if (!bwrap) return { unavailable: "bubblewrap is not installed (`bwrap` is not on the PATH)" };
    plan.prefix = [bwrap, ...bwrapArguments(folders, uidBase === null)];
    plan.folder = BOX_FOLDER;
    plan.settings.userNamespace = uidBase === null;
    plan.ownUser ||= countsTasksPerNamespace(python.release);
  } else if (uidBase !== null) {
    const locked = lockedFolder(python);
    if (locked) {
      warnings.push(
        `Jobs run as users that cannot read ${locked}: modules not loaded at the start cannot be imported.`,
      );
    }
  }
  if (layer === "plain") {
    warnings.push(
      "The plain layer keeps no secrets from the programs it runs: they can read your files and use the network.",
    );
  }
  return { plan, warnings };
}

/** What jobs must be able to read of the interpreters, where the system's own folders do not hold it. */
function interpreterFolders(python: Python, others: readonly RuntimeCommands[]): string[] {
  const parts = python.prefixes.flatMap((prefix) => PREFIX_PARTS.map((part) => join(prefix, part)));
  parts.push(...python.packages, ...others.map(({ executable }) => executable));
  const inSystem = (path: string) => SYSTEM_FOLDERS.some((folder) => path === folder || path.startsWith(folder + sep));
  return [...new Set(parts)].filter((path) => existsSync(path) && !inSystem(path));
}

function bwrapArguments(folders: string[], userNamespace: boolean): string[] {
  const bind = (path: string) => ["--ro-bind", path, path];
  const bound = [...SYSTEM_FOLDERS.filter((path) => existsSync(path)), ...folders];
  return [
    ...(userNamespace ? ["--unshare-user"] : []),
    ...["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net", "--unshare-cgroup-try"],
    ...["--die-with-parent", "--new-session", "--clearenv", "--hostname", "box"],
    ...["--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin", "--setenv", "LANG", "C.UTF-8"],
    ...["--setenv", "PYTHONHASHSEED", "0", "--setenv", "OPENBLAS_NUM_THREADS", "1"],
    // Named first: bubblewrap would close the parents it makes up to all but itself.
    ...[...new Set(bound.flatMap(ancestors))].flatMap((path) => ["--dir", path]),
    ...bound.flatMap(bind),
    ...ROOT_LINKS.filter((path) => existsSync(path)).flatMap((path) =>
      lstatSync(path).isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : bind(path),
    ),
    // Only to map users; each job hides it again.
    ...(userNamespace ? ["--proc", "/proc"] : []),
    ...["--dev", "/dev", "--tmpfs", "/tmp", "--ro-bind", PYTHON_FOLDER, BOX_FOLDER],
    ...["--remount-ro", "/", "--chdir", "/tmp"],
  ];
}

/** The folders above `path`, outermost first, without the root. */
function ancestors(path: string): string[] {
  const parent = dirname(path);
  return parent === dirname(parent) ? [] : [...ancestors(parent), parent];
}

function onPath(command: string): string | undefined {
  return (process.env.PATH ?? "")
    .split(":")
    .map((folder) => join(folder, command))
    .find((path) => existsSync(path));
}

/** First of USERS user ids that nobody else is likely to use, or null where this namespace has too few. */
function reserveUsers(): number | null {
  const available = mappedUsers();
  const lowest = Math.min(60_000, Math.floor(available / 2));
  const blocks = Math.floor((Math.min(available, 2 ** 31) - lowest) / USERS);
  return blocks < 1 || lowest < 1000 ? null : lowest + USERS * randomInt(blocks);
}

/** How many user ids, counted from 0, exist in our user namespace. */
function mappedUsers(): number {
  try {
    const [first = 0, , count = 0] = readFileSync("/proc/self/uid_map", "utf8").trim().split(/\s+/).map(Number);
    return first === 0 ? count : 0;
  } catch {
    return 2 ** 31;
  }
}

/** Kernels from 5.14 on count processes per user namespace. */
function countsTasksPerNamespace(release: string): boolean {
  const [major = 0, minor = 0] = release.split(".").map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}
