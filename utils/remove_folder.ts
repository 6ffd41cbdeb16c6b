/** Removes folders that a hostile program has written. */

import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";

/**
 * Removes a folder with all in it, whatever rights, depth and names its writer gave to what is inside. Follows no links.
 * @throws Error where something is left
 */
export function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // Node cannot name files whose names are no UTF-8, nor what lies too deep.
    spawnSync("chmod", ["-R", "u+rwx", "--", path]);
    spawnSync("rm", ["-rf", "--", path]);
    rmSync(path, { recursive: true, force: true });
  }
}
