/**
 * Bundled modules keep the address of the files they were made from, beside which their prompts, Python and pages lie.
 */

/** In texts for other modules. Put together, as this module may itself be one whose own is replaced. */
export const IMPORT_META = ["import", "meta"].join(".");

/**
 * Text of the module that knows where bundles lie. @param root an expression, with `import.meta.url` that of the bundle
 */
export const addressModule = (root: string, extra = ""): string => `
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
const root = ${root};
export function metaOf(path) {
  const url = new URL(path, root).href;
  const filename = fileURLToPath(url);
  return { url, filename, dirname: dirname(filename)${extra} };
}
`;

/**
 * The same module with its `import.meta` taken from the address module; null where it has none.
 * @param path of the module, from the root, @param addresses what it imports the address module by
 */
export function withOwnAddress(source: string, path: string, addresses: string): string | null {
  if (!source.includes(IMPORT_META)) return null;
  const [, hashbang = "", rest = ""] = /^(#![^\n]*\n)?(.*)$/s.exec(source) ?? [];
  const own =
    `import { metaOf as __metaOf } from ${JSON.stringify(addresses)}; const __meta = ` +
    `__metaOf(${JSON.stringify(path)});`;
  return hashbang + own + rest.replaceAll(IMPORT_META, "__meta");
}

/** For the head of a bundle: LangChain has CommonJS inside, which asks for `require`. */
export const REQUIRE =
  `import { createRequire as __createRequire } from "node:module"; const require = ` +
  `__createRequire(${IMPORT_META}.url);`;
