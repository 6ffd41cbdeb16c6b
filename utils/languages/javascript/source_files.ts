/** Files of JavaScript and TypeScript in a project. */

import type { Outline, OutlineRequest } from "../outline.ts";
import type { LineRange } from "../places.ts";
import type { SourceFiles } from "../source_files.ts";
import { isDefinition, topLevelBlocks } from "./blocks.ts";
import { functionsIn } from "./functions.ts";
import { scan } from "./scan.ts";
import { scriptProblem } from "./script_problem.ts";

export const scriptFiles: SourceFiles = {
  hasCode: (file) => !/\.d\.[cm]?ts$/.test(file),
  functions: functionsIn,
  testLines,
  imports: (text) =>
    [...text.matchAll(/(?:\bfrom|\brequire\(|\bimport\(?)\s*["'](?:node:)?([\w@][^"']*)["']/g)].flatMap(
      ([, name]) => name ?? [],
    ),
  importsFrom: /^$/,
  substance: (text) =>
    text
      .split("\n")
      .map((line) => line.replace(/(^|\s)\/\/[^'"`]*$/, ""))
      .map((line) => line.trim().replace(/(?<=\S)\s+/g, " "))
      .filter((line) => line !== "")
      .join("\n"),
  packageFolders: ["node_modules"],
  madeFolders: [".next", ".turbo"],
  sharedTestFiles: [],
  testName: /(?:^|\/)(?:[^/]*[.-](?:test|spec)s?|tests?|spec|test[-_][^/]*|[^/]*_test)\.[cm]?[jt]sx?$/i,
  settings: [
    /package(?:-lock)?\.json/,
    /npm-shrinkwrap\.json/,
    /yarn\.lock/,
    /pnpm-lock\.yaml/,
    /pnpm-workspace\.yaml/,
    /[tj]sconfig[^/]*\.json/,
    /(?:babel|karma|ava|cypress|playwright|wallaby|c8|nyc)[^/]*\.(?:config|conf|workspace|setup)\.[^/]*/,
  ],
  testsOf: (stem, ending) =>
    [...new Set([ending, ".ts", ".js", ".mjs", ".cjs"])].flatMap((end) => [`${stem}.test${end}`, `${stem}.spec${end}`]),
  usualTests: "npm test",
  isScript: true,
  buildFiles: {},
  installer: "npm",
  outline,
  syntaxProblem: scriptProblem,
};

/** More lines of a test tell nothing that these do not. */
const MOST_TEST_LINES = 30;

/** From the title with which the test's name ends to the bracket at the same depth. */
function testLines(text: string, test: string): LineRange | null {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => {
    const title = /(?:it|test)[\w.]*\s*\(\s*(["'`])(.*?)\1/.exec(line)?.[2];
    return title !== undefined && title !== "" && test.endsWith(title);
  });
  if (at === -1) return null;
  const line = lines[at] ?? "";
  if (/;\s*$/.test(line) && line.split("(").length === line.split(")").length) return { start: at + 1, end: at + 1 };
  const indent = /^\s*/.exec(line)?.[0] ?? "";
  const end = lines.findIndex((line, i) => i > at && line.startsWith(`${indent}}`));
  return { start: at + 1, end: Math.min(end === -1 ? lines.length : end + 1, at + MOST_TEST_LINES) };
}

async function outline({ file, text }: OutlineRequest): Promise<Outline> {
  const error = await scriptProblem(file, text);
  if (error) return { error, definitions: [], words: [] };
  const { blocks } = topLevelBlocks(text);
  const definitions = blocks.filter(isDefinition).map((block) => ({
    name: block.names[0] ?? "",
    methods: block.kind === "class" ? methodsOf(block.text) : [],
    words: wordsOf(block.text),
  }));
  const others = blocks.filter((block) => !isDefinition(block) && block.kind !== "import" && block.kind !== "export");
  return { error, definitions, words: others.flatMap(({ text }) => wordsOf(text)) };
}

const wordsOf = (code: string): string[] => {
  const texts = scan(code).tokens.filter(({ kind }) => kind !== "mark");
  return [...new Set(texts.flatMap(({ text }) => text.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) ?? []))];
};

/** Methods of a class by its text: names at the depth of its body that a parameter list follows. */
function methodsOf(code: string): string[] {
  const { tokens } = scan(code);
  const text = (at: number) => tokens[at]?.text ?? "";
  return tokens.flatMap(({ kind, depth, startsLine }, at) => {
    const opens = text(at + 1) === "(" || text(at + 1) === "<";
    const begins =
      startsLine || /^(?:[{};*]|static|async|get|set|public|private|protected|override)$/.test(text(at - 1));
    return kind === "word" && depth === 1 && opens && begins ? text(at) : [];
  });
}
