// @module-tag deep
import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../../../languages/registry.ts";
import { openForTests } from "../../../sandbox/testing/open.ts";
import type { VisibleTask } from "../../../task/task.ts";
import { applyEdit } from "../../result.ts";
import { KNOWLEDGE } from "../../testing/knowledge.ts";
import { searchCompiled } from "../search.ts";

const missing = LANGUAGES.rust.unavailable("");

/** As HumanEvalPack has them. */
const inModule = (checks: readonly string[]): string =>
  `#[cfg(test)]\nmod tests {\n  use super::*;\n  #[test]\n  fn all() {\n${checks.map((one) => `    ${one};\n`).join("")}  }\n}\n`;

describe.skipIf(missing !== null)(`Rust${missing === null ? "" : ` (skipped: ${missing})`}`, async () => {
  const sandbox = await openForTests();

  async function search(signature: string, body: string, tests: string | readonly string[], before = "") {
    const [, entryPoint = ""] = /(\w+)[(<]/.exec(signature) ?? [];
    const exampleTest = typeof tests === "string" ? tests : inModule(tests);
    const task: VisibleTask = {
      ...{ id: "Rust/0", language: "rust", entryPoint, instruction: "", exampleTest },
      ...{ declaration: `${before}fn ${signature} {\n`, buggyCode: `${body}\n}`, epilogue: "" },
    };
    const program = task.declaration + task.buggyCode;
    const request = { language: task.language, program, entry: entryPoint, instruction: "", tests: exampleTest };
    const result = await searchCompiled({ ...request, steps: 3000, seed: 0 }, { knowledge: KNOWLEDGE, task }, sandbox);
    return { result, programs: result.best.map(({ splices }) => applyEdit(program, splices)) };
  }

  /** By tests that the search did not see. */
  async function holds(program: string | undefined, entryPoint: string, check: string): Promise<boolean> {
    const job = {
      language: "rust",
      program: program ?? "",
      entryPoint,
      test: inModule([check]),
      timeoutMs: 10_000,
    } as const;
    return (await sandbox.judge(job)).passed;
  }

  test("a wrong number is found among edits that do not compile, that never end, that panic and that use up the stack", async () => {
    const { programs, result } = await search(
      "rainy(days: &[i32], limit: i32) -> usize",
      "    let mut count = 0;\n    let mut i = 1;\n    while i < days.len() {\n        if days[i] > limit {\n            count += 1;\n        }\n        i += 1;\n    }\n    count",
      [
        "assert_eq!(rainy(&[5, 1, 7], 4), 2)",
        "assert_eq!(rainy(&[], 0), 0)",
        "assert_eq!(rainy(&[8, 9, 2, 6], 3), 3)",
        "assert_eq!(rainy(&[1, 8], 3), 1)",
      ],
    );
    expect(result.status).toBe("found");
    expect(await holds(programs[0], "rainy", "assert_eq!(rainy(&[9, 9, 2, 9], 3), 3)")).toBe(true);
    const recursive = await search(
      "stairs(n: i64) -> i64",
      "    if n == 0 {\n        return 0;\n    }\n    n - stairs(n - 1)",
      ["assert_eq!(stairs(1), 1)", "assert_eq!(stairs(3), 6)", "assert_eq!(stairs(4), 10)"],
    );
    expect(await holds(recursive.programs[0], "stairs", "assert_eq!(stairs(100), 5050)")).toBe(true);
  });

  test("a statement that is missing, and two mistakes at once", async () => {
    const missingSort = await search("middle(numbers: Vec<i32>) -> i32", "    numbers[numbers.len() / 2]", [
      "assert_eq!(middle(vec![9, 1, 5]), 5)",
      "assert_eq!(middle(vec![3, 2, 1, 8, 9]), 3)",
      "assert_eq!(middle(vec![7]), 7)",
    ]);
    expect(await holds(missingSort.programs[0], "middle", "assert_eq!(middle(vec![4, 8, 6, 2, 0]), 4)")).toBe(true);
    const two = await search(
      "between(low: i32, high: i32) -> i32",
      "    let mut sum = 1;\n    for i in low..high {\n        sum += i;\n    }\n    sum",
      [
        "assert_eq!(between(1, 3), 6)",
        "assert_eq!(between(2, 2), 2)",
        "assert_eq!(between(5, 4), 0)",
        "assert_eq!(between(0, 4), 10)",
      ],
    );
    expect(await holds(two.programs[0], "between", "assert_eq!(between(3, 6), 18)")).toBe(true);
  });

  test("of a lifetime, an argument that is changed, tests that want a panic, and a `main` in the program", async () => {
    const tests = `#[test]
fn panics() {
    let caught = std::panic::catch_unwind(|| front(&mut Vec::new(), ""));
    assert!(caught.is_err());
}

#[test]
#[should_panic(expected = "empty")]
fn is_told() {
    front(&mut Vec::new(), "x");
}

#[test]
fn takes_the_first() {
    let mut words = vec!["b", "a"];
    assert_eq!(front(&mut words, "x"), "b");
    assert_eq!(words, ["a"]);
}
`;
    const { programs } = await search(
      "front<'a>(words: &mut Vec<&'a str>, _: &'a str) -> &'a str",
      '    if words.is_empty() {\n        panic!("empty");\n    }\n    words.remove(1)',
      tests,
      "fn main() {}\n\n",
    );
    expect(await holds(programs[0], "front", 'assert_eq!(front(&mut vec!["q", "r", "s"], ""), "q")')).toBe(true);
  });

  test("of edits that pass and do different things it tells an input that shows it", async () => {
    const weak = ["assert_eq!(joined(vec![2, 2], 0), 4)"];
    const { result } = await search("joined(xs: Vec<i32>, n: i32) -> i32", "    xs[0] - xs[1] + n", weak);
    const { others = [] } = result;
    expect(others.length).toBeGreaterThan(0);
    for (const { input, gives, best_gives, on_each = [] } of others) {
      expect(input).toMatch(/^\(\[-?\d+(?:, -?\d+)*\], -?\d+\)$/);
      expect(gives).not.toBe(best_gives);
      expect(on_each.length).toBe(others.length);
    }
  });

  test("nothing that a program says of itself counts: what passes is what the judge passes", async () => {
    const cheat = `extern "C" { fn _exit(code: i32) -> !; fn write(to: i32, text: *const u8, size: usize) -> isize; }
extern "C" fn early() {
    for k in 0..500 {
        let line = format!("mend {} 9 9 1 0\\n", k);
        unsafe { write(1, line.as_ptr(), line.len()) };
    }
    unsafe { _exit(0) }
}
#[used]
#[link_section = ".init_array"]
static EARLY: extern "C" fn() = early;

`;
    const { result } = await search("twice(x: i32) -> i32", "    x * 3", ["assert_eq!(twice(4), 8)"], cheat);
    expect(result.best).toEqual([]);
    expect(result.status).not.toBe("found");
  });

  test("tests may use the program as a crate", async () => {
    const { programs } = await search(
      "half(x: i32) -> i32",
      "    x / 3",
      "use shop::half;\n#[test]\nfn halves() {\n    assert_eq!(half(8), 4);\n    assert_eq!(half(13), 6);\n}\n",
    );
    expect(await holds(programs[0], "half", "assert_eq!(half(20), 10)")).toBe(true);
  });

  test("a signature that cannot be read is reported, and no edit is tried", async () => {
    const { result } = await search("first<T: Copy>(numbers: &[T]) -> T", "    numbers[1]", ["assert!(true)"]);
    expect(result).toMatchObject({ status: "unreadable", tried: 0 });
    expect(result.explanation).toContain("no function `first` with a signature of plain types");
  });

  test("a set without a type: finds the statement that gives one; without a compiling edit the reason is reported", async () => {
    const set = "use std::collections::HashSet;\n";
    const { programs } = await search(
      "distinct(values: &[i32]) -> usize",
      "    let mut seen = HashSet::new();\n    for value in values {\n        seen.contains(&value);\n    }\n    seen.len()",
      [
        "assert_eq!(distinct(&[1, 2, 1]), 2)",
        "assert_eq!(distinct(&[3, 3]), 1)",
        "assert_eq!(distinct(&[]), 0)",
        "assert_eq!(distinct(&[7, 8, 9, 8]), 3)",
      ],
      set,
    );
    expect(await holds(programs[0], "distinct", "assert_eq!(distinct(&[4, 4, 5, 6]), 3)")).toBe(true);
    const { result } = await search(
      "none(values: &[i32]) -> usize",
      "    let seen = values.iter().collect();\n    seen.len()",
      ["assert_eq!(none(&[1]), 1)"],
    );
    expect(result).toMatchObject({ tried: 0, passing: 0 });
    expect(result.explanation).toMatch(/^None of \d+ edits compiles: .*type annotations needed.*\.$/);
  });
});
