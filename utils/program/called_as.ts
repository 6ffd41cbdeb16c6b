/** How the user calls the commands of this program: as `mend eval`, or from a clone as `npx tsx eval/pass1.ts`. */

import { realpathSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const door = { isMend: false };

/** Said once, by the command `mend`. */
export function callAsMend(): void {
  door.isMend = true;
}

/**
 * The line that runs a command of ours, for help and advice.
 * @param file of the command, from the project's root or absolute
 * @param name under which `mend` knows it
 */
export function calledAs(file: string, name?: string): string {
  if (door.isMend && name !== undefined) return `mend ${name}`;
  return `npx tsx ${file.startsWith("/") ? relative(ROOT, realOf(file)) : file}`;
}

/**
 * Whether Node was started with this module: then a command runs itself, else `mend` does. @param address its
 * `import.meta.url`
 */
export function isEntry(address: string): boolean {
  const [, file] = process.argv;
  if (file === undefined) return false;
  const own = fileURLToPath(address);
  return [file, `${file}.ts`].some((path) => realOf(path) === own);
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
