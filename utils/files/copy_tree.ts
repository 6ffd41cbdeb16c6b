/** Copies of whole folders: with the system's own command, which takes a fraction of the time that Node.js takes. */

import { execFileSync } from "node:child_process";

/** Copies what is in a folder, links as links, into another that exists. */
export function copyTree(from: string, to: string): void {
  execFileSync("cp", ["-a", "--", `${from}/.`, to], { stdio: ["ignore", "ignore", "pipe"] });
}
