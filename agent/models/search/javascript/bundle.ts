/** The search program for JavaScript: the files of this folder, acorn and one task's parameters as a single script. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { deflateSync } from "node:zlib";
import { packagesForJobs } from "../../../../utils/languages/javascript/packages.ts";

/** Files of the engine in the order in which they need each other. */
const FILES = [
  "edits/parse",
  "edits/source",
  "edits/points",
  "execute",
  "asserts",
  "program",
  "checks",
  "suite",
  "edits/facts",
  "edits/templates",
  "edits/operators",
  "edits/statements",
  "edits/generate",
  "observe",
  "choose",
  "trial",
  "search",
  "thread",
];

/** Those that make edits of a program and put marks into it; they leave the process that they run in as it is. */
const EDITS = [...FILES.filter((name) => name.startsWith("edits/")), "observe"];

const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");

/** acorn, packed: its text alone is longer than all that an agent's message holds otherwise. */
const parser = () => {
  const { resolve } = createRequire(import.meta.url);
  return deflateSync(readFileSync(resolve("acorn")), { level: 9 }).toString("base64");
};

const bundled = (files: readonly string[]): string =>
  [
    `const PARSER = "${parser()}";`,
    `const TABLES = ${JSON.stringify(JSON.parse(read("edits/tables.json")))};`,
    ...files.map((name) => read(`${name}.js`).trim()),
  ].join("\n\n");

/** The engine as the body of a function: what it declares is there for what stands behind it. */
export const javascriptEngine = (): string => bundled(FILES);

/** The part of it that is the same wherever candidates run. */
export const javascriptEdits = (): string => bundled(EDITS);

let engine: string | undefined;

/** The packages that a program asks for, as text. */
const packagesIn = (program: string) =>
  Object.fromEntries(Object.entries(packagesForJobs()).filter(([name]) => program.includes(name)));

/** The script to run: prints a line `SEARCH_RESULT {json}`. */
export function javascriptScript(task: { program: string }, priors: object): string {
  engine ??= `${read("watch.js").trim()}\n\nconst engine = () => {\n${javascriptEngine()}\n\nreturn searchInThread;\n};`;
  return `${engine}\n\nwatchSearch(engine, ${JSON.stringify({ ...task, packages: packagesIn(task.program) })}, ${JSON.stringify(priors)});\n`;
}
