/** Every page that a browser sees: a script, and the data it draws kept apart from it. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { htmlDocument } from "./document.ts";
import { deflated } from "./pack.ts";

const STYLES = ["base", "overview", "table", "sample", "meta", "narrow", "print"];

/** One row a page: what draws it. */
const PAGES = {
  report: "report/page.tsx",
  runs: "run_list/page.tsx",
  compare: "compare/page.tsx",
  leaderboard: "leaderboard/page.tsx",
  meta: "meta/page.tsx",
} as const;

interface PageParts {
  title: string;
  /** What the page draws at first. */
  data: unknown;
  /** Packed details, see pack.ts; the data are then deflated, too. */
  details?: string;
  /** True for a page that talks to the server it came from. */
  isServed: boolean;
}

export function page(name: keyof typeof PAGES, { title, data, details, isServed }: PageParts): string {
  const file = (style: string) => readFileSync(new URL(`../style/${style}.css`, import.meta.url), "utf8");
  const islands =
    details === undefined
      ? [island("data", "application/json", json(data))]
      : [island("data", "text/plain", deflated(JSON.stringify(data))), island("details", "text/plain", details)];
  return htmlDocument({
    title,
    style: STYLES.map(file).join("\n"),
    main: "<noscript><p>This page draws itself with a script, which is switched off here.</p></noscript>",
    islands,
    script: bundle(PAGES[name]),
    isServed,
  });
}

const island = (id: string, type: string, text: string) => `<script type="${type}" id="${id}">${text}</script>`;

/** JSON that no HTML parser takes for markup, and that holds no character that cannot be seen. */
const json = (data: unknown) =>
  JSON.stringify(data).replace(/[<>&\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) =>
    char
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );

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
