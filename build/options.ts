/** How programs of ours are bundled: those that are published and those that tests start. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BuildOptions } from "esbuild";
import { bundledAddresses } from "./addresses.ts";

export const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** Libraries that stay outside: those that a user may lack, and those that find files of their own beside them. */
export function outsideLibraries(): string[] {
  const { peerDependencies }: { peerDependencies: object } = JSON.parse(
    readFileSync(join(ROOT, "package.json"), "utf8"),
  );
  return Object.keys(peerDependencies).concat("esbuild", "tsx");
}

/** @param places where the bundle finds itself and the project; see `bundledAddresses` */
export const bundleOptions = (outdir: string, places?: string): BuildOptions => ({
  absWorkingDir: ROOT,
  outdir,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  chunkNames: "chunks/[name]-[hash]",
  charset: "utf8",
  logLevel: "warning",
  plugins: [bundledAddresses(ROOT, places)],
});
