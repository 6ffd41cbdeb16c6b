/** Programs of ours that run as processes of their own: in the package they are built, in a clone tsx compiles them. */

import { createRequire } from "node:module";
import { basename } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

declare global {
  interface ImportMeta {
    /** In the package: the address of the bundle's folder. `build/build.ts` puts it there. */
    built?: string;
  }
}

export interface OwnProgram {
  file: string;
  /** What Node needs to run it, for `execArgv`. */
  nodeOptions: string[];
}

/** @param source address of the program's TypeScript file, which `build/build.ts` must know */
export function ownProgram(source: URL): OwnProgram {
  if (import.meta.built !== undefined) {
    const built = new URL(`${basename(source.pathname, ".ts")}.js`, import.meta.built);
    return { file: fileURLToPath(built), nodeOptions: [] };
  }
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  return { file: fileURLToPath(source), nodeOptions: ["--import", tsx] };
}
