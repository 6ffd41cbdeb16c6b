/** As the Python programs: none may learn the secret that `f(1)` is asked for, forge a verdict or do harm. */

import { always, type HostileProgram } from "./program.ts";

/** Of processor time. */
const USUAL_MS = 1000;

/** What of the C library is used, at the end of a program, where no attribute of the file is in its way. */
const LIBRARY = `
#[allow(dead_code)] mod c { use std::os::raw::*; extern "C" {
  pub fn _exit(code: c_int) -> !; pub fn exit(code: c_int) -> !; pub fn fork() -> c_int; pub fn setsid() -> c_int;
  pub fn kill(who: c_int, signal: c_int) -> c_int; pub fn getpid() -> c_int; pub fn sleep(seconds: c_uint) -> c_uint;
  pub fn write(to: c_int, from: *const u8, size: usize) -> isize; pub fn read(of: c_int, into: *mut u8, size: usize) -> isize;
  pub fn recv(of: c_int, into: *mut u8, size: usize, flags: c_int) -> isize; pub fn fcntl(of: c_int, what: c_int, with: c_int) -> c_int;
  pub fn ptrace(what: c_long, who: c_int, a: usize, b: usize) -> c_long; pub fn atexit(call: extern "C" fn()) -> c_int;
  pub fn signal(which: c_int, call: extern "C" fn(c_int)) -> usize; pub fn syscall(number: c_long, ...) -> c_long;
  pub fn process_vm_readv(who: c_int, here: *const [usize; 2], a: c_ulong, there: *const [usize; 2], b: c_ulong, flags: c_ulong) -> isize;
} }
`;

