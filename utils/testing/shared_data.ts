/** For tests: real tasks and generations, where the folder that holds them stands beside the project. */

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Path of a file of the shared data, or null where it is absent: then the test skips and says so. */
export function sharedData(name: string): string | null {
  const folder = process.env.MEND_SHARED_DATA ?? fileURLToPath(new URL("../../../shared/data", import.meta.url));
  const file = `${folder}/${name}`;
  if (existsSync(file)) return file;
  console.warn(`${name} is not in ${folder}: tests on real data are skipped`);
  return null;
}
