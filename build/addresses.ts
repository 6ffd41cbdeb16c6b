/** An esbuild plugin: a bundled module keeps the address of its source, beside which its prompts, Python and pages lie. */

import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import type { Plugin } from "esbuild";

/**
 * Replaces `import.meta` of our own modules by what it is for their sources in the package.
 * @param root of the project; the bundle lies in a folder `dist` directly below it, at any depth
 */
export function bundledAddresses(root: string): Plugin {
  return {
    name: "bundled-addresses",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^mend:addresses$/ }, () => ({ path: "mend:addresses", namespace: "mend" }));
      onLoad({ filter: /.*/, namespace: "mend" }, () => ({ contents: ADDRESSES, loader: "js", resolveDir: root }));
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const source = await readFile(path, "utf8");
        if (path.includes("/node_modules/") || !source.includes("import.meta")) return;
        const own = `import { metaOf as __metaOf } from "mend:addresses"; const __meta = __metaOf(${JSON.stringify(relative(root, path))});`;
        const [first = "", ...rest] = source.split("\n");
        const hashbang = first.startsWith("#!");
        const text = hashbang ? [first, own + (rest[0] ?? ""), ...rest.slice(1)].join("\n") : own + source;
        return { contents: text.replaceAll("import.meta", "__meta"), loader: "ts" };
      });
    },
  };
}

/** `import.meta` of a source, with the folder of the bundle as `built`. The bundle lies in `dist/NAME/`, its parts below. */
const ADDRESSES = `
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
const [built, root] = /^(.*\\/)dist\\/[^/]+\\//.exec(import.meta.url);
export function metaOf(path) {
  const url = new URL(path, root).href;
  const filename = fileURLToPath(url);
  return { url, filename, dirname: dirname(filename), built };
}
`;
