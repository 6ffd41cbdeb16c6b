/** Python: how it looks in a text, how a program is made of an answer. */

import { oneOf } from "../../base/text/patterns.ts";
import type { Language } from "../language.ts";
import { assemble } from "./assemble.ts";
import { definesAtTopLevel, isDefinition, returnsAtTopLevel, topLevelBlocks } from "./blocks.ts";
import { dedentCode } from "./indent.ts";
import { injectMainForTesting, stripInjectedMain } from "./main_block.ts";
import { partsAround } from "./parts.ts";
import { scan } from "./scan.ts";
import { pythonFiles } from "./source_files.ts";
import { ownTests } from "./tests_within.ts";

export const python: Language = {
  name: "python",
  title: "Python",
  config: "python",
  extensions: [".py"],
  isModule: () => false,
  linesInText: (code) => scan(code).insideString,
  fence: "python",
  runtime: null,
  files: pythonFiles,
  judgedIn: ["isolated", "in_process", "stdin"],
  callsOnObjects: false,
  assemble: (file, answer) => assemble(file, stripInjectedMain(answer)),
  partsAround,
  withHarness: injectMainForTesting,
  definitions: (code) => topLevelBlocks(code).blocks.flatMap((block) => (isDefinition(block) ? block.name : [])),
  stopStatement: "raise SystemExit\n",
  // The declaration ends with a `def` line, so it gets an empty body.
  testHelpers: (declaration) => (declaration.trim() ? `${declaration}    pass\n` : ""),
  unavailable: () => null,
  ownTests,
  mayBe: (tag) => /^(?:i?py.*|code|tool_code|starlark|sage)$/.test(tag),
  definesSomething: (code) => definesAtTopLevel(dedentCode(code)) || returnsAtTopLevel(code),
  isWhole: (code) => {
    const { complete, lines } = scan(code);
    return complete && lines.at(-1)?.opensBlock !== true;
  },
  isSound: (code) => scan(code).sound,
  looksLikeCode,
  bareCode,
};

/** Of a line without the white space before it. */
const STATEMENT = new RegExp(
  oneOf(
    `^${oneOf(
      /(?:async\s+)?def\s+\w|class\s+\w+\s*[(:]|import\s+\w|from\s+[\w.]+\s+import\b/,
      /(?:for|while|if|elif|with)\b.*:\s*(?:#.*|\S.*)?$|(?:else|try|finally)\s*:|except\b.*:/,
      /return\b|print\(|assert\s|raise\b|@\w|pass$|yield\b/,
    )}`,
    /^[\w.[\]'", ]{0,79}[\w.[\]'",]\s*(?:[-+*/%|&^]|\/\/|\*\*)?=(?!=)/,
    /^[\w.]{1,80}\(.*\)\s*(?:#.*)?$/,
  ),
);
const START = new RegExp(
  `^[ \\t]*${oneOf(
    /(?:async[ \t]+)?def[ \t]+\w+[ \t]*\(|class[ \t]+\w+[ \t]*[(:]/,
    /import[ \t]+\w|from[ \t]+[\w.]+[ \t]+import\b|@\w|#|return\b/,
  )}`,
);

function looksLikeCode(text: string): boolean {
  return text.split("\n").some(isStatement);
}

const isStatement = (line: string): boolean => STATEMENT.test(line.slice(0, 300).trimStart());

const KEYWORD = /^\s*(?:del|global|nonlocal|not|lambda|await|async|pass|break|continue|raise|return|yield|assert)\b/;
const PROSE = /^\s*(?:[-*] )?[A-Za-z][\w'’-]*,?(?: +[\w'’"(),.`:;!-]+){2,}\s*$/;

/** A tag or a fence on a line is never Python. */
const MARK = /^\s*(?:<\/?\w{1,30}>|[`~]{3})/;

/**
 * The code in text without any marks, from the first line that can only start a program up to prose. Null where no line
 * starts one.
 */
function bareCode(text: string): string | null {
  const lines = text.split("\n");
  const certain = lines.findIndex((line) => START.test(line.slice(0, 300)));
  const start = lines.findIndex((line) => line.trim() !== "");
  // A `return` that comes first belongs to a body whose start is less certain; so does a statement that opens the text.
  const isBody = certain !== -1 && /^\s*return\b/.test(lines[certain] ?? "");
  const first = isBody ? lines.findIndex(isStatement) : certain;
  if (start !== -1 && isStatement(lines[start] ?? "")) return beforeProse(lines.slice(start).join("\n"));
  return first === -1 ? null : beforeProse(lines.slice(first).join("\n"));
}

/** `code` up to the first statement that is rather a sentence. */
function beforeProse(code: string): string {
  const { lines } = scan(code);
  const depth = lines[0]?.indent.length ?? 0;
  const prose = lines.find(({ start, end, indent }) => {
    const line = code.slice(start, Math.min(end, start + 300)).trimEnd();
    if (MARK.test(line)) return true;
    return indent.length <= depth && PROSE.test(line) && !isStatement(line) && !KEYWORD.test(line);
  });
  return code.slice(0, prose?.start).trimEnd();
}
