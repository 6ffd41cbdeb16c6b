/** JavaScript, run by the Node.js that runs mend. Programs are CommonJS scripts. */

import { readFileSync, realpathSync } from "node:fs";
import { isBuiltin } from "node:module";
import { oneOf } from "../../base/text/patterns.ts";
import { codeInProse, marked, withoutMarked } from "../answers.ts";
import type { AnsweredFile, Language, ProgramParts } from "../language.ts";
import type { Runtime } from "../runtime.ts";
import { isWhole } from "../tokens.ts";
import { type Block, headerLength, isDefinition, returnsAtTopLevel, topLevelBlocks } from "./blocks.ts";
import { PACKAGES, packagesForJobs } from "./packages.ts";
import { mentions, scan } from "./scan.ts";
import { scriptFiles } from "./source_files.ts";

const TAGS = /^(?:|js|javascript|node|nodejs|mjs|cjs|jsx|ts|mts|cts|tsx|typescript|es6|ecmascript|code|tool_code)$/;
const STATEMENT = new RegExp(
  oneOf(
    `^\\s*${oneOf(
      /(?:export\s+)?(?:async\s+)?function\b|(?:export\s+)?(?:const|let|var)\s+[\w${[]|class\s+\w/,
      /import\s+[\w{*"']|return\b|throw\s|(?:if|for|while|switch)\s*\(/,
      /console\.\w+\(|module\.exports\b|"use strict"/,
    )}`,
    /^\s*[\w.[\]'"]{1,80}\s*[-+*/%|&]?=(?!=).*;\s*$/,
    /^\s*[\w.]{1,80}\(.*\);\s*$/,
  ),
);

/**
 * Few threads, whatever the machine has: they count against the limits. No settings of the system: jobs cannot read
 * them. WebAssembly without guard regions, which would take more address space than a job has.
 */
const FLAGS = ["--v8-pool-size=1", "--openssl-config=/dev/null", "--disable-wasm-trap-handler"];

/** Node.js, the one that runs mend, as a confined process and as a judge. */
const runtime: Runtime = {
  id: "node",
  title: "Node.js",
  version: process.versions.node,
  install: "install Node.js 24: https://nodejs.org",
  commands: (memoryMb) => {
    const executable = realpathSync(process.execPath);
    const start = [executable, ...FLAGS, `--max-old-space-size=${Math.floor(memoryMb)}`, "-e"];
    return {
      executable,
      candidate: [...start, source(["wire", "values", "require", "candidate"])],
      judge: [...start, source(["wire", "values", "require", "judge"])],
    };
  },
};

function source(names: readonly string[]): string {
  const parts = names.map((name) => readFileSync(new URL(`${name}.js`, import.meta.url), "utf8"));
  // In a function: a program may use the same names.
  return `(() => {\nconst PACKAGES = ${JSON.stringify(packagesForJobs())};\n${parts.join("\n")}\n})();`;
}

export const javascript: Language = {
  name: "javascript",
  title: "JavaScript",
  config: "js",
  extensions: [".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"],
  fence: "javascript",
  runtime,
  files: scriptFiles,
  judgedIn: ["isolated"],
  callsOnObjects: false,
  assemble,
  partsAround,
  withHarness: (code, harness) => `${withoutMarked(code)}${marked(harness)}`,
  definitions: (code) => topLevelBlocks(code).blocks.flatMap((block) => (isDefinition(block) ? block.names : [])),
  stopStatement: "process.exit();\n",
  testHelpers: (declaration, entryPoint) => around(declaration, entryPoint)?.before ?? "",
  isModule: hasModuleSyntax,
  linesInText: (code) => scan(code).insideText,
  unavailable,
  definesSomething: (code) => topLevelBlocks(code).blocks.some(isDefinition) || returnsAtTopLevel(code),
  isWhole: (code) => isWhole(scan(code)),
  isSound: (code) => scan(code).sound,
  ...codeInProse({ tags: TAGS, statement: STATEMENT, lastLine: /[;{})\]]\s*(?:\/\/.*)?$/, endsWithStatement: true }),
};

