/** Pages about runs: a script, and the data it draws kept apart from it. */

import { readFileSync } from "node:fs";
import { htmlDocument } from "./document.ts";

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
  const main = "<noscript><p>This page draws itself with a script, which is switched off here.</p></noscript>";
  return htmlDocument({ title, style, main, islands, script, isServed });
}

const island = (id: string, type: string, text: string) => `<script type="${type}" id="${id}">${text}</script>`;

/** JSON that no HTML parser takes for markup, and that holds no line separator of old scripts. */
const json = (data: unknown) =>
  JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
