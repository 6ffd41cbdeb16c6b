/** C++, compiled by the g++ on PATH. A task's function is one at the top level of its file. */

import { oneOf } from "../../base/text/patterns.ts";
import { codeInProse, marked, withoutMarked } from "../answers.ts";
import { compiledBy } from "../compiled.ts";
import { allItems } from "../items.ts";
import type { Language } from "../language.ts";
import type { CompiledLanguage, Runtime } from "../runtime.ts";
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
const INSTALL = "sudo apt install g++ mold libboost-dev libssl-dev";

const compiled: CompiledLanguage = {
  folder: runnerFolder,
  prepare,
  build: { steps },
  runSources,
  judgeSources,
  inProcessSources,
};

const runtime: Runtime = {
  id: "cpp",
  title: "C++",
  get version() {
    return toolchain()?.version ?? null;
  },
  get place() {
    return toolchain()?.compiler ?? null;
  },
  install: INSTALL,
  commands: () => ({ candidate: [], judge: [], executable: "", readable: headerFolders() }),
  lastWords: /^the stack overflowed$/m,
  compiled,
};

export const cpp: Language = {
  name: "cpp",
  title: "C++",
  config: "cpp",
  extensions: [".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx", ".h"],
  fence: "cpp",
  runtime,
  files: cppFiles,
  ...compiledBy(scan),
  whyInProcess,
  callsOnObjects: false,
  assemble,
  partsAround,
  withHarness: (code, harness) => `${withoutMarked(code)}${marked(harness)}`,
  definitions: (code) =>
    [...allItems(itemsOf(code))].flatMap(({ kind, name, around }) =>
      kind === "function" && around.length === 0 ? name : [],
    ),
  declarationOf,
  isModule: () => false,
  unavailable,
  definesSomething: (code) =>
    itemsOf(code).some(({ kind }) => kind === "function" || kind === "type") || returnsAtTopLevel(code),
  ...codeInProse({ tags: TAGS, statement: STATEMENT, lastLine: /[;{}>"]\s*(?:\/\/.*)?$/ }),
};

/** Headers that are not part of the compiler, and what installs them. */
const LIBRARIES = [
  { header: /^boost\//, install: "sudo apt install libboost-dev" },
  { header: /^openssl\//, install: "sudo apt install libssl-dev" },
];

function unavailable(code: string): string | null {
  if (!toolchain()) return `C++ is not installed: ${INSTALL}`;
  for (const [, name = ""] of code.matchAll(/^\s*#\s*include\s*<([^>\n]+)>/gm)) {
    const library = LIBRARIES.find(({ header }) => header.test(name));
    if (library && !hasHeader(name)) return `<${name}> is not installed: ${library.install}`;
  }
  return null;
}
