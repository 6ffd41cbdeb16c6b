/** Rust, compiled by the rustc on PATH. A task's function is one at the top level of its file. */

import { oneOf } from "../../base/text/patterns.ts";
import { marked, withoutMarked } from "../answers.ts";
import { compiledLanguage } from "../compiled.ts";
import { assemble, isBody } from "./assemble.ts";
import { hasCrate } from "./built_crates.ts";
import { usedCrates } from "./crates.ts";
import { inProcessSources, whyInProcess } from "./in_process.ts";
import { itemsOf } from "./items.ts";
import { scan } from "./scan.ts";
import { partsAround, rustFiles } from "./source_files.ts";
import { judgeSources, runSources } from "./sources.ts";
import { hasTests, testModules } from "./tests.ts";
import { commands, prepare, runnerFolder, steps, toolchain } from "./toolchain.ts";

const INSTALL = "sudo apt install rustc cargo mold librust-rand-dev librust-regex+default-dev librust-md5-dev";
const TAGS = /^(?:|rust|rs|code|tool_code)$/;
const STATEMENT = new RegExp(
  oneOf(
    /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+|async\s+|const\s+)*fn\s+\w+\s*[<(]/,
    /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:struct|enum|trait|mod)\s+\w+[^.]*[{;(]|impl\b[^.]*\{)/,
    /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:const|static)\s+\w+\s*:|type\s+\w+)/,
    /^\s*(?:use\s+[\w:]+(?:::|;|\s+as\b)|#!?\[\w|let\s+(?:mut\s+)?[\w(&]|macro_rules!\s*\w)/,
    /^\s*(?:return\b.*;|(?:if|for|while|match)\b.*\{\s*$|loop\s*\{|\w+!\s*[([{])/,
    /^\s*[*\w.[\]]{1,80}\s*[-+*/%|&^]?=(?!=).*;\s*$/,
    /^\s*[\w.:]{1,80}\(.*\);?\s*$/,
  ),
);

export const rust = compiledLanguage({
  name: "rust",
  title: "Rust",
  extensions: [".rs"],
  scan,
  lacks,
  install: INSTALL,
  toolchain() {
    const found = toolchain();
    return found && { version: found.version, place: found.compiler };
  },
  runtime: {
    commands,
    lastWords: /^thread '.*' (?:\(\d+\) )?(?:panicked|has overflowed).*$/m,
    // Rust tells the first thread's overflow only where it can read of its own memory, as in no box.
    wrongAccess: (code) => (/\b(?:unsafe|abort)\b/.test(code) ? undefined : "the stack overflowed"),
    compiled: {
      folder: runnerFolder,
      prepare,
      build: { steps },
      runSources,
      judgeSources,
      inProcessSources,
    },
  },
  files: rustFiles,
  whyInProcess,
  assemble,
  partsAround,
  withHarness,
  definitions: (code) => itemsOf(code).flatMap(({ kind, name }) => (kind === "fn" ? name : [])),
  ownTests: testModules,
  definesSomething: (code) =>
    itemsOf(code).some(({ kind }) => kind === "fn" || kind === "type" || kind === "impl") || isBody(code),
  marks: { tags: TAGS, statement: STATEMENT, lastLine: /[;{}\])]\s*(?:\/\/.*)?$/ },
});

function lacks(code: string): string | null {
  const missing = usedCrates(code).find((name) => !hasCrate(name));
  return missing === undefined ? null : `the crate ${missing} is not installed: ${INSTALL}`;
}

/** With the harness's functions behind the program's, or with its statements as a `main`. */
function withHarness(code: string, harness: string): string {
  const isFile = hasTests(harness) || itemsOf(harness).some(({ kind, name }) => kind === "fn" && name === "main");
  const test = isFile ? harness : `fn main() {\n${harness}\n}`;
  return `${withoutMarked(code)}${marked(test)}`;
}
