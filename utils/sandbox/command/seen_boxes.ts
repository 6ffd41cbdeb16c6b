/**
 * Which layers were seen to work on this machine as it is now. To try one costs a start of mend about as much as a run
 * of the tests, so that what was seen is kept for a day in the user's cache folder, under a sum of all that decides.
 * Who writes there can but have a layer tried that does not work: no box is weaker for it, and the next start tries it.
 */

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../../base/host/cache_folder.ts";
import type { Python } from "../../base/host/python.ts";
import { findBwrap, PYTHON_FOLDER } from "../bwrap.ts";
import type { Layer } from "../types.ts";

const KEPT_MS = 86_400_000;

/** The start of the machine, its kernel, what it allows to whom, and in which namespaces we are. */
const TEXTS = [
  ...["/proc/sys/kernel/random/boot_id", "/proc/version", "/proc/sys/user/max_user_namespaces"],
  ...["/proc/sys/kernel/unprivileged_userns_clone", "/proc/sys/kernel/apparmor_restrict_unprivileged_userns"],
  ...["/proc/self/attr/current", "/proc/self/uid_map"],
];
const NAMESPACES = ["cgroup", "ipc", "mnt", "net", "pid", "user", "uts"];
const RIGHTS = /^(?:Uid|Gid|Groups|Cap\w+|NoNewPrivs|Seccomp\w*):.*$/gm;

export class SeenBox {
  readonly #file: string | null;

  /** @param place another one than the user's cache folder, in tests */
  constructor(layer: Layer, python: Python, place = join(cacheFolder(), "boxes")) {
    const state = stateFor(layer, python);
    this.#file = state && join(place, createHash("sha256").update(state).digest("hex").slice(0, 32));
  }

  get works(): boolean {
    try {
      return this.#file !== null && Math.abs(Date.now() - statSync(this.#file).mtimeMs) < KEPT_MS;
    } catch {
      return false;
    }
  }

  keep(): void {
    if (this.#file === null) return;
    try {
      const place = join(this.#file, "..");
      mkdirSync(place, { recursive: true });
      for (const path of readdirSync(place).map((name) => join(place, name)))
        if (Date.now() - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { force: true });
      writeFileSync(this.#file, "");
    } catch {
      // A full disk, a folder that may not be written: the next start tries it again.
    }
  }

  forget(): void {
    try {
      if (this.#file !== null) rmSync(this.#file, { force: true });
    } catch {
      // It is not there.
    }
  }
}

/** Null where this system does not tell. */
function stateFor(layer: Layer, { executable, version }: Python): string | null {
  try {
    const rights = readFileSync("/proc/self/status", "utf8").match(RIGHTS);
    const namespaces = NAMESPACES.map((name) => readlinkSync(`/proc/self/ns/${name}`));
    const sources = readdirSync(PYTHON_FOLDER, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".py"),
    );
    const files = [executable, ...sources.sort().map((file) => join(PYTHON_FOLDER, file))];
    const bwrap = layer === "bwrap" ? findBwrap() : undefined;
    const stamps = [...files, ...(bwrap === undefined ? [] : [bwrap])].map((file) => {
      const { dev, ino, size, mtimeMs, mode } = statSync(file);
      return [file, dev, ino, size, mtimeMs, mode];
    });
    return JSON.stringify([layer, version, rights, namespaces, TEXTS.map(textOf), stamps]);
  } catch {
    return null;
  }
}

/** Not all kernels have all of them. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
