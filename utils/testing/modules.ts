/** For tests: packages of npm that the projects of users have, and mend itself only in part. */

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { makeTemporaryFolder } from "../base/files/temporary.ts";
import { isSlow } from "./repeats.ts";

/** Where mend's own packages are; another folder may hold what mend does not install (jest, tape). */
const FOLDERS = [join(import.meta.dirname, "../../node_modules"), process.env.MEND_TEST_MODULES ?? ""];

/** A `node_modules` folder that has the package; null where none has. */
export const modulesWith = (name: string): string | null =>
  FOLDERS.find((folder) => existsSync(join(folder, name, "package.json"))) ?? null;

/** The same, with what is missing installed by `npm run test:slow`; it goes with this process. */
export function installedModules(name: string, version: string): string | null {
  const known = modulesWith(name);
  if (known !== null || !isSlow) return known;
  const { path } = makeTemporaryFolder("modules");
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", path];
  execFileSync("npm", ["install", ...options, `${name}@${version}`], { cwd: path, stdio: ["ignore", "pipe", "pipe"] });
  return join(path, "node_modules");
}
