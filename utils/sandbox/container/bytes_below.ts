/** How much is written in folders that somebody else writes into. */

import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Bytes of all files below some folders, on the disk. What goes away or cannot be read meanwhile counts nothing. */
export function bytesBelow(folders: readonly string[]): number {
  let bytes = 0;
  const open = [...folders];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    try {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) open.push(path);
        else if (entry.isFile()) bytes += (lstatSync(path, { throwIfNoEntry: false })?.blocks ?? 0) * BLOCK;
      }
    } catch {
      // It is gone.
    }
  }
  return bytes;
}

const BLOCK = 512;
