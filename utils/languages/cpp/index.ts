/** C++, compiled by the g++ on PATH. A task's function is one at the top level of its file. */

import { oneOf } from "../../base/text/patterns.ts";
import { marked, withoutMarked } from "../answers.ts";
import { compiledLanguage } from "../compiled.ts";
import { allItems } from "../items.ts";
import { assemble, declarationOf, returnsAtTopLevel } from "./assemble.ts";
import { inProcessSources, whyInProcess } from "./in_process.ts";
import { itemsOf, partsAround } from "./items.ts";
import { scan } from "./scan.ts";
import { cppFiles } from "./source_files.ts";
import { judgeSources, runSources } from "./sources.ts";
import { hasHeader, headerFolders, prepare, runnerFolder, steps, toolchain } from "./toolchain.ts";

const TAGS = /^(?:|c\+\+|cpp|cc|cxx|c|hpp|code|tool_code)$/;
const STATEMENT = new RegExp(
  oneOf(
    /^\s*#\s*(?:include\s*[<"]|define\s+\w|if(?:n?def)?\s+\w|endif\b|pragma\s+\w)/,
    /^\s*using\s+namespace\s+\w+;|^\s*(?:template\s*<|typedef\s+\w.*;|(?:class|struct|enum|namespace)\s+\w+\s*[{:])/,
    /^\s*[\w:]+(?:<.*>)?[\s*&]+[\w:]+\([^;]*\)\s*(?:const\s*)?\{/,
    /^\s*(?:return\b.*;|throw\s+[\w:]+\(|(?:if|for|while|switch)\s*\(|std::\w+)/,
    /^\s*[\w.[\]<>:*& ,-]{1,80}\s*[-+*/%|&]?=(?!=).*;\s*$/,
    /^\s*[\w.:>-]{1,80}\(.*\);\s*$/,
  ),
);

export const cpp = compiledLanguage({
  name: "cpp",
  title: "C++",
  extensions: [".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx", ".h"],
  scan,
  lacks,
  install: "sudo apt install g++ mold libboost-dev libssl-dev",
  toolchain() {
    const found = toolchain();
    return found && { version: found.version, place: found.compiler };
  },
  runtime: {
    commands: () => ({ candidate: [], judge: [], executable: "", readable: headerFolders() }),
    lastWords: /^the stack overflowed$/m,
    compiled: {
      folder: runnerFolder,
      prepare,
      build: { steps },
      runSources,
      judgeSources,
      inProcessSources,
    },
  },
  files: cppFiles,
  whyInProcess,
  assemble,
  partsAround,
  withHarness: (code, harness) => `${withoutMarked(code)}${marked(harness)}`,
  definitions: (code) =>
    [...allItems(itemsOf(code))].flatMap(({ kind, name, around }) =>
      kind === "function" && around.length === 0 ? name : [],
    ),
  declarationOf,
  definesSomething: (code) =>
    itemsOf(code).some(({ kind }) => kind === "function" || kind === "type") || returnsAtTopLevel(code),
  marks: { tags: TAGS, statement: STATEMENT, lastLine: /[;{}>"]\s*(?:\/\/.*)?$/ },
});

/** Headers that are not part of the compiler, and what installs them. */
const LIBRARIES = [
  { header: /^boost\//, install: "sudo apt install libboost-dev" },
  { header: /^openssl\//, install: "sudo apt install libssl-dev" },
];

function lacks(code: string): string | null {
  for (const [, name = ""] of code.matchAll(/^\s*#\s*include\s*<([^>\n]+)>/gm)) {
    const library = LIBRARIES.find(({ header }) => header.test(name));
    if (library && !hasHeader(name)) return `<${name}> is not installed: ${library.install}`;
  }
  return null;
}
