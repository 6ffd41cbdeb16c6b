/** Removes folders that a hostile program has written. */

import { spawnSync } from "node:child_process";
import { existsSync, rmdirSync, rmSync } from "node:fs";
import { findProgram } from "../../host/host_programs.ts";

/**
 * Removes a folder and everything in it, whatever rights, depth and names its writer chose. It follows no links: `rm`
 * goes from folder to folder by descriptor, so that a program that still runs cannot replace one by a link.
 * @throws Error where something is left
 */
export function removeFolder(path: string): void {
  if (removedEmpty(path)) return;
  start("rm", ["-rf", "--", path]);
  if (!existsSync(path)) return;
  // Its writer may have locked folders of its own.
  start("chmod", ["-R", "u+rwx", "--", path]);
  start("rm", ["-rf", "--", path]);
  // Where there is no `rm`; throws where something is left.
  rmSync(path, { recursive: true, force: true });
}

/** Nothing is started where there is no such program. */
function start(name: string, args: readonly string[]): void {
  const program = findProgram(name);
  if (program !== undefined) spawnSync(program, args, { stdio: "ignore" });
}

/** Most folders of boxes are empty. */
function removedEmpty(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch {
    return false;
  }
}
