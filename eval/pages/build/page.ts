/** Every page that a browser sees: a script, and the data it draws kept apart from it. */

import { readFileSync } from "node:fs";
import { htmlDocument } from "./document.ts";
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
