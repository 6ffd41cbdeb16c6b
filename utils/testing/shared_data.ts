/** For tests: real tasks and generations, where the folder that holds them stands beside the project. */

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Path of a file of the shared data, or null where it is absent: then the test skips and says so. */
export function sharedData(name: string): string | null {
  const folder = process.env.MEND_SHARED_DATA ?? fileURLToPath(new URL("../../../shared/data", import.meta.url));
  const file = `${folder}/${name}`;
  if (existsSync(file)) return file;
  console.warn(`${name} is not in ${folder}: tests on real data are skipped`);
  return null;
}

/** The rows of a file of the shared data; none where it is absent. */
export function sharedRows<Row = Record<string, string>>(name: string): Row[] {
  const file = sharedData(name);
  if (file === null) return [];
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}
