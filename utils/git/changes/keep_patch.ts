/** Where a patch stays that could not be put where it was wanted. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Keeps what was found, which may have cost a lot. @returns a sentence that names the file; the patch itself where none
 * can be written
 */
export function keepPatch(patch: string): string {
  let folder: string | null = null;
  try {
    folder = mkdtempSync(join(tmpdir(), "mend-kept-"));
    const file = join(folder, "repair.patch");
    writeFileSync(file, patch, { mode: 0o600, flush: true });
    return `The patch is kept in ${file}: \`git apply ${file}\` applies it.`;
  } catch {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
    return `The patch:\n${patch}`;
  }
}
