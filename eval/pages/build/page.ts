/**
 * Every page that a browser sees: one file with a script and the data it draws kept apart from it, no network, and a
 * policy that lets nothing else run or load.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { deflated } from "./pack.ts";
import { type PageName, scriptOf } from "./scripts.ts";

const STYLES = ["base", "overview", "table", "sample", "meta", "narrow", "print"];

interface PageParts {
  title: string;
  /** What the page draws at first. */
  data: unknown;
  /** Packed details, see pack.ts; the data are then deflated, too. */
  details?: string;
  /** True for a page that talks to the server it came from. */
  isServed: boolean;
}

export function page(name: PageName, { title, data, details, isServed }: PageParts): string {
  const file = (style: string) => readFileSync(new URL(`../style/${style}.css`, import.meta.url), "utf8");
  const islands =
    details === undefined
      ? [island("data", "application/json", json(data))]
      : [island("data", "text/plain", deflated(JSON.stringify(data))), island("details", "text/plain", details)];
  return htmlDocument({
    title,
    style: STYLES.map(file).join("\n"),
    main:
      "<noscript><p>This page needs JavaScript, which is switched off here: allow it, or open it in another browser. " +
      "The page loads nothing from the network.</p></noscript>",
    islands,
    script: scriptOf(name),
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

interface PageDocument {
  title: string;
  style: string;
  /** Contents of `main`, as markup that is safe. */
  main: string;
  /** Data for the script: elements between `main` and it. */
  islands: readonly string[];
  /** A module. */
  script: string;
  /** True for a page that talks to the server it came from. */
  isServed: boolean;
}

function htmlDocument({ title, style, main, islands, script, isServed }: PageDocument): string {
  const policy = contentSecurityPolicy({ style, script, isServed });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)} · mend</title>
<style>${style}</style>
</head>
<body>
<main id="page">${main}</main>
${[...islands, `<script type="module">${script}</script>`].join("\n")}
</body>
</html>
`;
}

/** Only this script and this style, nothing from anywhere else; a served page may talk to its own server. */
function contentSecurityPolicy({
  style,
  script,
  isServed,
}: Pick<PageDocument, "style" | "script" | "isServed">): string {
  const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  return [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    ...(isServed ? ["connect-src 'self'"] : []),
    // What a page's library could take for markup, the browser refuses.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** `text` as text of a document. Control characters and bidirectional marks could make it look like another. */
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`).replace(/(?![\n\t])[\p{Cc}\p{Cf}]/gu, "\uFFFD");