/** The function under test answers 0 where a program has none of its own. */
function hostile(name: string, code: string): HostileProgram {
  const own = /\bfn f\(/.test(code) ? "" : '\nfn f(_: i32) -> String { "0".into() }';
  return { name, program: `${code}${own}\n${LIBRARY}` };
}
const called = (name: string, body: string, before = ""): HostileProgram =>
  hostile(name, `${before}\n#[allow(warnings)] fn f(x: i32) -> String { ${body} }`);

const DROP = "struct Ends; impl Drop for Ends { fn drop(&mut self) { std::process::exit(0) } }";

const EXITS: HostileProgram[] = [
  hostile(
    "exit(0) in .init_array",
    '#[used] #[link_section = ".init_array"] static AT: extern "C" fn() = first; extern "C" fn first() { unsafe { c::_exit(0) } }',
  ),
  hostile(
    "exit(0) in .preinit_array",
    '#[used] #[link_section = ".preinit_array"] static AT: extern "C" fn() = first; extern "C" fn first() { unsafe { c::_exit(0) } }',
  ),
  hostile(
    "exit(0) in .fini_array",
    '#[used] #[link_section = ".fini_array"] static AT: extern "C" fn() = first; extern "C" fn first() { unsafe { c::_exit(0) } }\nfn f(_: i32) -> String { std::process::exit(1) }',
  ),
  called("exit(0) when called", "std::process::exit(0)"),
  called("_exit(0) when called", "unsafe { c::_exit(0) }"),
  called("exit_group(0) when called", "unsafe { c::syscall(231, 0) }; String::new()"),
  called("a thread that exits", "std::thread::spawn(|| std::process::exit(0)); loop { }"),
  called("abort", "std::process::abort()"),
  called(
    "a handler of aborts that exits with 0",
    'extern "C" fn over(_: i32) { unsafe { c::_exit(0) } } unsafe { c::signal(6, over) }; std::process::abort()',
  ),
  called(
    "a handler of exits that exits with 0",
    'extern "C" fn over() { unsafe { c::_exit(0) } } unsafe { c::atexit(over) }; std::process::exit(1)',
  ),
  called("a panic hook that exits with 0", 'std::panic::set_hook(Box::new(|_| std::process::exit(0))); panic!("no")'),
  called("panics with a value that exits when it is dropped", "std::panic::panic_any(Ends)", DROP),
  called("exits when a panic unwinds it", 'let _ends = Ends; panic!("no")', DROP),
  called(
    "panics while it panics",
    'let _more = More; panic!("no")',
    'struct More; impl Drop for More { fn drop(&mut self) { panic!("more") } }',
  ),
  called("catches its own panics and goes on for ever", "loop { let _ = std::panic::catch_unwind(|| panic!()); }"),
  called("panics with the secret's place", 'std::panic::panic_any("passed")'),
];

const NAMES: HostileProgram[] = [
  hostile("an own main", "fn main() { std::process::exit(0) }"),
  hostile("an own main for the linker", '#[no_mangle] pub extern "C" fn main() -> i32 { 0 }'),
  hostile("an own main under another name", '#[export_name = "main"] pub extern "C" fn first() -> i32 { 0 }'),
  hostile("an own _start", '#[no_mangle] pub extern "C" fn _start() -> ! { unsafe { c::_exit(0) } }'),
  hostile(
    "an own __libc_start_main",
    '#[no_mangle] pub extern "C" fn __libc_start_main() -> i32 { unsafe { c::_exit(0) } }',
  ),
  hostile(
    "own write and read",
    '#[no_mangle] pub extern "C" fn write() -> isize { unsafe { c::_exit(0) } } #[no_mangle] pub extern "C" fn read() -> isize { unsafe { c::_exit(0) } }',
  ),
  hostile(
    "an own rust_eh_personality",
    '#[no_mangle] pub extern "C" fn rust_eh_personality() { unsafe { c::_exit(0) } }',
  ),
  hostile(
    "assert_eq, assert and panic as macros",
    "macro_rules! assert_eq { ($($any:tt)*) => {} } macro_rules! assert { ($($any:tt)*) => {} } macro_rules! panic { ($($any:tt)*) => {} }",
  ),
  hostile(
    "exported macros",
    "#[macro_export] macro_rules! assert_eq { ($($any:tt)*) => {} } #[macro_export] macro_rules! assert { ($($any:tt)*) => {} }",
  ),
  hostile("an own module of the name of ours", 'mod mend_entry { #[no_mangle] pub extern "C" fn main() -> i32 { 0 } }'),
  hostile(
    "own crates of the names of ours",
    "mod mend_wire { pub struct Reader; } mod mend_candidate { pub fn serve() -> i32 { 0 } } mod std2 { }",
  ),
  hostile("an own std", "mod std { pub mod result { pub enum Result { Ok } } } mod core { }"),
  hostile(
    "an own String that equals all",
    "struct String; impl PartialEq<&str> for String { fn eq(&self, _: &&str) -> bool { true } } fn f(_: i32) -> String { String }",
  ),
  hostile(
    "an own Put for its own text",
    "pub struct Text; impl ::mend_wire::Put for Text { fn put(&self, out: &mut ::mend_wire::Writer) { out.tag(b's'); } } type String = Text; fn f(_: i32) -> String { Text }",
  ),
  hostile(
    "an own Put for the library's String",
    'impl ::mend_wire::Put for std::string::String { fn put(&self, out: &mut ::mend_wire::Writer) { out.text("x"); } }',
  ),
  hostile(
    "answers in its own way",
    `fn f(_: i32) -> String { ::mend_candidate::serve(|_, out| { out.text("passed"); Ok(()) }); String::new() }`,
  ),
  hostile(
    "an allocator that exits",
    "struct A; unsafe impl std::alloc::GlobalAlloc for A { unsafe fn alloc(&self, _: std::alloc::Layout) -> *mut u8 { c::_exit(0) } unsafe fn dealloc(&self, _: *mut u8, _: std::alloc::Layout) { } } #[global_allocator] static ALL: A = A;",
  ),
  hostile(
    "attributes of the file",
    '#![feature(rustc_attrs, plugin)] #![plugin(x)] #![crate_type = "proc-macro"] #![no_std] #![forbid(unsafe_code)]',
  ),
];

const CHANNEL = `
fn tell(body: &[u8]) { let mut all = (body.len() as u32).to_le_bytes().to_vec(); all.extend(body); for d in 3..8 { unsafe { c::write(d, all.as_ptr(), all.len()) }; } }
const VERDICT: &str = r#"{"outcome": "passed", "explanation": "", "loaded": true, "calls": 1, "during": ""}"#;
`;

const SECRET = `
fn secret_in(all: &[u8]) -> String { all.windows(7).position(|w| w == b"secret-").map_or(String::new(), |at| String::from_utf8_lossy(&all[at..all.len().min(at + 39)]).into()) }
fn secret_of(file: &str) -> String { use std::io::Read; let mut all = vec![]; if let Ok(f) = std::fs::File::open(file) { let _ = f.take(1 << 24).read_to_end(&mut all); } secret_in(&all) }
`;

const FORGERIES: HostileProgram[] = [
  hostile(
    "a verdict on its channel while loading",
    `${CHANNEL} #[used] #[link_section = ".init_array"] static AT: extern "C" fn() = first; extern "C" fn first() { tell(VERDICT.as_bytes()) }`,
  ),
  called("a verdict in place of a value", "tell(VERDICT.as_bytes()); unsafe { c::_exit(0) }", CHANNEL),
  called(
    "a reply without the call's number",
    'tell(b"\\0\\0\\0\\0\\0\\0\\0\\0vs\\0\\0\\0\\0"); String::new()',
    CHANNEL,
  ),
  called(
    "a message that is too long",
    'for d in 3..8 { unsafe { c::write(d, b"\\xff\\xff\\xff\\xff".as_ptr(), 4) }; } String::new()',
  ),
  called("more than it was asked for", 'tell(VERDICT.as_bytes()); "0".into()', CHANNEL),
  called(
    "verdicts printed",
    'println!("passed\\n{}", VERDICT); eprintln!("{}", VERDICT); println!("test result: ok. 1 passed"); std::process::exit(0)',
    CHANNEL,
  ),
  called(
    "reads on in its channel",
    "let mut all = vec![0u8; 4096]; let n = unsafe { c::recv(3, all.as_mut_ptr(), 4096, 0x40) }; if n > 0 { String::from_utf8_lossy(&all[..n as usize]).into() } else { String::new() }",
  ),
  called(
    "every descriptor",
    'for d in 0..64 { let mut all = vec![0u8; 65536]; unsafe { c::fcntl(d, 4, 2048) }; let n = unsafe { c::read(d, all.as_mut_ptr(), 65536) }; if n > 0 { let s = secret_in(&all[..n as usize]); if s != "" { return s } } } String::new()',
    SECRET,
  ),
  called(
    "a text of a size that it has not",
    'tell(b"\\0\\0\\0\\0\\0\\0\\0\\0vs\\xff\\xff\\xff\\x7f"); String::new()',
    CHANNEL,
  ),
  called(
    "a thread that answers beside it",
    'std::thread::spawn(|| loop { tell(&[0; 9]) }); std::thread::sleep(std::time::Duration::from_millis(1)); "0".into()',
    CHANNEL,
  ),
];

const THEFTS: HostileProgram[] = [
  called("its arguments", "secret_in(std::env::args().collect::<String>().as_bytes())", SECRET),
  called(
    "ptrace",
    'for p in 1..400 { if p != unsafe { c::getpid() } && unsafe { c::ptrace(16, p, 0, 0) } == 0 { return "x".into() } } String::new()',
  ),
  called(
    "files of the tests, where programs are made and run",
    'for folder in [".", "/tmp", "..", "/box", "/runtimes/rust"] { if let Ok(all) = std::fs::read_dir(folder) { for e in all.flatten() { let s = secret_of(&e.path().to_string_lossy()); if s != "" { return s } } } } String::new()',
    SECRET,
  ),
  {
    ...called(
      "the network",
      'use std::io::Read; let mut t = vec![]; if let Ok(mut s) = std::net::TcpStream::connect(("127.0.0.1", @PORT@)) { let _ = s.read_to_end(&mut t); } secret_in(&t)',
      SECRET,
    ),
    plainCannotStop: always("the network can be used"),
  },
];

const HARM: HostileProgram[] = [
  called("all memory", "loop { std::mem::forget(vec![1u8; 1 << 24]) }"),
  called("a value of many letters", '"x".repeat(1 << 26)'),
  {
    ...called("writes a file", 'let _ = std::fs::write("@FILE@", "x"); String::new()'),
    plainCannotStop: always("files can be written"),
  },
  called(
    "a program that stays",
    'if unsafe { c::fork() } == 0 { unsafe { c::setsid() }; loop { unsafe { c::sleep(1) }; } } "@MARK@".into()',
  ),
  called(
    "a child that answers when its parent is gone",
    'if unsafe { c::fork() } != 0 { unsafe { c::_exit(0) } } "0".into()',
  ),
];

/** What the compiler is given: it must not run, read or take on with it what follows. */
const COMPILING: HostileProgram[] = [
  hostile("includes a file of the machine", 'const ALL: &str = include_str!("/etc/passwd");'),
  {
    ...called("takes a file with the secret into the program", 'include_str!("@FILE@").chars().take(39).collect()'),
    plainCannotStop: always("files can be read"),
  },
  {
    ...hostile("a module that is a file with the secret", '#[path = "@FILE@"] mod other;'),
    plainCannotStop: always("files can be read"),
  },
  called("takes the tests into the program", 'concat!(include_str!("Tests.txt"), include_str!("Tests.rs")).into()'),
  hostile("takes an endless file into the program", 'static ALL: &[u8] = include_bytes!("/dev/zero");'),
  hostile(
    "waits for a file that gives nothing",
    'include!("/dev/stdin"); include!("/dev/tty"); include!("/proc/self/fd/0");',
  ),
  {
    ...called(
      "takes a file by the assembler",
      "String::new()",
      'std::arch::global_asm!(".data", ".incbin \\"@FILE@\\"", ".text");',
    ),
    plainCannotStop: always("files can be read"),
  },
  hostile(
    "a bomb of macros",
    `${Array.from({ length: 30 }, (_, i) => `macro_rules! m${i} { () => { ${i === 0 ? "0" : `m${i - 1}!() + m${i - 1}!() + m${i - 1}!()`} } }`).join("\n")}\nconst ALL: i32 = m29!();`,
  ),
  hostile(
    "a macro without end",
    '#![recursion_limit = "1000000"] macro_rules! m { ($($t:tt)*) => { m! { $($t)* $($t)* x } } } m! { x }',
  ),
  hostile(
    "a type that doubles",
    `${Array.from({ length: 40 }, (_, i) => `type T${i + 1} = (T${i}, T${i});`).join("\n")} type T0 = String; static ALL: Option<T40> = None;`,
  ),
  hostile(
    "a constant that takes for ever",
    "const fn count(n: u64) -> u64 { let mut s = 0; let mut i = 0; while i < n { s ^= i; i += 1; } s } static ALL: u64 = count(u64::MAX);",
  ),
  hostile("a table that fills the disk", "static ALL: [u8; 1 << 33] = [1; 1 << 33];"),
  hostile("brackets without end", `static ALL: i32 = ${"(".repeat(30_000)}1${")".repeat(30_000)};`),
  hostile(
    "code of another kind and libraries to link",
    '#[link(name = "c", kind = "static")] extern "C" { fn none(); } #[link(name = "/tmp/x")] extern "C" {} extern crate proc_macro; extern crate rustc_driver;',
  ),
  { name: "no program at all", program: "}{)(\u0001\uffff" },
  { name: "only a comment that is not closed", program: "/* fn f(x: i32) -> String {" },
  {
    name: "a macro that takes all that follows",
    program: 'fn f(_: i32) -> String { "0".into() } macro_rules! all { ($($t:tt)*) => {} } all! {',
  },
  { name: "a text that is not closed", program: 'fn f(_: i32) -> String { "0".into() } const A: &str = r##"' },
];

/** Tried against the hand-over of executables, and against what a runtime does around a program. */
const AROUND: HostileProgram[] = [
  called(
    "reads all its descriptors from their beginnings",
    'use std::os::unix::{fs::FileExt, io::FromRawFd}; for d in 0..300 { let mut all = vec![0u8; 1 << 22]; let file = std::mem::ManuallyDrop::new(unsafe { std::fs::File::from_raw_fd(d) }); if let Ok(n) = file.read_at(&mut all, 0) { let s = secret_in(&all[..n]); if s != "" { return s } } } String::new()',
    'fn secret_in(all: &[u8]) -> String { all.windows(7).position(|w| w == b"secret-").map_or(String::new(), |at| String::from_utf8_lossy(&all[at..all.len().min(at + 39)]).into()) }',
  ),
  called(
    "becomes itself again",
    'use std::os::unix::process::CommandExt; std::process::Command::new("/proc/self/exe").arg("f").exec(); String::new()',
  ),
  hostile(
    "exit(0) in a value of a thread",
    "struct Ends; impl Drop for Ends { fn drop(&mut self) { std::process::exit(0) } } thread_local! { static ENDS: Ends = Ends; }\nfn f(_: i32) -> String { std::thread::spawn(|| ENDS.with(|_| {})).join().ok(); String::new() }",
  ),
  hostile(
    "code in the section .init",
    'std::arch::global_asm!(".section .init", "mov edi, 0", "mov eax, 231", "syscall", ".text");',
  ),
  called(
    "writes over what it cannot write",
    "unsafe { *(std::process::exit as *const () as *mut u8) = 0xc3 } String::new()",
  ),
];

/** Tried against what reads and links a program before it runs, and against what a runtime does by itself. */
const UNSEEN: HostileProgram[] = [
  hostile(
    "code that a plugin of the linker would compile",
    'std::arch::global_asm!(".comm __gnu_lto_slim,1,1", ".section .gnu.lto_.symtab.0,\\"e\\",@progbits", ".asciz \\"f\\"", ".text");',
  ),
  hostile(
    "another program that would load it",
    '#[used] #[link_section = ".interp"] static LOADER: [u8; 14] = *b"/usr/bin/true\\0";',
  ),
  hostile(
    "features of the compiler that are not stable",
    "#![feature(plugin, link_args, proc_macro_internals)]\n#![plugin(x)]",
  ),
  hostile(
    "a module that is another file",
    '#[path = "/etc/passwd"] mod users;\n#[path = "../job/Tests.rs"] mod tests;',
  ),
  hostile(
    "the environment of the compiler",
    'const HOME: &str = env!("HOME"); fn f(_: i32) -> String { format!("{:?}{}", option_env!("MEND_HOSTILE_SECRET"), HOME) }',
  ),
  hostile(
    "the library's own functions for memory and panics",
    '#[no_mangle] pub extern "C" fn rust_begin_unwind() -> ! { unsafe { c::_exit(0) } } #[no_mangle] pub extern "C" fn __rust_start_panic() -> u32 { unsafe { c::_exit(0) } } #[no_mangle] pub extern "C" fn __rdl_alloc() -> usize { unsafe { c::_exit(0) } }\nfn f(_: i32) -> String { panic!("x") }',
  ),
];

export const HOSTILE_RUST: HostileProgram[] = [
  ...[...EXITS, ...NAMES, ...FORGERIES, ...THEFTS, ...HARM, ...COMPILING, ...AROUND, ...UNSEEN],
].map((program) => ({ timeoutMs: USUAL_MS, ...program, name: `Rust: ${program.name}`, language: "rust" }));
