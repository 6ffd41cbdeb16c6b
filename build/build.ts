/**
 * `npm run build`: the package as it is published. `dist/cli` is the command with the pages' scripts, `dist/lib` the
 * library, `dist/types` its declarations. Libraries are bundled, so that both start fast. LangGraph and its core are
 * not: a program has one copy of them, and `instanceof` works.
 */

import { spawnSync } from "node:child_process";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type BuildOptions, build, type Metafile } from "esbuild";
import { REQUIRE } from "../utils/base/host/own_address.ts";
import { licencesOf } from "./licences.ts";
import { bundleOptions, outsideLibraries, ROOT, SHARED_LIBRARIES, scriptOptions, withoutLocales } from "./options.ts";
import { buildPages } from "./page_files.ts";

const DIST = join(ROOT, "dist");

/** The program of ours that runs as a process of its own; `utils/inference/engine_client.ts` finds it. */
const PROGRAMS = { engine_process: "utils/inference/engine_process.ts" };
const SMALL = { minify: true, keepNames: true };
const AS_MODULE = { banner: { js: REQUIRE } };

rmSync(DIST, { recursive: true, force: true });
const bundles = await Promise.all([
  bundled(bundleOptions(join(DIST, "cli")), {
    entryPoints: { mend: "eval/cli/built.ts", ...PROGRAMS },
    ...SMALL,
    ...AS_MODULE,
  }),
  bundled(scriptOptions(join(DIST, "cli")), { entryPoints: { program: "eval/cli/main.ts" }, ...SMALL }),
  buildPages(join(DIST, "cli")),
  // Not minified: Node.js prints the line that throws. LangGraph loads zod in any case.
  bundled(bundleOptions(join(DIST, "lib")), {
    ...{ entryPoints: { index: "index.ts", ...PROGRAMS }, external: ["zod"] },
    ...AS_MODULE,
  }),
]);
writeFileSync(join(DIST, "LICENCES.txt"), licencesOf(bundles));
chmodSync(join(DIST, "cli", "mend.js"), 0o755);
const project = join(ROOT, "build", "tsconfig.json");
// One checker of TypeScript's four reads the libraries' types once.
const words = [compiler(), "--project", project, "--checkers", "1"];
process.exitCode = spawnSync(process.execPath, words, { stdio: "inherit" }).status ?? 1;

async function bundled(options: BuildOptions, more: BuildOptions): Promise<Metafile> {
  const { metafile } = await build({
    ...options,
    ...more,
    external: [...outsideLibraries(), ...SHARED_LIBRARIES, ...(more.external ?? [])],
    plugins: [...(options.plugins ?? []), withoutLocales],
    metafile: true,
  });
  return metafile;
}

function compiler(): string {
  const file = createRequire(import.meta.url).resolve("typescript/package.json");
  return join(dirname(file), "bin", "tsc");
}
