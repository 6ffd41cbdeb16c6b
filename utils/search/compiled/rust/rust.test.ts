// @module-tag deep
import { expect, test } from "vitest";
import { describeSearch } from "../../testing/compiled_search.ts";

/** As HumanEvalPack has them. */
const inModule = (checks: readonly string[]): string =>
  `#[cfg(test)]\nmod tests {\n  use super::*;\n  #[test]\n  fn all() {\n${checks.map((one) => `    ${one};\n`).join("")}  }\n}\n`;

describeSearch(
  { language: "rust", around: (signature, before) => [`${before}fn ${signature} {\n`, "}"], tests: inModule },
  {
    finds: {
      "a wrong number is found among edits that do not compile, that never end and that panic": {
        signature: "rainy(days: &[i32], limit: i32) -> usize",
        body: "    let mut count = 0;\n    let mut i = 1;\n    while i < days.len() {\n        if days[i] > limit {\n            count += 1;\n        }\n        i += 1;\n    }\n    count",
        checks: [
          "assert_eq!(rainy(&[5, 1, 7], 4), 2)",
          "assert_eq!(rainy(&[], 0), 0)",
          "assert_eq!(rainy(&[8, 9, 2, 6], 3), 3)",
          "assert_eq!(rainy(&[1, 8], 3), 1)",
        ],
        holds: "assert_eq!(rainy(&[9, 9, 2, 9], 3), 3)",
      },
      "a wrong sign among edits that use up the stack": {
        signature: "stairs(n: i64) -> i64",
        body: "    if n == 0 {\n        return 0;\n    }\n    n - stairs(n - 1)",
        checks: ["assert_eq!(stairs(1), 1)", "assert_eq!(stairs(3), 6)", "assert_eq!(stairs(4), 10)"],
        holds: "assert_eq!(stairs(100), 5050)",
      },
      "a statement that is missing": {
        signature: "middle(numbers: Vec<i32>) -> i32",
        body: "    numbers[numbers.len() / 2]",
        checks: [
          "assert_eq!(middle(vec![9, 1, 5]), 5)",
          "assert_eq!(middle(vec![3, 2, 1, 8, 9]), 3)",
          "assert_eq!(middle(vec![7]), 7)",
        ],
        holds: "assert_eq!(middle(vec![4, 8, 6, 2, 0]), 4)",
      },
      "of a lifetime, an argument that is changed, tests that want a panic, and a `main` in the program": {
        signature: "front<'a>(words: &mut Vec<&'a str>, _: &'a str) -> &'a str",
        body: '    if words.is_empty() {\n        panic!("empty");\n    }\n    words.remove(1)',
        checks: `#[test]
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
`,
        before: "fn main() {}\n\n",
        holds: 'assert_eq!(front(&mut vec!["q", "r", "s"], ""), "q")',
      },
      "tests may use the program as a crate": {
        signature: "half(x: i32) -> i32",
        body: "    x / 3",
        checks:
          "use shop::half;\n#[test]\nfn halves() {\n    assert_eq!(half(8), 4);\n    assert_eq!(half(13), 6);\n}\n",
        holds: "assert_eq!(half(20), 10)",
      },
      "a set without a type gets the statement that gives it one": {
        signature: "distinct(values: &[i32]) -> usize",
        body: "    let mut seen = HashSet::new();\n    for value in values {\n        seen.contains(&value);\n    }\n    seen.len()",
        checks: [
          "assert_eq!(distinct(&[1, 2, 1]), 2)",
          "assert_eq!(distinct(&[3, 3]), 1)",
          "assert_eq!(distinct(&[]), 0)",
          "assert_eq!(distinct(&[7, 8, 9, 8]), 3)",
        ],
        before: "use std::collections::HashSet;\n",
        holds: "assert_eq!(distinct(&[4, 4, 5, 6]), 3)",
      },
    },
    differing: {
      signature: "joined(xs: Vec<i32>, n: i32) -> i32",
      body: "    xs[0] - xs[1] + n",
      checks: ["assert_eq!(joined(vec![2, 2], 0), 4)"],
      inputs: /^\(\[-?\d+(?:, -?\d+)*\], -?\d+\)$/,
    },
    cheat: {
      signature: "twice(x: i32) -> i32",
      body: "    x * 3",
      checks: ["assert_eq!(twice(4), 8)"],
      before: `extern "C" { fn _exit(code: i32) -> !; fn write(to: i32, text: *const u8, size: usize) -> isize; }
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

`,
    },
    generic: {
      signature: "kept<T, F: Fn(&T) -> bool>(items: &[T], size: usize, is_kept: F) -> Vec<T> where T: Clone",
      body: "    items.iter().filter(|one| !is_kept(one)).take(size).cloned().collect()",
      checks: [
        "assert_eq!(kept(&[7, 4, 9, 8], 2, |n| *n > 5), vec![7, 9])",
        'assert_eq!(kept(&["a"], 0, |_| true).len(), 0)',
      ],
      more: { judgeMode: "in_process", checks: 3 },
      writes: "filter(|one| is_kept(one))",
    },
    unreadable: {
      signature: "first(numbers: &[i32]) -> impl Iterator<Item = i32>",
      body: "    numbers[1..2].to_vec().into_iter()",
      checks: ["assert!(true)"],
      why: "no function `first` with a signature of plain types",
    },
  },
  ({ search }) => {
    test("without a compiling edit the reason is reported", async () => {
      const { result } = await search({
        signature: "none(values: &[i32]) -> usize",
        body: "    let seen = values.iter().collect();\n    seen.len()",
        checks: ["assert_eq!(none(&[1]), 1)"],
      });
      expect(result).toMatchObject({ tried: 0, passing: 0 });
      expect(result.explanation).toMatch(/^None of \d+ edits compiles: .*type annotations needed.*\.$/);
    });
  },
);
