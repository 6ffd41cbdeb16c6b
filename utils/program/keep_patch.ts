/** Where a patch stays that could not be put where it was wanted. */

import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shellWord } from "./arguments.ts";

/**
 * Keeps what was found, which may have cost a lot.
 * @param root the folder that its paths begin in
 * @returns a sentence that names the file; the patch itself where none can be written
 */
export function keepPatch(patch: string, root: string): string {
  let folder: string | null = null;
  try {
    folder = mkdtempSync(join(tmpdir(), "mend-kept-"));
    const file = join(folder, "repair.patch");
    writeFileSync(file, patch, { mode: 0o600, flush: true });
    return `The patch is kept in ${file}: \`${applyCommand(file, root)}\` applies it.`;
  } catch {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
    return `The patch:\n${patch}`;
  }
}

/** The command, for a shell, that applies a patch file to a folder. */
export function applyCommand(file: string, root: string): string {
  const at = realpathSync(root);
  const inRoot = at === realpathSync(process.cwd()) ? "" : ` -C ${shellWord(at)}`;
  return `git${inRoot} apply ${shellWord(file)}`;
}
