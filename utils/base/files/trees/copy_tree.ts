/** Copies of whole folders: with the system's own command, which takes a fraction of the time that Node.js takes. */

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, lstatSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hostProgram } from "../../host/host_programs.ts";
import { within } from "../../host/project_root.ts";

/**
 * The same, but both share their files if the system can. A writer must replace a file, in either folder, so no foreign
 * program may get one of them.
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

/** The same, and its owner may write all of it, as builds do: a user's own tree may be read-only. */
export function copyWritable(from: string, to: string): void {
  copyTree(from, to);
  execFileSync(hostProgram("chmod"), ["-R", "u+rwX", "--", to], { stdio: ["ignore", "ignore", "pipe"] });
}

/** Writes a file that it shares with no other folder; its rights stay. */
export function writeOwnFile(path: string, text: string | Buffer): void {
  const mode = lstatSync(path, { throwIfNoEntry: false })?.mode;
  rmSync(path, { force: true });
  writeFileSync(path, text, mode === undefined ? {} : { mode });
}

/** Copies plain files into folders of another tree that has none of their name. Either may be anybody's. */
export function copyMissing(from: string, names: readonly string[], to: string): void {
  for (const name of names) {
    const place = join(to, dirname(name));
    // A folder may be a link to anywhere, and so may a file.
    const isIn = existsSync(place) && within(realpathSync(to), realpathSync(place));
    const isFile = isIn && lstatSync(join(from, name), { throwIfNoEntry: false })?.isFile();
    if (isFile && !lstatSync(join(to, name), { throwIfNoEntry: false })) copyFileSync(join(from, name), join(to, name));
  }
}
