/** How Node.js runs the sources of this program: with tsx, and with this program's own `tsconfig.json`. */

import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

/** tsx reads the `tsconfig.json` of the folder in which it starts, unless `TSX_TSCONFIG_PATH` names another one. */
export const OWN_TSCONFIG = fileURLToPath(new URL("../../../tsconfig.json", import.meta.url));

/** Words for Node.js before a source of ours. */
export const tsxWords = (): string[] => ["--import", pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href];

/** The variables of a process that runs a source of ours: another folder's `paths` would lead its imports elsewhere. */
export const tsxEnvironment = (): NodeJS.ProcessEnv => ({ ...process.env, TSX_TSCONFIG_PATH: OWN_TSCONFIG });
