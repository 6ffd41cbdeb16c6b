/** Real compilers: how a failure is explained, by the check, the call and its result or end, or by what does not compile. */
// @module-tag deep

import { expect, test } from "vitest";
import type { LanguageName } from "../languages/language.ts";
import { LANGUAGES } from "../languages/registry.ts";
import { openForTests } from "./testing/open.ts";

const sandbox = await openForTests();

interface Row {
  language: LanguageName;
  declared: string;
  test: string;
  /** Programs with their expected explanations; none where a program passes. */
  told: [program: string, explanation: string | RegExp][];
}

const OVERFLOWED = "the program was killed by SIGSEGV (the stack overflowed); the last call f(1) did not return";

const ROWS: Row[] = [
  {
    language: "cpp",
    declared: "int f(int x) {\n  return x;\n}\n",
    test: "assert(f(1) == 1);",
    told: [
      ["", "the program does not define a function `f`"],
      ["int g(int x) {\n  return x;\n}", "the program does not define a function `f`"],
      ["int f(int x) {\n  return y;\n}", "the program does not compile: line 2: 'y' was not declared in this scope"],
      ["int f(int x) {\n  abort();\n}", /ended with exit code 134 \(SIGABRT\); the last call f\(1\) did not return/],
      ["int f(int x) {\n  return f(x + 1) + 1;\n}", OVERFLOWED],
      ["int f(int x) {\n  return *(int*)8;\n}", "the program was killed by SIGSEGV; the last call f(1) did not return"],
      ["int f(int x) {\n  return 2;\n}", "line 1: f(1) == 1; the last call f(1) returned 2"],
      ['int f(int x) {\n  throw invalid_argument("no");\n}', "the last call f(1) threw std::invalid_argument: no"],
      ["long long f(int x) {\n  return x;\n}", ""],
      [
        "long long f(int x) {\n  return 1LL << 32;\n}",
        /f\(1\) returned 4294967296, which is out of the range of its type$/,
      ],
    ],
  },
  {
    language: "rust",
    declared: "fn f(x: i32) -> i32 {\n    x\n}\n",
    test: "assert_eq!(f(1), 1);",
    told: [
      ["", "the program does not define a function `f`"],
      [
        'fn f(x: i32) -> i32 {\n    "a"\n}',
        /^the program does not compile: line 2: mismatched types: expected `i32`, found/,
      ],
      [
        'fn f(x: i32) -> i32 {\n    assert_eq!(x, "a"); 1\n}',
        /: line 2: (?:mismatched types: expected `i32`, found|can't compare `i32` with)/,
      ],
      ["fn f(x: i32) -> i32 {\n    f(x.wrapping_add(1)).wrapping_add(1)\n}", OVERFLOWED],
      [
        "fn f(_: i32) -> i32 {\n    unsafe { *(8 as *const i32) }\n}",
        "the program was killed by SIGSEGV; the last call f(1) did not return",
      ],
      ["fn f(_: i32) -> i32 {\n    2\n}", "line 1: assert_eq!(f(1), 1); the last call f(1) returned 2"],
      ["fn f(x: i32) -> i32 {\n    [x][1]\n}", /f\(1\) panicked: index out of bounds.* \(line 2 of the program\)$/],
      ["fn f(x: i32) -> i64 {\n    x as i64\n}", ""],
      [
        "fn f(_: i32) -> i64 {\n    1 << 32\n}",
        /out of the range of its type; the last call f\(1\) returned 4294967296/,
      ],
      ["fn f(x: i32) -> bool {\n    x > 0\n}", /does not compile/],
    ],
  },
  {
    language: "go",
    declared: "func f(x int) int {\n\treturn x\n}\n",
    test: "func TestF(t *testing.T) { assert.Equal(t, 1, f(1)) }",
    told: [
      ["", "the program does not define a function `f`"],
      ["func f(x int) int {\n\treturn y\n}", "the program does not compile: line 2: undefined: y"],
      [
        "func f(x int) int {\n\treturn 2\n}",
        /^line 1: .* assert.Equal\(t, 1, f\(1\)\) }; the last call f\(1\) returned 2$/,
      ],
      [
        "func f(x int) int {\n\treturn 1 / (x - 1)\n}",
        /panicked: .* integer divide by zero \(line 2 of the program\)$/,
      ],
      ["func f(x int) int {\n\treturn 1 + f(x)\n}", /exit code 2 \(fatal error: stack overflow\); .* did not return$/],
      ["func f(x int) int64 {\n\treturn 1\n}", "the last call f(1) returned a value of type int64, not int"],
    ],
  },
  {
    language: "java",
    declared: "class Solution {\n  public int f(int x) {\n    return x;\n  }\n}\n",
    test: `import java.util.*;
class Main { public static void main(String[] a) {
  List<Boolean> correct = Arrays.asList(
    new Solution().f(1) == 1,
    new Solution().f(2) == 2);
  if (correct.contains(false)) throw new AssertionError();
} }`,
    told: [
      ["", "the program does not define a method `f` in a class `Solution`"],
      [
        "class Solution {\n  public int f(int x) {\n    return f(x + 1);\n  }\n}",
        "line 4: new Solution().f(1) == 1; the last call f(1) threw StackOverflowError (line 3 of the program)",
      ],
      [
        "class Solution {\n  public int f(int x) {\n    return 1;\n  }\n}",
        /^line 5: new Solution\(\).f\(2\) == 2; the last call f\(2\) returned 1$/,
      ],
      ["class Solution {\n  public int f(int x) {\n    return y;\n  }\n}", /compile: line 3: cannot find symbol .*y/],
      ["class Solution {\n  public long f(int x) {\n    return x;\n  }\n}", ""],
      [
        "class Solution {\n  public int f(int x) {\n    return x / 0;\n  }\n}",
        /threw ArithmeticException: \/ by zero \(line 3/,
      ],
    ],
  },
];

test.each(ROWS)("$language", async ({ language, declared, test, told }) => {
  const missing = LANGUAGES[language].unavailable("");
  if (missing !== null) return console.warn(`skipped: ${missing}`);
  const job = { language, entryPoint: "f", helpers: declared, test, timeoutMs: 10_000 };
  expect(await sandbox.judge({ ...job, program: declared })).toMatchObject({ outcome: "passed" });
  for (const [program, explanation] of told) {
    const text = typeof explanation === "string" ? explanation : expect.stringMatching(explanation);
    const verdict = await sandbox.judge({ ...job, program });
    const told = { passed: verdict.outcome === "passed", explanation: verdict.explanation };
    expect(told, program).toEqual({ passed: explanation === "", explanation: text });
  }
});

test.each([
  {
    language: "cpp" as const,
    helpers: "int f(int x) {\n  return x;\n}\n",
    program: "int f(int x) {\n  return f(x + 1) + 1;\n}\n",
    test: "assert(f(1) == 1);",
    told: "the program or its tests were ended by SIGSEGV (the stack overflowed)",
  },
  {
    language: "rust" as const,
    helpers: "fn f(x: i32) -> i32 {\n    x\n}\n",
    program: "fn f(x: i32) -> i32 {\n    f(x.wrapping_add(1)).wrapping_add(1)\n}\n",
    test: "#[test]\nfn one() { assert_eq!(f(1), 1); }",
    told: "the program was killed by SIGSEGV (the stack overflowed)",
  },
])("$language: a stack overflow in one process with the tests is reported", async ({ told, ...row }) => {
  const missing = LANGUAGES[row.language].unavailable("");
  if (missing !== null) return console.warn(`skipped: ${missing}`);
  const job = { ...row, mode: "in_process" as const, entryPoint: "f", timeoutMs: 10_000, checks: 1 };
  expect(await sandbox.judge(job)).toMatchObject({ passed: false, explanation: told });
});

const SECTIONS = '.section .gnu.lto_.symtab.0,\\"e\\",@progbits';

test.each([
  {
    language: "cpp" as const,
    declared: "int f(int x) {\n  return x;\n}\n",
    test: "assert(f(1) == 1);",
    sections: `asm(".comm __gnu_lto_slim,1,1\\n${SECTIONS}\\n.asciz \\"f\\"\\n.text");\n`,
  },
  {
    language: "rust" as const,
    declared: "fn f(x: i32) -> i32 {\n    x\n}\n",
    test: "assert_eq!(f(1), 1);",
    sections: `std::arch::global_asm!(".comm __gnu_lto_slim,1,1", "${SECTIONS}", ".asciz \\"f\\"", ".text");\n`,
  },
])("$language: sections that the linker would hand to another compiler are not run", async (row) => {
  const { language, declared, test, sections } = row;
  const missing = LANGUAGES[language].unavailable("");
  if (missing !== null) return console.warn(`skipped: ${missing}`);
  const job = { language, entryPoint: "f", helpers: declared, test, timeoutMs: 10_000 };
  const verdict = await sandbox.judge({ ...job, program: `${sections}${declared}` });
  expect([verdict.outcome, verdict.explanation]).toEqual(["passed", ""]);
});

test.skipIf(LANGUAGES.java.unavailable("") !== null)(
  "javac reports what each of its stages finds, at once",
  async () => {
    const bodies = ["return x; x++;", 'return "a";', "x / 2; return x;", "int y; return y;"];
    const code = `class Main {\n${bodies.map((body, at) => `  int f${at}(int x) { ${body} }\n`).join("")}  public static void main(String[] a) {}\n}\n`;
    const { problems = [] } = await sandbox.run({ code, language: "java", timeoutMs: 10_000, everyProblem: true });
    expect(problems.map(({ line }) => line).toSorted()).toEqual([2, 3, 4, 5]);
  },
);
