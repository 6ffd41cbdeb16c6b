/** The one place where a bubblewrap command is built: for the fork server, for agents and for commands. */

import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { dirname, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { findProgram } from "../base/host/host_programs.ts";
import { hiddenAt, isHidden } from "./hidden.ts";

/** The sandbox's Python sources, and where a box shows them. */
export const PYTHON_FOLDER = fileURLToPath(new URL("./python", import.meta.url));
export const BOX_FOLDER = "/box";
/** A Python script of ours, as words of a command. Without `site`, which would run code of installed packages. */
export const pythonCommand = (executable: string, ...script: string[]): string[] => [
  ...[executable, "-S", "-B", "-X", "utf8"],
  ...script,
];
/** The hostname of a box. */
export const HOSTNAME = "box";

export const SYSTEM_FOLDERS = ["/usr/bin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/share/zoneinfo", "/nix/store"];
export const ROOT_LINKS = ["/bin", "/lib", "/lib32", "/lib64"];

/** A folder or socket of the host and where a box shows it. Read-only unless it says otherwise. */
export interface Mount {
  inside: string;
  outside: string;
  writable?: boolean;
}

interface BwrapOptions {
  /** True where we are not root: the box then gets a user namespace. */
  userNamespace: boolean;
  environment: Readonly<Record<string, string>>;
  /** Further paths, which are shown read-only at their own place. */
  readable: readonly string[];
  mounts?: readonly Mount[];
  /** Empty folders, over which the program inside mounts its own. */
  folders?: readonly string[];
  /** Gives the box a process file system of its own. */
  proc: boolean;
}

/**
 * The command line of bubblewrap up to the program. The box has only a loopback network and shows only what is named,
 * except what `hidden.ts` hides. A mount inside another lies over it. Everything but writable mounts is read-only, also
 * `/dev` and `/tmp`: the program inside mounts a `/tmp` of a known size. It keeps the right to mount until it drops it
 * (see `launch.py`).
 */
export function bwrapCommand(bwrap: string, options: BwrapOptions): string[] {
  const { userNamespace, environment, readable, folders = [], proc } = options;
  const bind = (path: string) => ["--ro-bind", path, path];
  const bound = [...SYSTEM_FOLDERS.filter((path) => existsSync(path)), ...readable];
  const mounts = (options.mounts ?? []).toSorted((a, b) => a.inside.length - b.inside.length);
  const shown = [...bound, ...mounts.map(({ inside }) => inside)];
  const masks = new Masks(mounts);
  return [
    bwrap,
    ...(userNamespace ? ["--unshare-user"] : []),
    ...["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net", "--unshare-cgroup-try"],
    ...["--die-with-parent", "--new-session", "--clearenv", "--hostname", HOSTNAME],
    ...Object.entries(environment).flatMap(([name, value]) => ["--setenv", name, value]),
    // These come first: bubblewrap would make missing parents itself, and other users could not enter them.
    ...[...new Set([...shown, ...folders].flatMap(ancestors).concat(folders))].flatMap((path) => ["--dir", path]),
    ...bound.flatMap(bind),
    ...bound.flatMap((path) => masks.over(path, path)),
    ...ROOT_LINKS.filter((path) => existsSync(path)).flatMap((path) =>
      lstatSync(path).isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : bind(path),
    ),
    ...["--ro-bind", PYTHON_FOLDER, BOX_FOLDER],
    ...mounts.flatMap(({ inside, outside, writable }) => [
      ...[writable ? "--bind" : "--ro-bind", outside, inside],
      ...masks.over(outside, inside),
    ]),
    ...masks.close(),
    ...(proc ? ["--proc", "/proc"] : []),
    ...["--dev", "/dev", "--dir", "/tmp"],
    // The root holds `/tmp`, `/run` and everything that is not a mount.
    ...["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/"],
  ];
}

/** What covers hidden files and folders: a file that cannot be opened, an empty folder. */
class Masks {
  readonly #mounts: readonly Mount[];
  readonly #folders = new Set<string>();

  /** @param mounts of the box; a mount inside a hidden folder stays visible */
  constructor(mounts: readonly Mount[]) {
    this.#mounts = mounts;
  }

  over(outside: string, inside: string): string[] {
    return hiddenAt(outside, inside).flatMap(({ path, isFolder }) => {
      // With `--ro-bind` it would not be a device.
      if (!isFolder) return ["--ro-bind", "/dev/null", path];
      this.#folders.add(path);
      const within = this.#mounts.flatMap((mount) => ancestors(mount.inside).filter((one) => isBelow(path, one)));
      return ["--tmpfs", path, ...[...new Set(within)].flatMap((folder) => ["--dir", folder])];
    });
  }

  /** Makes them read-only; comes last, after the mounts inside them. */
  close(): string[] {
    const isCovered = (path: string) => this.#mounts.some(({ inside }) => inside === path || isBelow(inside, path));
    return [...this.#folders].filter((path) => !isCovered(path)).flatMap((path) => ["--remount-ro", path]);
  }
}

/** True where every box shows the path. */
export const isOfSystem = (path: string): boolean =>
  SYSTEM_FOLDERS.some((folder) => path === folder || isBelow(folder, path)) && !isHidden(path);

const isBelow = (folder: string, path: string): boolean => path.startsWith(folder + sep);

/** The path of bubblewrap; undefined where it is not installed. */
export const findBwrap = (): string | undefined => findProgram("bwrap");

/** The folders above `path`, outermost first, without the root. */
function ancestors(path: string): string[] {
  const parent = dirname(path);
  return parent === dirname(parent) ? [] : [...ancestors(parent), parent];
}
