/** The document around every page: one file, no network, and a policy that lets nothing else run or load. */

import { createHash } from "node:crypto";

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

export function htmlDocument({ title, style, main, islands, script, isServed }: PageDocument): string {
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