function unavailable(code: string): string | null {
  const needed = [...code.matchAll(/\brequire\s*\(\s*["'`]([^"'`]+)["'`]\s*\)/g)].map(([, name = ""]) => name);
  const missing = needed.find((name) => !isBuiltin(name) && !Object.hasOwn(packagesForJobs(), name));
  if (missing === undefined) return null;
  return Object.hasOwn(PACKAGES, missing)
    ? `it needs the module ${missing}, which is not installed: npm install --no-save ` +
        `${missing}@${PACKAGES[missing]?.version}`
    : `it needs the module ${missing}, which programs here do not have`;
}

/** The source around the definition of `name`; of several the last. */
function around(source: string, name: string): { before: string; block: Block } | null {
  const block = topLevelBlocks(source).blocks.findLast((block) => isDefinition(block) && block.names.includes(name));
  return block ? { before: source.slice(0, block.start), block } : null;
}

function partsAround(source: string, name: string): ProgramParts | null {
  const found = around(source, name);
  if (!found) return null;
  const { start, text } = found.block;
  const body = start + headerLength(text);
  const end = start + text.length;
  return { declaration: source.slice(0, body), body: source.slice(body, end), epilogue: source.slice(end) };
}

/**
 * The answer is the function, the whole file or only the body. What the file has beside the function stays, but for
 * what the answer has a version of its own of: a name may be declared once.
 */
function assemble(file: AnsweredFile, answer: string): string {
  const isModule = hasModuleSyntax(file.declaration + file.epilogue);
  const text = withoutMarked(answer.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n"));
  const code = isModule ? text : asScript(text);
  const { blocks } = topLevelBlocks(code);
  if (!blocks.some(({ names }) => names.includes(file.entryPoint))) return fromBody(file, code) ?? answer;
  const useful = withoutTestCode(lastOfEachName(blocks), file.entryPoint).filter(isNewIn(file));
  const bound = new Set(useful.flatMap(({ names }) => names));
  const texts = new Set(useful.map(({ text }) => text.trim()));
  const isKept = ({ names, text, kind }: Block) =>
    (kind === "export" || !names.some((name) => bound.has(name))) && !texts.has(text.trim());
  const before = topLevelBlocks(around(file.declaration, file.entryPoint)?.before ?? "").blocks.filter(isKept);
  const after = topLevelBlocks(file.epilogue).blocks.filter(isKept);
  const placed = useful.map((block) => (block.names.includes(file.entryPoint) ? likeInFile(file, block) : block));
  return [...before, ...placed, ...after].reduce((text, block) => withNewline(text) + block.lead + block.text, "");
}

/**
 * With the blank lines and comments that stand before the function in its file, where the answer has none of its own.
 */
function likeInFile(file: AnsweredFile, block: Block): Block {
  const found = around(file.declaration, file.entryPoint)?.block;
  const exported = EXPORT.exec(found?.text ?? "")?.[0] ?? "";
  const text = exported + block.text.replace(EXPORT, "");
  const lead = found?.lead ?? "";
  return block.lead.trim() === "" ? { ...block, lead, text } : { ...block, text };
}

const EXPORT = /^export\s+(?:default\s+)?/;

/** What the file imports and exports already the answer need not repeat. */
function isNewIn(file: AnsweredFile): (block: Block) => boolean {
  const { blocks } = topLevelBlocks(file.declaration + file.buggyCode + file.epilogue);
  const imported = new Set(blocks.flatMap(({ kind, names }) => (kind === "import" ? names : [])));
  const exports = blocks.some(({ kind }) => kind === "export") || hasModuleSyntax(file.declaration);
  return ({ kind, names, text }) => {
    if (kind === "export") return !exports;
    return (
      kind !== "import" || names.length === 0 || !names.every((name) => imported.has(name)) || /^export/.test(text)
    );
  };
}

/** `import` and `export` statements, or types: no script that Node.js runs as it stands. */
function hasModuleSyntax(code: string): boolean {
  return topLevelBlocks(code).blocks.some(({ text }) =>
    /^(?:export\b|import\b(?!\s*\()|(?:interface|type|enum|abstract|declare)\s+[\w$]+)/.test(text),
  );
}

const withNewline = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

/** A module's `export`s mean nothing in a script. */
const asScript = (code: string): string =>
  code
    .replace(/^export\s+(?:default\s+)?(?=(?:async|function|class|const|let|var)\b)/gm, "")
    .replace(/^export\s.*$/gm, "");

const lastOfEachName = (blocks: Block[]): Block[] =>
  blocks.filter(
    ({ names }, at) =>
      names.length === 0 || !blocks.slice(at + 1).some((later) => names.some((name) => later.names.includes(name))),
  );

/** Without what an answer has to try its function: calls, prints, assertions, and values made by calling it. */
function withoutTestCode(blocks: Block[], entryPoint: string): Block[] {
  return blocks.filter(({ kind, text, names }) => {
    if (kind === "other")
      return (
        /^["']use strict/.test(text) ||
        (!/\b(?:console|assert|require\.main)\b/.test(text) && !mentions(text, entryPoint))
      );
    return kind !== "value" || names.includes(entryPoint) || !mentions(text, entryPoint);
  });
}

/** The program with `code` as the function's body, with or without its closing bracket; null where it is no body. */
function fromBody(file: AnsweredFile, code: string): string | null {
  const program = withNewline(file.declaration + code);
  const { depth, sound } = scan(program);
  // Its `return` may stand in a loop: then the bracket that the declaration opens says what it is.
  const closesMore = sound && !scan(code).sound;
  if (!returnsAtTopLevel(code) && !closesMore) return null;
  return `${program}${"}\n".repeat(Math.min(depth, 1))}${file.epilogue}`;
}
