/** For tests: a file system of its own that is small, and that can be made read-only even for root. */

import { spawnSync } from "node:child_process";
import { readdirSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeTemporaryFolder } from "../base/files/temporary.ts";

export interface SmallDisk extends Disposable {
  readonly path: string;
  /** Leaves `bytes` free. */
  fill(bytes?: number): void;
  empty(): void;
  makeReadOnly(readOnly: boolean): void;
}

const FILLER = "filler";
const PAGE = 4096;

/** Null with a warning where this user may not mount one: such tests then skip. */
export function mountSmallDisk(kilobytes: number): SmallDisk | null {
  const folder = makeTemporaryFolder("disk");
  const mount = (...args: string[]) => spawnSync("mount", [...args, folder.path]).status === 0;
  if (!mount("-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs")) {
    console.warn("no file system can be mounted here: a full or read-only disk is not tested");
    folder[Symbol.dispose]();
    return null;
  }
  const { path } = folder;
  const filler = join(path, FILLER);
  return {
    path,
    fill: (bytes = 0) => {
      const { bavail, bsize } = statfsSync(path);
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - Math.ceil(bytes / PAGE) * PAGE)));
    },
    empty: () => {
      if (readdirSync(path).includes(FILLER)) writeFileSync(filler, "");
    },
    makeReadOnly: (readOnly) => void mount("-o", `remount,${readOnly ? "ro" : "rw"}`),
    [Symbol.dispose]: () => {
      spawnSync("umount", ["--lazy", path]);
      folder[Symbol.dispose]();
    },
  };
}
