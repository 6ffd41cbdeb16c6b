/** The search program for JavaScript: the files of this folder, acorn and one task's parameters as a single script. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";
import { packagesForJobs } from "../../languages/javascript/packages.ts";
import type { EditKnowledge } from "../knowledge.ts";
import { javascriptGrammar } from "./edits/grammar.ts";

/** Files of the engine in the order in which they need each other. */
const FILES = [
  "edits/parse",
  "edits/source",
  "edits/types",
  "edits/points",
  "execute",
  "asserts",
  "program",
  "checks",
  "suite",
  "edits/facts",
  "edits/candidates",
  "observe",
  "compare",
  "choose",
  "trial",
  "search",
  "thread",
];

/**
 * Those that make edits of a program and put marks into it, or compare; they leave the process that they run in as it
 * is.
 */
const EDITS = [...FILES.filter((name) => name.startsWith("edits/")), "observe", "compare", "choose"];

const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");

const required = createRequire(import.meta.url);
const { resolve } = required;

const packedTexts = new Map<string, string>();

/** A file of a package, compressed: parsers are long. */
function packed(file: string, changed: (text: Buffer) => Buffer | string = (text) => text): string {
  const found = packedTexts.get(file) ?? deflateSync(changed(readFileSync(file))).toString("base64");
  packedTexts.set(file, found);
  return found;
}

/** acorn's plugin for TypeScript: a module that imports acorn and exports one function, here as CommonJS. */
const typesPlugin = (): string =>
  packed(resolve("@sveltejs/acorn-typescript"), (text) =>
    text
      .toString()
      .replace(/^import \* as (\w+) from "acorn";$/m, 'const $1 = require("acorn");')
      .replace(/^export \{([^}]*)\};?$/m, "module.exports = {$1};"),
  );

/** tree-sitter with its grammar of JavaScript. */
function treeSitter(): string {
  const file = (name: string) => packed(join(dirname(resolve("@vscode/tree-sitter-wasm")), name));
  const library = file("tree-sitter.js");
  return JSON.stringify({ library, wasm: file("tree-sitter.wasm"), javascript: file(javascriptGrammar.wasm) });
}

let vocabulary: string | undefined;

/** The edits that all languages share, as a script that declares `VOCABULARY`. */
function vocabularyScript(): string {
  // Loaded when it is needed: commands start without it.
  const { buildSync }: typeof import("esbuild") = required("esbuild");
  vocabulary ??= buildSync({
    entryPoints: [fileURLToPath(new URL("edits/vocabulary.ts", import.meta.url))],
    bundle: true,
    format: "iife",
    globalName: "VOCABULARY",
    write: false,
  }).outputFiles[0]?.text;
  return vocabulary ?? "";
}

const bundled = (files: readonly string[], tables: object, withTypes: boolean): string =>
  [
    `const PARSER = "${packed(resolve("acorn"))}";`,
    `const TYPES_PARSER = "${withTypes ? typesPlugin() : ""}";`,
    `const TABLES = ${JSON.stringify(tables)};`,
    `const TREE_SITTER = ${treeSitter()};`,
    vocabularyScript(),
    ...files.map((name) => read(`${name}.js`).trim()),
  ].join("\n\n");

/** The engine as the body of a function: what it declares is there for what stands behind it. */
export const javascriptEngine = (tables: object, withTypes = false): string => bundled(FILES, tables, withTypes);

/** The part of it that is the same wherever candidates run. */
export const javascriptEdits = (tables: object): string => bundled(EDITS, tables, true);

/** By their tables, and whether types are read. */
const engines = new WeakMap<object, Map<boolean, string>>();

/** False where a text is JavaScript as it stands. */
async function mayHaveTypes(text: string): Promise<boolean> {
  const { parse } = await import("acorn");
  try {
    parse(text, { ecmaVersion: "latest", sourceType: "module", allowReturnOutsideFunction: true, allowHashBang: true });
    return false;
  } catch {
    return true;
  }
}

/** The packages that a program asks for, as text. */
const packagesIn = (program: string) =>
  Object.fromEntries(Object.entries(packagesForJobs()).filter(([name]) => program.includes(name)));

/** The engine and what watches it, for programs with or without types. */
function watchedEngine(tables: object, withTypes: boolean): string {
  const known = engines.get(tables) ?? new Map<boolean, string>();
  engines.set(tables, known);
  const engine =
    known.get(withTypes) ??
    `${read("watch.js").trim()}\n\nconst engine = () => ` +
      `{\n${javascriptEngine(tables, withTypes)}\n\nreturn searchInThread;\n};`;
  known.set(withTypes, engine);
  return engine;
}

/** The script to run: prints a line `SEARCH_RESULT {json}`. */
export async function javascriptScript(
  task: { program: string; tests: string },
  { javascript, priors }: Pick<EditKnowledge, "javascript" | "priors">,
): Promise<string> {
  const engine = watchedEngine(javascript, (await mayHaveTypes(task.program)) || (await mayHaveTypes(task.tests)));
  return (
    `${engine}\n\nwatchSearch(engine, ${JSON.stringify({ ...task, packages: packagesIn(task.program) })}, ` +
    `${JSON.stringify(priors)});\n`
  );
}
