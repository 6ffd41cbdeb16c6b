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

/** The line that runs a command of `mend`, for help and advice. */
export const calledAs = (name: string): string => `${door.isMend ? "mend" : "npx tsx eval/cli/main.ts"} ${name}`;

/** The line that runs the program that Node was started with. */
export function ownCall(): string {
  const [, file = ""] = process.argv;
  return `npx tsx ${relative(ROOT, realOf(file))}`;
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
