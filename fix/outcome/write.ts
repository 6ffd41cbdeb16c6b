/** Puts a patch into the user's files. Onto a branch: `branch.ts`. */

import { insidePath } from "../../utils/base/files/write_inside.ts";
import { requireNames } from "../../utils/git/changes/names.ts";
import { writeTogether } from "../../utils/git/changes/write_together.ts";
import type { FileChange } from "../project/patch.ts";

/**
 * Applies a patch to the files: to all of them or to none.
 * @returns copies of originals that git does not have
 * @throws UserError where a file changed since it was copied, or cannot be written; then none is changed
 */
export async function writeChanges(root: string, changes: readonly FileChange[]): Promise<string[]> {
  requireNames(changes);
  return await writeTogether(
    changes.map(({ file, before, after, mode }) => ({
      path: insidePath(root, file),
      before,
      after,
      executable: mode && mode.before !== mode.after ? mode.after === "100755" : undefined,
    })),
  );
}
