/** The page as HTML: one file, no network, data kept apart from code. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** Modules of the page's script in the order in which they need each other. */
const MODULES =
  "visible dom format tokens blocks diff chart source cards overview columns table detail keys main".split(" ");
const RUNS_MODULES = "visible dom format chart source runs".split(" ");
const STYLES = ["base", "overview", "table", "sample", "narrow"];

const file = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");

/** The modules as one: their imports of each other and the word `export` taken off. */
const bundle = (names: readonly string[]): string =>
  names
    .map((name) => file(`client/${name}.js`))
    .join("\n")
    .replace(/^import\s[^;]*;\n/gm, "")
    .replace(/^export (?=const|let|function|class|async)/gm, "");

/** A page about one run. @param details packed, or null where the page fetches them from the server that sent it */
export const runPage = (title: string, data: unknown, details: string | null): string =>
  page(title, bundle(MODULES), details === null, [
    island("data", "application/json", json(data)),
    ...(details === null ? [] : [island("details", "text/plain", details)]),
  ]);

/** The list of all runs. */
export const runsPage = (data: unknown): string =>
  page("Runs", bundle(RUNS_MODULES), true, [island("data", "application/json", json(data))]);

function page(title: string, script: string, isServed: boolean, islands: readonly string[]): string {
  const style = STYLES.map((name) => file(`style/${name}.css`)).join("\n");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(script, style, isServed)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)} · mend</title>
<style>${style}</style>
</head>
<body>
<main id="page"><noscript><p>This page draws itself with a script, which is switched off here.</p></noscript></main>
${islands.join("\n")}
<script type="module">${script}</script>
</body>
</html>
`;
}

/** Only this script and this style, nothing from anywhere else; a served page may talk to its own server. */
function contentSecurityPolicy(script: string, style: string, isServed: boolean): string {
  const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  return [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    ...(isServed ? ["connect-src 'self'"] : []),
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

const island = (id: string, type: string, text: string) => `<script type="${type}" id="${id}">${text}</script>`;

/** JSON that no HTML parser takes for markup, and that holds no line separator of old scripts. */
const json = (data: unknown) =>
  JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`).replace(/[\p{Cc}\p{Cf}]/gu, "\uFFFD");
