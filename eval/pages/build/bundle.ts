/** Compiles a page's script: its components and Preact as one text. */

import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const bundles = new Map<string, string>();

/** @param entry of a page, such as `report/page.tsx`; compiled once a process */
export function bundle(entry: string): string {
  const known = bundles.get(entry);
  if (known !== undefined) return known;
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL(`../${entry}`, import.meta.url))],
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    target: "es2023",
    charset: "ascii",
    legalComments: "none",
    jsx: "automatic",
    jsxImportSource: "preact",
    logLevel: "silent",
    tsconfigRaw: "{}",
  });
  const text = outputFiles[0]?.text ?? "";
  bundles.set(entry, text);
  return text;
}
