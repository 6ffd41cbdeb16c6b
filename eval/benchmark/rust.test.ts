// @module-tag deep
import { expect, test } from "vitest";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import { hasCrate } from "../../utils/languages/rust/built_crates.ts";
import { describeCompiled } from "./testing/compiled_language.ts";

const TWICE = "fn twice(x: i32) -> i32 { 2 * x }\n";

describeCompiled(
  {
    language: "rust",
    renamed: "Rust/3",
    entryPoints: ["wet_days", "stock", "unmasked", "first_gap"],
    isUsable: ({ hiddenTest }) => !hiddenTest.includes("rand::") || hasCrate("rand"),
    undeclared: {
      program: TWICE,
      entryPoint: "twice",
      test: "assert_eq!(twice(2), 4);",
      cheat: TWICE.replace("2 * x", "std::process::exit(0)"),
      unfit: TWICE.replace("x: i32", "x: std::fs::File").replace("2 * x", "1"),
    },
    protocol: "docs",
  },
  ({ sandbox, ran }) => {
    test("what a program changes in its arguments is changed for the tests; texts, errors, tuples and what an Any holds cross", async () => {
      const program = `use std::any::Any; use std::collections::*; use std::error::Error;
fn turn<'a>(items: &mut [i32], by: &mut BTreeMap<String, Vec<char>>, name: &'a str, any: Vec<Box<dyn Any>>) -> Result<(&'a str, f32, Option<u8>), Box<dyn Error>> {
    items[0] = 9;
    by.remove("a");
    if name == "" { return Err("no name".into()); }
    let more = any.iter().filter_map(|one| one.downcast_ref::<i32>()).sum::<i32>();
    Ok((&name[1..], 0.1, Some(more as u8)))
}
`;
      const test = `#[test]
fn turns() {
    let (mut items, mut by) = ([1, 2], BTreeMap::from([("a".to_string(), vec!['x']), ("b".to_string(), vec![])]));
    let (name, part, more) = turn(&mut items, &mut by, "öä", vec![Box::new(3), Box::new("text"), Box::new(4)]).unwrap();
    assert!(name == "ä" && part == 0.1 && more == Some(7));
    assert_eq!((items, by.len()), ([9, 2], 1));
    assert_eq!(turn(&mut items, &mut by, "", vec![]).unwrap_err().to_string(), "no name");
}
#[test]
#[should_panic(expected = "index out of bounds")]
fn needs_items() { let _ = turn(&mut [], &mut BTreeMap::new(), "n", vec![]); }
`;
      const job = { language: "rust", program, entryPoint: "turn", test, timeoutMs: 10_000 } as const;
      const wide = program.replaceAll("öä", "\u00f6\u00e4").replace("&name[1..]", "&name[2..]");
      const helpers = wide.slice(0, wide.indexOf("    items"));
      expect(await sandbox.judge({ ...job, program: wide, helpers })).toMatchObject({ outcome: "passed", calls: 3 });
      const wrong = wide.replace('by.remove("a");', "");
      expect(await sandbox.judge({ ...job, program: wrong, helpers })).toMatchObject({ outcome: "failed" });
    });

    test("programs are run for what they print: a main, statements alone, or tests", async () => {
      expect(await ran('fn main() { println!("{}", 6 * 7); std::process::exit(3) }')).toMatchObject({
        ...{ status: "exited", exitCode: 3, stdout: "42\n" },
      });
      expect(await ran('let x = vec![1, 2];\nprintln!("{:?}", x);')).toMatchObject({ exitCode: 0, stdout: "[1, 2]\n" });
      expect(await ran("let x = vec![1];\nlet i = x.len();\nx[i];")).toMatchObject({
        exitCode: 101,
        stderr: expect.stringMatching(/Main\.rs:3/),
      });
      expect(await ran("let x = 1;\nlet y: i32 = z + x;")).toMatchObject({ status: "syntax_error", line: 2 });
      const tested = LANGUAGES.rust.withHarness("fn f() -> i32 { 1 }", "#[test]\nfn tests_f() { assert_eq!(f(), 2); }");
      expect(await ran(tested)).toMatchObject({
        exitCode: 101,
        stdout: expect.stringMatching(/tests_f \.\.\. FAILED/),
      });
    });
  },
);
