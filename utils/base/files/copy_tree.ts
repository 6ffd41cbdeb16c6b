/** Copies of whole folders: with the system's own command, which takes a fraction of the time that Node.js takes. */

import { execFileSync } from "node:child_process";
import { lstatSync, rmSync, writeFileSync } from "node:fs";
import { hostProgram } from "../host/host_programs.ts";

/**
 * The same, with files that both share, where the system can: whoever writes one replaces it, in either folder, so no
 * program of others may have one of them.
 */
export function linkTree(from: string, to: string): void {
  try {
    execFileSync(hostProgram("cp"), ["-al", "--", `${from}/.`, to], { stdio: "ignore" });
  } catch {
    copyTree(from, to);
  }
}

/** Copies what is in a folder, links as links, into another that exists. */
export function copyTree(from: string, to: string): void {
  execFileSync(hostProgram("cp"), ["-a", "--", `${from}/.`, to], { stdio: ["ignore", "ignore", "pipe"] });
}

/** Writes a file as one of its own, whoever else shares the one that is there; it keeps its rights. */
export function writeOwnFile(path: string, text: string): void {
  const mode = lstatSync(path, { throwIfNoEntry: false })?.mode;
  rmSync(path, { force: true });
  writeFileSync(path, text, mode === undefined ? {} : { mode });
}
