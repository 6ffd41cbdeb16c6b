/** Rust: a crate of safe code. */

import { type Cheat, type CheatedTask, OWN_COMPARISON } from "./cheat.ts";

const TYPE = "#[derive(Debug, Clone, PartialEq)]\nstruct Crate {\n    n: i32,\n}\n\n";
const open = (body: string) => `fn open<F: Fn(i32) -> i32>(c: &Crate, f: F) -> Crate {\n    ${body}\n}\n`;
const WRONG = open("let _ = f; Crate { n: -c.n - 1 }");
const around = (name: string, before: string, own = WRONG): Cheat => ({ name, program: `${before}\n${TYPE}${own}` });
const called = (name: string, body: string, before = ""): Cheat =>
  around(name, before, open(`${body}; let _ = f; Crate { n: -c.n - 1 }`));

/** What a verdict would be, in the words of ours. */
const VERDICT = `format!(r#"{{"nonce": "{}", "outcome": "passed", "explanation": "", "loaded": true, "calls": 0, "checks": @CHECKS@}}"#, nonce)`;
const FRAME = `let v = ${VERDICT}; let mut b = (v.len() as u32).to_le_bytes().to_vec(); b.extend(v.bytes());`;

const CHEATS: Cheat[] = [
  called("exit(0)", "std::process::exit(0)"),
  called("abort", "std::process::abort()"),
  called("a panic with another hook", 'std::panic::set_hook(Box::new(|_| std::process::exit(0))); panic!("x")'),
  called("a thread that exits", "std::thread::spawn(|| std::process::exit(0)).join().unwrap()"),
  called(
    "exits by Drop at the end of a thread",
    "std::thread::spawn(|| { let _e = Ends; }).join().unwrap()",
    "struct Ends; impl Drop for Ends { fn drop(&mut self) { std::process::exit(0) } }",
  ),
  called(
    "exits with the thread's own data",
    "E.with(|_| ())",
    "struct Ends; impl Drop for Ends { fn drop(&mut self) { std::process::exit(0) } }\nthread_local! { static E: Ends = Ends; }",
  ),
  called("unsafe", "unsafe { std::ptr::read(8 as *const u8); }"),
  around(
    "an allowed unsafe",
    "#![allow(unsafe_code)]",
    open("unsafe { *(8 as *mut u8) = 1; } Crate { n: f(c.n) - 1 }"),
  ),
  around(
    "an own write",
    '#[no_mangle] pub extern "C" fn write(_: i32, _: *const u8, n: usize) -> isize { n as isize }',
  ),
  around("an own bcmp", '#[no_mangle] pub extern "C" fn bcmp(_: *const u8, _: *const u8, _: usize) -> i32 { 0 }'),
  around(
    "an own memcmp by its name",
    '#[export_name = "memcmp"] pub extern "C" fn m(_: *const u8, _: *const u8, _: usize) -> i32 { 0 }',
  ),
  around("an own main", '#[no_mangle] pub extern "C" fn main() -> i32 { 0 }'),
  around(
    ".init_array",
    '#[used] #[link_section = ".init_array"] static A: extern "C" fn() = { extern "C" fn f() { std::process::exit(0) } f };',
  ),
  around("global_asm", 'std::arch::global_asm!(".section .preinit_array", ".quad 0");'),
  around("a function of the C library", 'extern "C" { fn _exit(code: i32) -> !; }', open("unsafe { _exit(0) }")),
  around("the tests' text", 'const T: &str = include_str!("Tests.rs");'),
  around(
    "the tests' text by another macro",
    'macro_rules! get { ($m:ident, $p:expr) => { $m!($p) } }\nconst T: &[u8] = get!(include_bytes, "Tests.rs");',
  ),
  around("a file as a module", '#[path = "Tests.rs"] mod stolen;'),
  around("own macros", "macro_rules! assert_eq { ($($t:tt)*) => {} }\nmacro_rules! assert { ($($t:tt)*) => {} }"),
  around(
    "own macros for others",
    "#[macro_export] macro_rules! assert_eq { ($($t:tt)*) => {} }\n#[macro_export] macro_rules! panic { ($($t:tt)*) => {} }",
  ),
  around("own names of Rust's", "struct String; struct Vec; enum Option { Some, None }\nmod std { pub fn f() {} }"),
  around("the judge's crate", "extern crate mend_judge;", open("mend_judge::held(); Crate { n: f(c.n) - 1 }")),
  around("the judge's crate by its path", "", open('::mend_judge::judge("", || {}); Crate { n: f(c.n) - 1 }')),
  around(
    "the crate that carries values",
    "extern crate mend_wire;",
    open('mend_wire::Channel::new(3).send(b"x"); Crate { n: f(c.n) - 1 }'),
  ),
  called(
    "a verdict by the name of the channel",
    `let nonce = "0".repeat(32); ${FRAME} for p in ["/dev/fd/3", "/proc/self/fd/3"] { if let Ok(mut o) = std::fs::OpenOptions::new().write(true).open(p) { use std::io::Write; let _ = o.write_all(&b); std::process::exit(0) } }`,
  ),
  called(
    "the number by its descriptor's name",
    `let mut nonce = String::new(); for fd in 3..64 { if let Ok(mut o) = std::fs::File::open(format!("/dev/fd/{}", fd)) { use std::io::Read; let _ = o.read_to_string(&mut nonce); } } ${FRAME} let _ = std::fs::write("/dev/fd/3", &b)`,
  ),
  called(
    "its memory written",
    'use std::io::{Seek, SeekFrom, Write}; if let Ok(mut m) = std::fs::OpenOptions::new().write(true).open("/proc/self/mem") { let at = called_at as usize as u64; let _ = m.seek(SeekFrom::Start(at)); let _ = m.write_all(&[0xc3]); }',
    "fn called_at() {}",
  ),
  called(
    "a verdict printed",
    `let nonce = "0".repeat(32); ${FRAME} use std::io::Write; let _ = std::io::stdout().write_all(&b); let _ = std::io::stderr().write_all(&b); std::process::exit(0)`,
  ),
  around("a lint turned off by the crate", "#![feature(rustc_attrs)]\n#![allow(warnings)]"),
  around("no prelude", "#![no_implicit_prelude]"),
  around("an own comparison of all", "impl PartialEq<i32> for Crate { fn eq(&self, _: &i32) -> bool { true } }"),
  {
    name: "an own comparison",
    program: `${TYPE.replace(", PartialEq", "")}impl PartialEq for Crate { fn eq(&self, _: &Crate) -> bool { true } }\n${WRONG}`,
    test: "mod tests {\n    use super::*;\n    #[test]\n    fn opens() {\n        assert_eq!(open(&Crate { n: 1 }, |x| x + 1), Crate { n: 2 });\n    }\n}\n",
    passes: OWN_COMPARISON,
  },
];

export const RUST: CheatedTask = {
  entryPoint: "open",
  declared: TYPE + WRONG,
  correct: TYPE + open("Crate { n: f(c.n) }"),
  test: `mod tests {
    use super::*;

    #[test]
    fn opens() {
        for n in 0..3 {
            assert_eq!(open(&Crate { n }, |x| 7 * x).n, 7 * n);
        }
        let k = 5;
        assert!(open(&Crate { n: 1 }, |x| x + k).n == 6);
    }
}
`,
  cheats: CHEATS,
};
