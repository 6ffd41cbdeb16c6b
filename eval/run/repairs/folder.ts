/** Where runs of `mend repair` and `mend fix` are kept, never in the user's tree; the oldest go. */

import { readdirSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** Source: XDG Base Directory Specification 0.8; a relative path in the variable is to be passed over. */
export function repairsFolder(env: Environment = process.env): string {
  const state = env.XDG_STATE_HOME?.trim() ?? "";
  return join(isAbsolute(state) ? state : join(homedir(), ".local/state"), "mend", "runs");
}

/** What is kept at most. */
export const MOST_KEPT = { runs: 100, bytes: 200_000_000 };

/** Runs of a folder, the newest first: their names begin with the time. */
export const keptRuns = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => name)
    .sort()
    .reverse();

/** Removes runs beyond the number or the bytes, the oldest first; the newest always stays. @returns how many */
export function removeOldest(folder: string, most = MOST_KEPT): number {
  let [bytes, kept, removed] = [0, 0, 0];
  for (const name of keptRuns(folder)) {
    bytes += sizeOf(join(folder, name));
    const isKept = kept === 0 || (removed === 0 && kept < most.runs && bytes <= most.bytes);
    if (isKept) kept += 1;
    else {
      rmSync(join(folder, name), { recursive: true, force: true });
      removed += 1;
    }
  }
  return removed;
}

/** Node's own recursive `readdirSync` takes three times as long. */
function sizeOf(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    bytes += statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (entry.isDirectory()) bytes += sizeOf(path);
  }
  return bytes;
}
