/** How programs of ours are bundled: those that are published and those that tests start. */

import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { BuildOptions, Plugin } from "esbuild";
import { addressModule, withOwnAddress } from "../utils/base/host/own_address.ts";
import { ownDependencies } from "../utils/base/host/own_packages.ts";

export const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** Libraries that are never bundled: those that a user may lack, and those that look for files beside their own. */
export const outsideLibraries = (): string[] => [...ownDependencies().lacking, "esbuild", "tsx"];

/** Libraries whose objects users pass to mend and receive from it: the package imports the copy that users have. */
export const SHARED_LIBRARIES = ["@langchain/core", "@langchain/langgraph"];

/** @param places where the bundle finds itself and the project; see `bundledAddresses` */
export const bundleOptions = (outdir: string, places = INSTALLED): BuildOptions => ({
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

/** One script in place of modules, which Node.js finds and links one by one. @param places see `bundledAddresses` */
export const scriptOptions = (outdir: string, places = installedAt(OWN_ADDRESS)): BuildOptions => ({
  ...bundleOptions(outdir, places),
  splitting: false,
  format: "cjs",
  outExtension: { ".js": ".cjs" },
  charset: "ascii",
  // `import()` of what stays outside becomes `require`: in such a script it needs flags of Node.js.
  supported: { "dynamic-import": false },
  // A line that throws is shown whole.
  lineLimit: 200,
});

const ADDRESSES = "mend:addresses";

/** What a script of `scriptOptions` has for `import.meta.url`. */
export const OWN_ADDRESS = 'require("node:url").pathToFileURL(__filename).href';

/** Where a bundle in `dist/NAME/` lies, wherever the project is installed, and where the project is. */
const installedAt = (address: string): string => `const [built, above] = /^(.*\\/)dist\\/[^/]+\\//.exec(${address});`;
const INSTALLED = installedAt("import.meta.url");

/** A script cannot wait at its top: what a command's module does last is started there. */
const LAST = /^await (?=(?:runCommand|main)\()/m;

/**
 * An esbuild plugin: modules of ours keep the addresses of their sources, which the package holds too.
 * @param root of the project; modules find the bundle's folder as `import.meta.built`
 * @param places JavaScript that defines `built` and `above`: the addresses of the bundle's folder and of the project
 */
function bundledAddresses(root: string, places: string): Plugin {
  return {
    name: "bundled-addresses",
    setup({ initialOptions, onLoad, onResolve }) {
      const isScript = initialOptions.format === "cjs";
      onResolve({ filter: new RegExp(`^${ADDRESSES}$`) }, ({ path }) => ({ path, namespace: "mend" }));
      onLoad({ filter: /.*/, namespace: "mend" }, () => ({
        contents: `${places}${addressModule("above", ", built")}`,
        loader: "js",
        resolveDir: root,
      }));
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (path.includes("/node_modules/")) return;
        const source = await readFile(path, "utf8");
        const text = isScript ? source.replace(LAST, "void ") : source;
        const contents = withOwnAddress(text, relative(root, path), ADDRESSES) ?? (text === source ? null : text);
        return contents === null ? undefined : { contents, loader: "ts" };
      });
    },
  };
}

/** An esbuild plugin: leaves out the messages of zod in other languages than English. */
export const withoutLocales: Plugin = {
  name: "without-locales",
  setup({ onLoad }) {
    onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({ contents: "export {};", loader: "js" }));
  },
};
