/** C++, compiled by the g++ on PATH. A task's function is one at the top level of its file. */

import { oneOf } from "../../base/text/patterns.ts";
import { marked, toldFromProse, withoutMarked } from "../answers.ts";
import { compiledBy } from "../compiled.ts";
import type { Language } from "../language.ts";
import type { Compiled, Runtime } from "../runtime.ts";
import type { Syntax } from "../syntax.ts";
import { assemble, declarationOf, partsAround, returnsAtTopLevel } from "./assemble.ts";
import { besideSources, whyInProcess } from "./beside.ts";
import { allItems, itemsOf } from "./items.ts";
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

const RAW_STRING = /(?:u8|[uUL])?R"(?:\([\s\S]*?\)"|[^()\\\s]{1,16}\([\s\S]*?\)[^()\\\s"]{1,16}")/;
const STRING = /(?:u8|[uUL])?(?:"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?)/;

const syntax: Syntax = {
  tokens: {
    comment: /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))/u,
    string: new RegExp(`${RAW_STRING.source}|${STRING.source}`, "u"),
    number: /\b(?:0[xXbB][\da-fA-F']+|\d[\d']*(?:\.\d*)?(?:[eE][+-]?\d+)?)[uUlLfF]*/u,
    decorator: /(?<=^[^\S\n]*)#[^\S\n]*\w+/u,
    defined: /(?<=\b(?:class|struct|enum|union|namespace)[ \t]+)[\p{L}_][\p{L}\p{N}_]*/u,
    name: /[\p{L}_][\p{L}\p{N}_]*/u,
  },
  keywords: `alignas alignof and asm auto bool break case catch char class const constexpr const_cast continue decltype
    default delete do double dynamic_cast else enum explicit export extern false final float for friend goto if inline
    int long mutable namespace new noexcept not nullptr operator or override private protected public register
    reinterpret_cast return short signed sizeof static static_assert static_cast struct switch template this throw true
    try typedef typeid typename union unsigned using virtual void volatile while`.split(/\s+/),
  builtins: `abs cin cout deque endl list make_pair map max min multimap multiset optional pair priority_queue queue
    reverse set size_t sort stack std string stringstream swap to_string tuple unique_ptr unordered_map unordered_set
    vector`.split(/\s+/),
};

const compiled: Compiled = { folder: runnerFolder, prepare, build: { steps }, runSources, judgeSources, besideSources };

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
  syntax,
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
  ...toldFromProse({ tags: TAGS, statement: STATEMENT, lastLine: /[;{}>"]\s*(?:\/\/.*)?$/ }),
};

/** Headers that are no part of the compiler, and what installs them. */
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
