/** An esbuild plugin: modules of ours keep the addresses of their sources, which the package holds too. */

import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import type { Plugin } from "esbuild";
import { addressModule, withOwnAddress } from "../utils/own_address.ts";

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
