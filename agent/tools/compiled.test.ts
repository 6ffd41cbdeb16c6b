/** What `code_interpreter` answers for compiled programs that do not compile, or have no `main`. */
// @module-tag deep

import { expect, test } from "vitest";
import type { LanguageName } from "../../utils/languages/language.ts";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import { openForTests } from "../../utils/sandbox/testing/open.ts";
import { codeInterpreter } from "./code_interpreter.ts";

const sandbox = await openForTests();

interface Row {
  language: LanguageName;
  /** Does not compile in its second line. */
  wrong: string;
  told: RegExp;
  /** The function alone. */
  alone: string;
}

const ROWS: Row[] = [
  {
    language: "go",
    wrong: 'func main() {\n\tvar x int = "a"\n}',
    told: /line 2: cannot use "a" .*\nLine 2: \tvar x int = "a"\n/,
    alone: "func f(x int) int {\n\treturn x\n}\n",
  },
  {
    language: "cpp",
    wrong: "int main() {\n  return nothing;\n}",
    told: /^line 2: 'nothing' was not declared.*\nLine 2: {3}return nothing;\n/,
    alone: "int f(int x) {\n  return x;\n}\n",
  },
  {
    language: "java",
    wrong: 'class Main {\n  int x = "a";\n}',
    told: /^line 2: incompatible types.*\nLine 2: {3}int x = "a";\n/,
    alone: "class Solution {\n  int f(int x) { return x; }\n}\n",
  },
  {
    language: "rust",
    wrong: 'fn main() {\n    let x: i32 = "a";\n}',
    told: /^line 2: mismatched types: expected `i32`, found `&(?:'static )?str`\nLine 2: {5}let x: i32 = "a";\n/,
    alone: "fn f(x: i32) -> i32 {\n    x\n}\n",
  },
];

test.each(ROWS)("$language", async ({ language, wrong, told, alone }) => {
  const missing = LANGUAGES[language].unavailable("");
  if (missing !== null) return console.warn(`skipped: ${missing}`);
  const tool = codeInterpreter(sandbox, LANGUAGES[language]);
  const { status, output } = await tool.run({ code: wrong });
  expect(status).toBe("it does not compile, nothing was run");
  expect(output).toMatch(told);
  expect(output).toMatch(/\nCorrect this, and send the complete program again\.$/);
  expect((await tool.run({ code: alone })).status).toBe("exit code 0");
});

test("an abort in C++ is reported with the text of the assertion", async () => {
  const missing = LANGUAGES.cpp.unavailable("");
  if (missing !== null) return console.warn(`skipped: ${missing}`);
  const tool = codeInterpreter(sandbox, LANGUAGES.cpp);
  const { status, output } = await tool.run({ code: "#include <assert.h>\nint main() { assert(1 == 2); }" });
  expect([status, output]).toEqual([
    expect.stringMatching(/^(?:exit code 134|killed)$/),
    expect.stringMatching(/^(?:the program was killed by SIGABRT\n)?stderr:\n.*Assertion `1 == 2' failed/),
  ]);
});
