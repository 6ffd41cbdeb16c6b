import { describe, expect, test } from "vitest";
import { allItems } from "../items.ts";
import { usedCrates, withoutUnusedCrates } from "./crates.ts";
import { rust } from "./index.ts";
import { findFunction, itemsOf } from "./items.ts";
import { scan } from "./scan.ts";
import { signatureOf, stubsOf } from "./signature.ts";
import { judgeSources, runSources } from "./sources.ts";
import { callable } from "./tests.ts";

const DECLARATION = `#![allow(dead_code)]
use std::collections::{HashMap, HashSet};
use rand::Rng;

/* a /* nested */ bracket } */
#[derive(Debug)]
struct Shelf<'a> { name: &'a str }

fn weight(name: &str) -> usize {
    name.len() // and } here
}

pub fn sorted<'a>(mut items: Vec<&'a str>, by: &mut HashMap<String, (i32, f64)>, most: [u8; 2]) -> Option<&'a str> {
`;
const BODY = `    let text = "}\\" {
";
    let one = '}';
    let raw = r#"} " "#;
    items.pop() // }
}
`;
const FILE = { entryPoint: "sorted", declaration: DECLARATION, buggyCode: BODY, epilogue: "" };
const WHOLE = DECLARATION + BODY;
const tokens = (code: string) => scan(code).tokens.map(({ text }) => text);

describe("reading", () => {
  test("brackets in comments, texts and characters are none; lifetimes are no characters", () => {
    const { sound, complete, depth, insideText } = scan(WHOLE);
    expect([sound, complete, depth, insideText.size]).toEqual([true, true, 0, 1]);
    expect(tokens("f::<'a>('b', b'\\'', '\\u{1F600}', 1.0..=2, r#fn)")).toEqual(
      "f :: < 'a > ( 'b' , b'\\'' , '\\u{1F600}' , 1.0 ..= 2 , r#fn )".split(" "),
    );
    expect([rust.isWhole("fn f() {"), rust.isWhole('let x = "a'), rust.isSound("}"), rust.isWhole("/* /* */")]).toEqual(
      [...[false, false, false, false]],
    );
  });

  test("functions, types, modules, imports and statements are distinguished", () => {
    const code = `use a::{b, c}; const X: [i32; 2] = { [1, 2] }; mod shop { pub(crate) struct P(i32); impl<T> Show for Vec<T> where T: Copy { fn show(&self) {} }
#[test] fn works() {} } pub const unsafe extern "C" fn low() {} macro_rules! m { () => {}; } trait T { fn t(&self) -> i32; fn u(&self) { } }
let x = match y { _ => 1 }; if a { 1 } else { 2 } f(x)`;
    expect(
      [...allItems(itemsOf(code))].map(({ kind, name, around }) => `${kind} ${[...around, name].join("::")}`.trim()),
    ).toEqual([
      ...["use", "const X", "mod shop", "type shop::P", "impl shop::Vec", "fn shop::Vec::show", "fn shop::works"],
      ...["fn low", "macro m", "type T", "fn T::t", "fn T::u", "other", "other", "other"],
    ]);
  });

  test("a program around a function, and its functions with their lines", () => {
    const parts = rust.partsAround(WHOLE, "sorted");
    expect(parts?.declaration).toBe(DECLARATION);
    expect(`${parts?.body}${parts?.epilogue}`).toBe(BODY);
    const methods = `${WHOLE}impl Shelf<'_> {\n    fn put(&self) {\n    }\n}\nmod tests {\n    #[test]\n    fn puts() {}\n}\n`;
    expect(rust.files.functions(methods).slice(2)).toEqual([{ name: "Shelf::put", start: 21, end: 22 }]);
    const within = (code: string) =>
      rust.files.testsWithin?.(code, true).map(({ start, end }) => code.slice(start, end));
    expect(within(methods)).toEqual(["#[test]\n    fn puts() {}"]);
    expect(within(`${WHOLE}#[cfg(test)]\nmod t { fn two() -> u8 { 2 } }\n`)?.join()).toContain("fn two");
    expect(within(WHOLE)).toEqual([]);
    expect(rust.files.testLines(methods, "shelf::tests::puts")).toMatchObject({ start: 25 });
    expect(rust.definitions(WHOLE)).toEqual(["weight", "sorted"]);
  });

  test("any text gives something and nothing throws", () => {
    for (let at = 0; at < DECLARATION.length; at += 7) {
      const text = DECLARATION.slice(at) + BODY.slice(at % 30);
      const job = { program: text, entryPoint: "sorted", helpers: "", test: text };
      expect(() => [
        ...[rust.partsAround(text, "sorted"), rust.assemble(FILE, text), stubsOf(text, "sorted")],
        ...[judgeSources(job), runSources(text)],
      ]).not.toThrow();
    }
  });
});

