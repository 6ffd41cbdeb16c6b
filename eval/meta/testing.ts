/** For tests of the self-edit loop: folders that clean themselves up. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that is removed with the scope that holds it. */
export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), "mend-meta-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
