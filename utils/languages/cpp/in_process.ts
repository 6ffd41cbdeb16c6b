/** A C++ program that is judged in one process with its tests: when it has to be, and what it is compiled from. */

import { unknownName } from "../compiled.ts";
import type { DeclaredTask } from "../language.ts";
import type { JudgedProgram, SourceText } from "../runtime.ts";
import { cut } from "../tokens.ts";
import { callable, type Item, itemsOf } from "./items.ts";
import { scan } from "./scan.ts";
import { withoutComments } from "./signature.ts";
import { PROGRAM, withMain } from "./sources.ts";

/** Begins the file name of tests that are linked with the program; a part follows that programs cannot guess. */
export const IN_PROCESS = "InProcess_";
/** The same for a file that holds the program, too. */
export const TOGETHER = "Together_";
const DECLARED = "Declared.cpp";

/** Types whose values cannot be sent between the processes of tests and program. */
const NEVER_CROSSES =
  /\bfunction\s*<|\(\s*\*|\bauto\b|\w*stream\b|\w+_ptr\b|\biterator\b|(?<!\bconst\s+char\s*)\*|\[\s*\w*\s*\]/;
const LOOKS_AT_OUTPUT = /\brdbuf\s*\(|\bfreopen\b|\bdup2\b/;

export function whyInProcess({ program, declaration, entryPoint, test }: DeclaredTask): string | null {
  const items = itemsOf(program);
  const entry = callable(items, entryPoint);
  if (!entry || entry.body === null) return null;
  if (!items.includes(entry) || entry.owner !== "") return `\`${entryPoint}\` is a method`;
  const head = withoutComments(program.slice(entry.start, entry.body - 1))
    .replace(/\s+/g, " ")
    .trim();
  if (/^template\b/.test(head)) return `\`${entryPoint}\` is a template`;
  if (NEVER_CROSSES.test(head))
    return `\`${entryPoint}\` takes or returns what is not a plain value: \`${head.slice(0, 100)}\``;
  const types = items.filter((one) => one.kind === "type" && !/^\s*enum\b/.test(cut(program, one)));
  const own = types.find(({ name }) => name !== "" && wordIn(name).test(head));
  if (own) return `\`${entryPoint}\` takes or gives a \`${own.name}\``;
  const before = new Set(itemsOf(declaration).map(({ name }) => name));
  const behind = items.find(
    ({ name }) => name !== "" && name !== "main" && !before.has(name) && wordIn(name).test(test),
  );
  if (behind) return `its tests use \`${behind.name}\`, which stands behind \`${entryPoint}\``;
  const caught = types.find(({ name }) => name !== "" && wordIn(name, "\\bcatch\\s*\\([^)]*").test(test));
  if (caught) return `its tests catch a \`${caught.name}\``;
  return LOOKS_AT_OUTPUT.test(test) ? "its tests look at what it prints" : null;
}

const wordIn = (name: string, before = ""): RegExp => new RegExp(`${before}\\b${name}\\b`);

/** The tests see what the task declares, and where that has no function to link with, the program itself. */
export function inProcessSources({ program, entryPoint, helpers, test }: JudgedProgram): SourceText[] {
  const whole = test.trim() === "" ? "int main() { }\n" : withMain(test);
  const items = itemsOf(helpers);
  const entry = callable(items, entryPoint);
  const isLinked =
    entry !== null && items.includes(entry) && !/\b(?:template|static|inline|constexpr)\b/.test(headOf(helpers, entry));
  // A program may include what it knows the name of.
  const [secret, tests] = [`${unknownName()}.cpp`, `Tests_${unknownName()}.cpp`];
  const head = isLinked
    ? `#include <assert.h>\n#include "${DECLARED}"\n`
    : `#undef __BASE_FILE__\n#include "${PROGRAM}"\n${withoutMacros(whole)}#include <assert.h>\n`;
  const declared = isLinked ? [{ file: DECLARED, text: declarationsOf(helpers, items), isOurs: true }] : [];
  return [
    { file: `${isLinked ? IN_PROCESS : TOGETHER}${secret}`, text: `${head}#include "${tests}"\n`, isOurs: true },
    { file: PROGRAM, text: program },
    ...declared,
    { file: tests, text: whole },
  ];
}

const headOf = (code: string, { start, body, end }: Item): string => code.slice(start, body === null ? end : body - 1);

/** What the tests are compiled against: functions without their bodies, everything else as it is. */
function declarationsOf(code: string, items: readonly Item[]): string {
  const told = items.map((one) => {
    if (one.kind !== "function")
      return one.kind === "other" && !/\bconst(?:expr)?\b/.test(cut(code, one)) ? "" : cut(code, one);
    if (one.name === "main" || one.owner !== "") return "";
    const head = headOf(code, one);
    return /\b(?:template|inline|constexpr|static)\b/.test(head) ? cut(code, one) : `${head.trim()};`;
  });
  return `${told.join("\n")}\n`;
}

/** No macro of the program is one in the tests, but for names in capitals, which may be the library's. */
function withoutMacros(test: string): string {
  const words = scan(test).tokens.flatMap(({ kind, start, end }) => (kind === "word" ? test.slice(start, end) : []));
  const ours = ["mendjudge", "check", "static_cast", "bool", "assert"];
  return [...new Set([...words, ...ours])]
    .filter((word) => /[a-z]/.test(word) && word !== "defined" && !word.startsWith("__"))
    .map((word) => `#undef ${word}\n`)
    .join("");
}
