/** Go, compiled and linked by the toolchain on PATH. A task's function is one at the top level of its file. */

import { oneOf } from "../../base/text/patterns.ts";
import { marked, withoutMarked } from "../answers.ts";
import { compiledLanguage } from "../compiled.ts";
import { assemble, isBody } from "./assemble.ts";
import { importClauses, withoutClauses } from "./imports.ts";
import { inProcessSources, whyInProcess } from "./in_process.ts";
import { scan } from "./scan.ts";
import { goFiles } from "./source_files.ts";
import { judgeSources, runSources } from "./sources.ts";
import { commands, prepare, runnerFolder, steps, toolchain } from "./toolchain.ts";
import { findFunction, partsAround, unitOf } from "./unit.ts";

const TAGS = /^(?:|go|golang|code|tool_code)$/;
const STATEMENT = new RegExp(
  oneOf(
    `^\\s*${oneOf(
      /package\s+\w+\s*$|import\s+(?:\(|"|\w+\s+")|func\s*(?:\([^)]*\)\s*)?\w*\s*[([]/,
      /(?:type|var|const)\s+(?:\(|\w+[\w,\s]*\s*(?:=|struct\b|interface\b|\[|\*|map\b|func\b|u?int|string|bool|float))/,
      /return\b\s*(?:$|[\w"'`([{!&*+-].*)|(?:if|for|switch|select)\b.*\{\s*$|(?:defer|go)\s+\w[\w.]*\(|fmt\.\w+\(/,
    )}`,
    /^\s*[\w.[\]*, ]{1,80}\s*(?::=|[-+*/%|&^]=|=(?!=)).+$/,
    /^\s*[\w.]{1,80}(?:\(.*\)|\+\+|--)\s*$/,
  ),
);

export const go = compiledLanguage({
  name: "go",
  title: "Go",
  extensions: [".go"],
  scan,
  install: "sudo apt install golang-go golang-github-stretchr-testify-dev",
  toolchain() {
    const found = toolchain();
    return found && { version: found.version, place: found.root };
  },
  runtime: {
    commands,
    lastWords: /^(?:fatal error|panic): .*$/m,
    compiled: {
      folder: runnerFolder,
      prepare,
      build: { steps },
      runSources,
      judgeSources,
      inProcessSources,
    },
  },
  files: goFiles,
  whyInProcess,
  assemble,
  partsAround,
  withHarness,
  definitions: (code) =>
    unitOf(code).declarations.flatMap(({ kind, names, receiver }) =>
      kind === "func" && receiver === null ? names : [],
    ),
  declarationOf,
  isModule: (code) => (unitOf(code).packageName ?? "main") !== "main",
  definesSomething: (code) =>
    unitOf(code).declarations.some(({ kind, body }) => kind === "type" || (kind === "func" && body !== null)) ||
    isBody(code),
  marks: { tags: TAGS, statement: STATEMENT, lastLine: /[)}]\s*(?:\/\/.*)?$/, endsWithStatement: true },
});

/** The text up to the function without the comment right before it, which says what the function should do. */
function declarationOf(documented: string, entryPoint: string): string {
  const unit = unitOf(documented);
  const found = findFunction(unit, entryPoint) ?? unit.declarations.findLast(({ kind }) => kind === "func");
  if (!found) return documented;
  const before = documented.slice(0, found.start).replace(/(?:^[ \t]*\/\/[^\n]*\n)+$/m, "");
  return before + documented.slice(found.start);
}

/**
 * With the harness's functions behind the program's, or with its statements as a `main`; its imports go to the first
 * line.
 */
function withHarness(code: string, harness: string): string {
  const unit = unitOf(harness);
  const rest = withoutClauses(harness, unit);
  const hasFunctions = unit.declarations.some(({ kind }) => kind === "func");
  const test = hasFunctions ? rest : `func main() {\n${rest}\n}`;
  const imports = importClauses(unit.imports);
  const { clauses, packageName } = unitOf(code);
  const first = packageName === null ? 0 : (clauses[0]?.end ?? 0);
  const before = withoutMarked(code);
  const separated = imports === "" ? "" : `${first > 0 ? "; " : ""}${imports}`;
  return `${before.slice(0, first)}${separated}${before.slice(first)}${marked(test)}`;
}
