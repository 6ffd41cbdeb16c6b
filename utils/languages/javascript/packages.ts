/**
 * Packages that judged programs may `require`. Their source goes along with the job: no job sees our `node_modules`.
 */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** By name: the one file that is the whole package, and the version that is an optional dependency of ours. */
export const PACKAGES: Readonly<Record<string, { file: string; version: string }>> = {
  "js-md5": { file: "js-md5/build/md5.min.js", version: "0.9.2" },
};

/** Name to source, of the packages that are installed. */
export function packagesForJobs(): Record<string, string> {
  const { resolve } = createRequire(import.meta.url);
  return Object.fromEntries(
    Object.entries(PACKAGES).flatMap(([name, { file }]) => {
      try {
        return [[name, readFileSync(resolve(file), "utf8")]];
      } catch {
        return [];
      }
    }),
  );
}
