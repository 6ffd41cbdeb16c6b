/**
 * `npm run build`: the package as it is published. `dist/cli` is the command with its libraries inside, so that it
 * starts fast; `dist/lib` is the library with its libraries outside, so that it shares LangGraph with the program that
 * uses it;
 * `dist/types` are the library's declarations.
 */

import { spawnSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { REQUIRE } from "../utils/base/host/own_address.ts";
import { bundleOptions, outsideLibraries, ROOT, withoutUnused } from "./options.ts";

const DIST = join(ROOT, "dist");

/** The program of ours that runs as a process of its own; `utils/inference/engine_client.ts` finds it. */
const PROGRAMS = { engine_process: "utils/inference/engine_process.ts" };

const cli = bundleOptions(join(DIST, "cli"));
rmSync(DIST, { recursive: true, force: true });
await Promise.all([
  build({
    ...cli,
    entryPoints: { mend: "eval/cli/main.ts", ...PROGRAMS },
    minify: true,
    keepNames: true,
    external: outsideLibraries(),
    banner: { js: REQUIRE },
    plugins: [...(cli.plugins ?? []), withoutUnused],
  }),
  build({ ...bundleOptions(join(DIST, "lib")), entryPoints: { index: "index.ts", ...PROGRAMS }, packages: "external" }),
]);
chmodSync(join(DIST, "cli", "mend.js"), 0o755);
const project = join(ROOT, "build", "tsconfig.json");
// One checker of TypeScript's four reads the libraries' types once.
const words = [compiler(), "--project", project, "--checkers", "1"];
process.exitCode = spawnSync(process.execPath, words, { stdio: "inherit" }).status ?? 1;

function compiler(): string {
  const file = createRequire(import.meta.url).resolve("typescript/package.json");
  return join(dirname(file), "bin", "tsc");
}
