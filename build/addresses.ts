/** An esbuild plugin: modules of ours keep the addresses of their sources, which the package holds too. */

import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import type { Plugin } from "esbuild";
import { addressModule, withOwnAddress } from "../utils/program/own_address.ts";

const ADDRESSES = "mend:addresses";

/** Where a bundle in `dist/NAME/` lies, wherever the project is installed, and where the project is. */
const INSTALLED = "const [built, above] = /^(.*\\/)dist\\/[^/]+\\//.exec(import.meta.url);";

/**
 * @param root of the project; modules find the bundle's folder as `import.meta.built`
 * @param places JavaScript that defines `built` and `above`: the addresses of the bundle's folder and of the project
 */
export function bundledAddresses(root: string, places = INSTALLED): Plugin {
  return {
    name: "bundled-addresses",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: new RegExp(`^${ADDRESSES}$`) }, ({ path }) => ({ path, namespace: "mend" }));
      onLoad({ filter: /.*/, namespace: "mend" }, () => ({
        contents: `${places}${addressModule("above", ", built")}`,
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
