/** Turns what a command may see of this machine into mounts of a box. */

import { chmodSync, cpSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { othersMayEnter } from "../../base/host/python.ts";
import type { BoxMount } from "../launcher.ts";
import type { Layer } from "../types.ts";

/**
 * What a command sees of this machine beside the system's folders and the interpreter. `write` belongs to the command's
 * user afterwards where mend runs as root: give it what mend made. `scratch` is an empty folder, `copy` one that begins
 * as a copy of `outside`; what is written into them is dropped. `sockets`: a folder with a socket that it may connect
 * to. `packages`: installed packages, into which tools write caches: what is written is dropped, and without bubblewrap
 * refused.
 * `onReady`: see `BoxMount`.
 */
export type CommandMount =
  | { kind: "read" | "copy" | "packages"; inside: string; outside: string }
  | { kind: "write"; inside: string; outside: string; onReady?: () => void }
  | { kind: "sockets"; inside: string; outside: string }
  | { kind: "scratch"; inside: string };

const OTHERS_READ = 0o004;
/** Folders in `node_modules` that tools write to. */
const CACHES = [".cache", ".vite", ".vite-temp", ".vitest"];

/** @param own makes an empty folder for it */
export function boxMount(mount: CommandMount, layer: Layer, own: () => string): BoxMount {
  const { kind, inside } = mount;
  if (kind === "scratch") return { inside, outside: own(), writable: true };
  if (kind === "copy") {
    const outside = own();
    cpSync(mount.outside, outside, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    return { inside, outside, writable: true };
  }
  if (kind === "read" && process.getuid?.() === 0 && isHidden(mount.outside, layer)) {
    const outside = join(own(), basename(mount.outside));
    cpSync(mount.outside, outside, { recursive: true });
    for (const path of withFiles(outside)) chmodSync(path, 0o755);
    return { inside, outside, writable: false };
  }
  if (kind === "packages") return { inside, outside: mount.outside, writable: false, caches: CACHES };
  if (kind === "sockets") return { ...mount, writable: false, sockets: true };
  if (kind === "write") return { ...mount, writable: true };
  return { inside, outside: mount.outside, writable: false };
}

/**
 * Whether a file, or a folder of files alone, lies where the user that root's command gets may not go, such as mend's
 * own runners in root's home (bubblewrap shows it there), or may not be read by others, as after a clone with umask
 * 077. Trees, such as installed packages, are too large to be copied.
 */
function isHidden(path: string, layer: Layer): boolean {
  if (statSync(path).isDirectory() && readdirSync(path, { withFileTypes: true }).some((entry) => !entry.isFile()))
    return false;
  return (
    (layer !== "bwrap" && !othersMayEnter(dirname(path))) ||
    withFiles(path).some((one) => (statSync(one).mode & OTHERS_READ) === 0)
  );
}

/** The path and, where it is a folder of files, the files in it. */
const withFiles = (path: string): string[] =>
  statSync(path).isDirectory() ? [path, ...readdirSync(path).map((name) => join(path, name))] : [path];

/** Where a path under the deepest mount above it lies on this machine. */
export function outsideOf(path: string, mounts: readonly BoxMount[]): string {
  const holds = ({ inside }: BoxMount) => path === inside || path.startsWith(inside + sep);
  const [mount] = mounts.filter(holds).sort((a, b) => b.inside.length - a.inside.length);
  return mount ? mount.outside + path.slice(mount.inside.length) : path;
}
