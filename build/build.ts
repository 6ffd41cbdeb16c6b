/**
 * `npm run build`: the package as it is published. `dist/cli` is the command with its libraries inside, so that it starts
 * fast; `dist/lib` is the library with its libraries outside, so that it shares LangGraph with the program that uses it;
 * `dist/types` are the library's declarations.
 */

import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { addressModule, REQUIRE, withOwnAddress } from "../utils/own_address.ts";
import { withoutUnused } from "./unused.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const DIST = join(ROOT, "dist");

/** Programs of ours that run as processes of their own. `utils/child/own_program.ts` finds them. */
const PROGRAMS = { engine_process: "utils/inference/engine_process.ts" };

const shared = (outdir: string): BuildOptions => ({
  absWorkingDir: ROOT,
  outdir: join(DIST, outdir),
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  chunkNames: "chunks/[name]-[hash]",
  charset: "utf8",
  logLevel: "warning",
  plugins: [bundledAddresses(ROOT)],
});

rmSync(DIST, { recursive: true, force: true });
await Promise.all([
  build({
    ...shared("cli"),
    entryPoints: { mend: "cli/main.ts", ...PROGRAMS },
    minify: true,
    keepNames: true,
    external: Object.keys(packageJson().peerDependencies).concat("esbuild", "tsx"),
    banner: { js: REQUIRE },
    plugins: [bundledAddresses(ROOT), withoutUnused],
  }),
  build({ ...shared("lib"), entryPoints: { index: "index.ts", ...PROGRAMS }, packages: "external" }),
]);
chmodSync(join(DIST, "cli", "mend.js"), 0o755);
const project = join(ROOT, "build", "tsconfig.json");
process.exitCode = spawnSync(process.execPath, [compiler(), "--project", project], { stdio: "inherit" }).status ?? 1;

function packageJson(): { peerDependencies: Record<string, string> } {
  return JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
}

function compiler(): string {
  const file = createRequire(import.meta.url).resolve("typescript/package.json");
  return join(dirname(file), "bin", "tsc");
}

const ADDRESSES = "mend:addresses";

/** @param root of the project; the bundle lies in `dist/NAME/`, which modules find as `import.meta.built` */
export function bundledAddresses(root: string): Plugin {
  return {
    name: "bundled-addresses",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: new RegExp(`^${ADDRESSES}$`) }, ({ path }) => ({ path, namespace: "mend" }));
      onLoad({ filter: /.*/, namespace: "mend" }, () => ({
        contents: `const [built, above] = /^(.*\\/)dist\\/[^/]+\\//.exec(import.meta.url);${addressModule("above", ", built")}`,
        loader: "js",
        resolveDir: root,
      }));
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (path.includes("/node_modules/")) return;
        const contents = withOwnAddress(await readFile(path, "utf8"), relative(root, path), ADDRESSES);
        return contents === null ? undefined : { contents, loader: "ts" };
      });
    },
  };
}
