/** The scripts that draw the pages: one file each, which a browser runs as it is. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/** One row a page: what draws it. */
export const PAGES = {
  report: "report/page.tsx",
  runs: "runs/page.tsx",
  meta: "meta/page.tsx",
} as const;

export type PageName = keyof typeof PAGES;

/** How esbuild compiles them. */
export const SCRIPT_OPTIONS = {
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2023",
  charset: "ascii",
  legalComments: "none",
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "silent",
  tsconfigRaw: "{}",
} as const;

const scripts = new Map<PageName, string>();

/** The page's script: read from the built package or, in a clone, compiled once per process. */
export function scriptOf(name: PageName): string {
  const known = scripts.get(name);
  if (known !== undefined) return known;
  const beside = import.meta.built;
  const script = beside === undefined ? compiled(name) : readFileSync(new URL(`pages/${name}.js`, beside), "utf8");
  scripts.set(name, script);
  return script;
}

function compiled(name: PageName): string {
  // Loaded only here: it takes as long as a start of Node.
  const { buildSync }: typeof import("esbuild") = createRequire(import.meta.url)("esbuild");
  const source = fileURLToPath(new URL(`../${PAGES[name]}`, import.meta.url));
  const { outputFiles } = buildSync({ ...SCRIPT_OPTIONS, entryPoints: [source], write: false });
  return outputFiles[0]?.text ?? "";
}
