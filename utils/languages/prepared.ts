/**
 * Where the compiled parts of mend's own lie that programs of a language run with, and how they are made once a
 * process.
 */

import { chmodSync } from "node:fs";
import { makeTemporaryFolder } from "../base/files/temporary.ts";

/** A folder of this process, with which it goes, that every user may read; made when it is first asked for. */
export function readableFolder(name: string): () => string {
  let folder: string | undefined;
  return () => {
    if (folder === undefined) {
      folder = makeTemporaryFolder(name).path;
      chmodSync(folder, 0o755);
    }
    return folder;
  };
}

/** The same work for all who ask; where it fails, the next one tries again. */
export function once(make: () => Promise<void>): () => Promise<void> {
  let made: Promise<void> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
