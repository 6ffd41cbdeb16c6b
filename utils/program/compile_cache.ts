/** Node.js 22.1 and later can keep the code that they compile; earlier versions compile it at each start. */

import * as nodeModule from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

/** Keeps compiled code in a folder that only this user has. Call it before anything large is loaded. */
export function keepCompiledCode(): void {
  const enable = "enableCompileCache" in nodeModule ? nodeModule.enableCompileCache : undefined;
  if (typeof enable !== "function" || process.env.NODE_COMPILE_CACHE) return;
  enable(join(process.env.XDG_CACHE_HOME?.trim() || join(homedir(), ".cache"), "mend", "compiled"));
}
