/**
 * Where copies of trees are made: in memory where there is room, where a new file costs a twentieth of what it costs on
 * a disk.
 */

import { readFileSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

export const MEMORY = "/dev/shm";

/** Of a file system in memory, beside a file's bytes: half of its last page, and what it is known by. */
const ENTRY_BYTES = 4096;
/** Copies of a tree at a time: as it was, and those that programs write into. */
const COPIES = 4;
/** Larger trees are copied to the disk. */
const MOST_BYTES = 256 * 1024 * 1024;
/** What is left for what programs write before they are ended, on the file system and in the machine. */
const SPARE = { bytes: 1024 ** 3, entries: 200_000, machineBytes: 4 * 1024 ** 3 };

interface Room {
  bytes: number;
  entries: number;
  /** That the machine, or a limit of this process, still has. */
  machineBytes: number;
}

/** The folder for temporary folders with copies of a tree. @param room for tests */
export function placeFor(tree: { files: number; bytes: number }, room = roomInMemory()): string {
  const bytes = COPIES * (tree.bytes + tree.files * ENTRY_BYTES);
  const fits =
    room !== null &&
    bytes <= MOST_BYTES &&
    bytes + SPARE.bytes <= room.bytes &&
    bytes + SPARE.machineBytes <= room.machineBytes &&
    COPIES * tree.files + SPARE.entries <= room.entries;
  return fits ? MEMORY : tmpdir();
}

/** Whether a copy lies in memory because there was room, and not because a user has said so. */
export const isInMemory = (path: string): boolean => tmpdir() !== MEMORY && path.startsWith(`${MEMORY}/`);

/** The folder for more copies of a tree: files can be shared within one file system alone. */
export const placeBeside = (path: string): string => (isInMemory(path) ? MEMORY : tmpdir());

/** Null where programs cannot be run in memory, or where a user has said with TMPDIR where temporary folders go. */
function roomInMemory(): Room | null {
  if (process.env.TMPDIR !== undefined) return null;
  try {
    const mounts = readFileSync("/proc/self/mounts", "utf8").split("\n");
    const [, , kind, options = ""] = mounts.findLast((line) => line.split(" ")[1] === MEMORY)?.split(" ") ?? [];
    if (kind !== "tmpfs" || options.split(",").some((one) => one === "ro" || one === "noexec")) return null;
    const { bavail, bsize, ffree } = statfsSync(MEMORY);
    return { bytes: bavail * bsize, entries: ffree, machineBytes: process.availableMemory() };
  } catch {
    return null;
  }
}