describe("an answer becomes a program", () => {
  const FUNCTION = DECLARATION.slice(DECLARATION.indexOf("pub fn sorted"));

  test("the function alone keeps the file's helpers, types and imports, each once, and loses what tries it", () => {
    const tried = "fn main() { sorted(vec![]); }\n#[cfg(test)]\nmod tests { #[test] fn t() {} }\n";
    const answer = `use std::collections::HashMap;\nuse std::cmp::max;\n\n${FUNCTION}    None\n}\n\n${tried}`;
    const program = rust.assemble(FILE, answer);
    expect(program).toMatch(/^#!\[allow\(dead_code\)\]\nuse std::collections::HashSet;\nuse rand::Rng;\n/);
    expect(program.match(/collections::HashMap/g)).toHaveLength(1);
    for (const part of ["use std::cmp::max;", "struct Shelf", "fn weight", "    None\n"])
      expect(program).toContain(part);
    expect(program).not.toMatch(/items\.pop|fn main|mod tests/);
  });

  test("tests that stand in the file stay in an answer that is the whole of it, and are found there", () => {
    const tests = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() {}\n}";
    const whole = `fn sorted() -> i32 {\n    1\n}\n\n${tests}\n`;
    const file = { ...FILE, declaration: "fn sorted() -> i32 {\n", buggyCode: "    1\n}\n", epilogue: `\n${tests}\n` };
    expect(rust.assemble(file, whole.replace("1", "2"))).toBe(whole.replace("1", "2"));
    expect(rust.ownTests?.(whole)).toBe(tests);
  });

  test.each([
    ["the body", "    return None;\n"],
    ["with its bracket", "    return None;\n}\n"],
    ["a value alone", "    items.first().copied()\n"],
  ])("%s", (_, body) => {
    expect(tokens(rust.assemble(FILE, body))).toEqual(tokens(`${DECLARATION}${body.replace(/\}\n$/, "")}}\n`));
  });

  test("added tests are removed again, and prose is not a program", () => {
    expect(rust.assemble(FILE, rust.withHarness(WHOLE, "assert!(true);"))).toBe(rust.assemble(FILE, WHOLE));
    expect(rust.withHarness("fn f() {}", "assert!(true);")).toContain("fn main() {\nassert!(true);\n}");
    expect(rust.assemble(FILE, "I could not find it.")).toBe("I could not find it.");
  });
});

describe("what is compiled", () => {
  test("a signature's parts; what cannot be read has none", () => {
    const method = findFunction(itemsOf(WHOLE), "sorted");
    expect(method && signatureOf(WHOLE, method)).toEqual({
      name: "sorted",
      generics: "< 'a >",
      parameters: ["Vec < & 'a str >", "& mut HashMap < String , ( i32 , f64 ) >", "[ u8 ; 2 ]"],
      returns: "Option < & 'a str >",
      isPlain: true,
    });
    const unread = [
      ...["fn f<T>(x: T) { }", "fn f(x: impl Fn(i32)) { }", "async fn f() { }", "fn f(self) { }"],
      ...["fn f<const N: usize>(x: [u8; N]) { }", "fn f() -> impl Iterator<Item = i32> { }", "fn g() { }"],
    ];
    for (const code of unread) expect(stubsOf(code, "f"), code).toBeNull();
    expect(stubsOf("fn f(x: [u8; { exit(0) }]) { }", "f", false)).toBeNull();
    expect(stubsOf("fn g() { evil() }\nfn f(x: i32) { }", "f", false)?.declared).not.toContain("evil");
  });

  test("tests are called where Rust's own harness finds them; their lines stay", () => {
    const code = `#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    #[should_panic(expected = "a \\"b\\"")]
    fn one() { }
    #[test] #[ignore]
    fn two() { }
    mod inner { #[test] fn three() -> Result<(), String> { Ok(()) } }
}
`;
    const text = callable(code);
    expect(
      text
        .split("\n")
        .slice(0, 9)
        .map((line) => line.trim())
        .filter((line) => line.startsWith("fn")),
    ).toHaveLength(2);
    expect(text).not.toMatch(/#\s*\[/);
    expect(text).toContain('run("tests::one", ::mend_judge::Ends::Panics("a \\"b\\""), one);');
    expect(text).toContain('run("tests::inner::three", ::mend_judge::Ends::Returns, three);');
    expect(text).not.toContain("two);");
    // A test in a folder of its own uses the program as a crate; here it stands beside the program.
    const apart = "use std::fmt::Write;\nuse shop::{f, g};\nfn main() { f(); }";
    expect(callable(apart)).toMatch(/^use std::fmt::Write;\n +\nfn main/);
    expect(callable("assert!(f(1));")).toBe("pub fn mend_tests() { assert!(f(1));\n}\n");
    expect(callable("fn main() { }")).toContain("pub fn mend_tests() { main(); }");
  });

  test("imports of crates that nothing uses are left out, each line where it was", () => {
    const imports = "use rand::Rng;\nuse regex::{Regex,\n  Captures};\nuse md5;\n";
    expect(withoutUnusedCrates(`${imports}fn f() { }`).trim()).toBe("fn f() { }");
    expect(withoutUnusedCrates(`${imports}fn f() { }`).split("\n")).toHaveLength(5);
    expect(usedCrates(`${imports}fn f(x: Captures) { }`)).toEqual(["regex"]);
    expect(usedCrates(`${imports}fn f() { rand::thread_rng().gen::<i32>(); }`)).toEqual(["rand"]);
    expect(usedCrates("use rand::prelude::*;\nfn f() { }")).toEqual(["rand"]);
  });

  test("a function whose signature cannot be read is refused in a sentence", () => {
    const job = { program: "fn f<T>(x: T) -> T { x }", entryPoint: "f", helpers: "", test: "assert!(f(true));" };
    expect(judgeSources(job)).toContain("no function `f` with a signature of plain types");
  });

  test("code is recognized in prose", () => {
    const answer = "The loop is wrong:\n\nfn f(x: i32) -> i32 {\n    x\n}\n\nThat is all.";
    expect(rust.bareCode(answer)).toBe("fn f(x: i32) -> i32 {\n    x\n}");
    expect([rust.mayBe("rs"), rust.mayBe("rust"), rust.mayBe("go")]).toEqual([true, true, false]);
  });
});
