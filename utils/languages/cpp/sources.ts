/** What the compiler is given: a program and its tests, each a unit of its own. */

import { lacking, noStub } from "../compiled.ts";
import type { JudgedProgram, JudgeSources, SourceText } from "../runtime.ts";
import { blanked, cut } from "../tokens.ts";
import { findFunction, type Item, itemsOf } from "./items.ts";
import { type Stub, stubOf } from "./signature.ts";

export const PROGRAM = "Program.cpp";
/** A program that is run for its output. */
export const MAIN = "Main.cpp";
/** What makes the program's function answer. */
export const ENTRY = "Entry.cpp";
export const TESTS = "Tests.cpp";
const DECLARED = "Declaration.cpp";
const JUDGE = "Judge.cpp";

/** With a `main`: statements alone become the body of one, each on its line. */
export function withMain(code: string): string {
  const items = itemsOf(code);
  const isMain = ({ kind, name }: Item) => kind === "function" && name === "main";
  const statements = items.filter(({ kind }) => kind === "other" || kind === "declared");
  if (items.some(isMain)) return code;
  const first = statements[0]?.start ?? code.length;
  const last = items.findLast(({ kind }) => kind !== "other" && kind !== "declared");
  // Definitions behind the first statement cannot stand in a body: what is global stays so, and the calls go last.
  if (last && last.start > first) return behindDefinitions(code, items);
  return `${code.slice(0, first)}int main() { ${code.slice(first)}\n}\n`;
}

function behindDefinitions(code: string, items: readonly Item[]): string {
  const statements = items.filter(({ kind }) => kind === "other" || kind === "declared");
  const moved = statements.map((one) => `\n#line ${code.slice(0, one.start).split("\n").length}\n${cut(code, one)}`);
  return `${blanked(code, statements)}\nint main() {${moved.join("")}\n}\n`;
}

/** Tests without includes of files that stand beside them: what they test stands in front of them here. */
export const withoutOwnFiles = (tests: string): string =>
  tests.replace(/^[ \t]*#[ \t]*include[ \t]*"[^"/\n]+"[ \t]*$/gm, "");

export function runSources(code: string): SourceText[] {
  return [{ file: MAIN, text: withMain(code) }];
}

export function judgeSources({ program, entryPoint, helpers, test }: JudgedProgram): JudgeSources | string {
  const declared = helpers.trim() === "" ? null : stubOf(helpers, entryPoint);
  const stub = declared ?? stubOf(program, entryPoint, false);
  if (!stub) return noStub(entryPoint, findFunction(itemsOf(program), entryPoint) ? undefined : "a body");
  const entry = { file: ENTRY, text: entrySource(stub, entryPoint), isOurs: true };
  const lacks = lacking(entryPoint, findFunction(itemsOf(program), entryPoint));
  const sources = { program: [entry, { file: PROGRAM, text: program }], trustsProgram: declared === null, lacks };
  if (test.trim() === "") return { ...sources, tests: [testSources(stub, "int main() { }\n", "")], entryPoint: "" };
  const whole = withMain(withoutOwnFiles(test));
  // A function of the C library that has its name is not what is meant, but where it is used in another way.
  const renamed = `#define ${entryPoint} mend_${entryPoint}`;
  const tests = [testSources(stub, whole, renamed), testSources(stub, whole, "")];
  return { ...sources, tests, entryPoint };
}

function testSources({ source }: Stub, test: string, define: string): SourceText[] {
  return [
    { file: JUDGE, text: `#include <assert.h>\n${define}\n#include "${DECLARED}"\n#include "${TESTS}"\n` },
    { file: DECLARED, text: source },
    { file: TESTS, text: test },
  ];
}

/** The program's own macros are not to change it: it stands in a file of its own, behind what it needs. */
function entrySource({ type, aliases }: Stub, entryPoint: string): string {
  return `#include "${PROGRAM}"
namespace mend_declared {
${aliases}
using Function = ${type};
}
static void mend_answer(mendjudge::Reader& in, mendjudge::Writer& out) {
  mendjudge::Local<mend_declared::Function>::answer(in, out, [](auto&&... each) -> decltype(auto) {
    return ${entryPoint}(static_cast<decltype(each)>(each)...);
  });
}
namespace mendjudge { extern Answer const entry = mend_answer; }
`;
}
