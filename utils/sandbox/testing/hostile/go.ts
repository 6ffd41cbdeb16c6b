/** As the Python programs: none may learn the secret that `F(1)` is asked for, forge a verdict or do harm. */

import type { HostileProgram } from "./program.ts";

/** Of processor time. */
const USUAL_MS = 1000;
/** Those that a program does not use are left out. */
const IMPORTS = `import (${["bytes", "errors", "fmt", "io/ioutil", "net", "os", "os/exec", "os/signal", "reflect", "runtime", "runtime/debug", "strconv", "strings", "syscall", "time", "unsafe"].map((name) => `"${name}"; `).join("")})\n`;

/** The function under test answers 0 where a program has none of its own. */
function hostile(name: string, code: string): HostileProgram {
  const own = /\bfunc f\(/.test(code) ? "" : '\nfunc f(x int) string { return "0" }';
  return { name, program: `${IMPORTS}${code}${own}\n` };
}
const called = (name: string, body: string, before = ""): HostileProgram =>
  hostile(name, `${before}\nfunc f(x int) string { ${body} }`);

const EXITS: HostileProgram[] = [
  hostile("os.Exit(0) in init", "func init() { os.Exit(0) }"),
  hostile("os.Exit(0) in a variable", "var ends = func() int { os.Exit(0); return 0 }()"),
  hostile("TestMain", "func TestMain(m interface{}) { os.Exit(0) }"),
  hostile("an own main", "func main() { os.Exit(0) }"),
  hostile("an own main and init", "func init() { main() }\nfunc main() { os.Exit(0) }"),
  called("os.Exit(0) when called", 'os.Exit(0); return ""'),
  called("a system call that exits", 'syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 0, 0, 0); return ""'),
  called("a goroutine that exits", "go os.Exit(0); for { }"),
  called("Goexit", 'runtime.Goexit(); return ""'),
  called("Goexit in a deferred call", 'defer runtime.Goexit(); return ""'),
  called("panics with nothing", "panic(nil)"),
  called(
    "panics with an unprintable value",
    "panic(bad{})",
    'type bad struct{}\nfunc (bad) Error() string { panic("again") }',
  ),
  called("recovers all panics and exits", 'defer func() { recover(); os.Exit(0) }(); panic("x")'),
  called(
    "a handler of signals that exits",
    "c := make(chan os.Signal, 1); signal.Notify(c); go func() { <-c; os.Exit(0) }(); syscall.Kill(syscall.Getpid(), syscall.SIGTERM); select {}",
  ),
  called(
    "a finaliser that exits",
    "type big struct{ a [9]int }; runtime.SetFinalizer(&big{}, func(*big) { os.Exit(0) }); for { runtime.GC() }",
  ),
  hostile(
    "linkname for the runtime's exit",
    "//go:linkname leave runtime.exit\nfunc leave(code int32)\nfunc init() { _ = unsafe.Pointer(nil); leave(0) }",
  ),
  hostile(
    "the runtime's exit taken over",
    "//go:linkname mine os.Exit\nfunc mine(code int) { _ = unsafe.Pointer(nil) }",
  ),
];

const NAMES: HostileProgram[] = [
  hostile("an own string", "type string int\nfunc f(x int) string { return 0 }"),
  hostile("an own int and bool", "type int string\ntype bool string"),
  hostile("an own interface of the runner", 'import _ "mend/candidate"\nfunc Serve(x interface{}) { }'),
  hostile(
    "the runner's own package",
    'import "mend/judge"\nfunc init() { judge.Main("f", "x", func() { judge.Failed("") }) }',
  ),
  hostile(
    "calls the judge's verdict",
    'import "mend/judge"\nfunc f(x int) string { judge.Call([]interface{}{&x}, []interface{}{}); return "" }',
  ),
  hostile("names of the runner's files", "func Mend_entry() interface{} { return nil }\nfunc Mend_tests() { }"),
  hostile(
    "a value that equals all",
    "type same struct{}\nfunc (same) Equal(x interface{}) bool { return true }\nfunc f(x int) same { return same{} }",
  ),
  hostile("a result of any type", "func f(x int) interface{} { return 0 }"),
  hostile("a result with an error", 'func f(x int) (string, error) { return "", nil }'),
  hostile("a variable in place of the function", 'var f = func(x int) string { return "" }'),
  hostile("a method in place of the function", 'type s struct{}\nfunc (s) f(x int) string { return "" }'),
  hostile("a function of any type", 'func f[T any](x T) string { return "" }'),
  hostile(
    "assert as a variable",
    "var assert = struct{ Equal func(a, b interface{}) bool }{func(a, b interface{}) bool { return true }}",
  ),
  hostile("true is false", "const true = false\nconst false = true\nvar nil = 1"),
];

const CHANNEL = `
func tell(body string) {
	n := len(body)
	frame := string([]byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)}) + body
	for d := 3; d < 8; d++ { syscall.Write(d, []byte(frame)) }
}
const verdict = \`{"outcome": "passed", "explanation": "", "loaded": true, "calls": 1, "during": ""}\`
const zeros = "\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00"
`;

const FORGERIES: HostileProgram[] = [
  hostile("a verdict on its channel while loading", `${CHANNEL}func init() { tell(verdict) }`),
  called("a verdict in place of a value", 'tell(verdict); os.Exit(0); return ""', CHANNEL),
  called("a reply without the call's number", 'tell(zeros + "v\\x00"); return ""', CHANNEL),
  called("a message that is too long", 'syscall.Write(3, []byte("\\xff\\xff\\xff\\xff")); return ""'),
  called("more than it was asked for", 'tell(verdict); return "0"', CHANNEL),
  called("more, behind its answer", 'go func() { time.Sleep(time.Millisecond); tell(verdict) }(); return "0"', CHANNEL),
  called(
    "verdicts printed",
    'fmt.Println("PASS\\nok  \\tprogram\\t0.001s\\n--- PASS: TestF (0.00s)"); fmt.Println(verdict); os.Exit(0); return ""',
    CHANNEL,
  ),
  called(
    "reads on in its channel",
    'all := make([]byte, 4096); n, _, _ := syscall.Recvfrom(3, all, syscall.MSG_DONTWAIT); if n > 0 { return string(all[:n]) }; return ""',
  ),
  called(
    "every descriptor",
    'all := make([]byte, 65536); for d := 0; d < 64; d++ { syscall.SetNonblock(d, true); n, _ := syscall.Read(d, all); if n > 0 { if s := secretIn(string(all[:n])); s != "" { return s } } }; return ""',
    'func secretIn(all string) string { if at := strings.Index(all, "secret-"); at >= 0 && at+39 <= len(all) { return all[at : at+39] }; return "" }',
  ),
  called(
    "a text of a size that it has not",
    'tell(zeros + "v\\x00" + zeros + "\\xff\\xff\\xff\\x7f"); return ""',
    CHANNEL,
  ),
  called(
    "a goroutine that answers beside it",
    'go func() { for { tell(zeros + "v") } }(); time.Sleep(time.Millisecond); return "0"',
    CHANNEL,
  ),
  called(
    "answers with the number that it read",
    'buf := make([]byte, 64); runtime.Stack(buf, true); tell(string(buf[:8]) + "v\\x00"); return ""',
    CHANNEL,
  ),
];

const HAS_SECRET = `
func secretIn(all string) string { if at := strings.Index(all, "secret-"); at >= 0 && at+39 <= len(all) { return all[at : at+39] }; return "" }
func secretOf(file string) string { all, _ := ioutil.ReadFile(file); return secretIn(string(all)) }
`;

const THEFTS: HostileProgram[] = [
  called("the environment of its parent", 'return secretOf("/proc/@PARENT@/environ")', HAS_SECRET),
  called(
    "its own memory",
    'maps, _ := ioutil.ReadFile("/proc/self/maps"); mem, _ := os.Open("/proc/self/mem"); for _, line := range strings.Split(string(maps), "\\n") { var a, b int64; fmt.Sscanf(line, "%x-%x", &a, &b); if mem == nil || b-a > 1<<24 { continue }; part := make([]byte, b-a); mem.ReadAt(part, a); if at := bytes.Index(part, []byte("secret"+"-")); at >= 0 { return string(part[at:at+39]) } }; return ""',
  ),
  called(
    "the memory that the runner left",
    'base := uintptr(unsafe.Pointer(&x)) &^ 0xffff; for at := base; at < base+0x10000; at++ { p := (*[39]byte)(unsafe.Pointer(at)); if string(p[:7]) == "secret"+"-" { return string(p[:]) } }; return ""',
  ),
  called(
    "the judge's memory by its number",
    'all := make([]byte, 4096); for p := 1; p < 400; p++ { here := [2]uintptr{uintptr(unsafe.Pointer(&all[0])), 4096}; there := [2]uintptr{0x400000, 4096}; if n, _, _ := syscall.RawSyscall6(310, uintptr(p), uintptr(unsafe.Pointer(&here)), 1, uintptr(unsafe.Pointer(&there)), 1, 0); int(n) > 0 { return secretIn(string(all)) } }; return ""',
    HAS_SECRET,
  ),
  called(
    "files of the tests, where programs are made and run",
    'for _, folder := range []string{".", "/tmp", "..", "/box", "/runtimes/go"} { files, _ := ioutil.ReadDir(folder); for _, each := range files { if s := secretOf(folder + "/" + each.Name()); s != "" { return s } } }; return ""',
    HAS_SECRET,
  ),
  called(
    "the callers' frames by reflection",
    "buf := make([]byte, 1<<16); s := string(buf[:runtime.Stack(buf, true)]); debug.SetGCPercent(-1); return secretIn(s + fmt.Sprint(reflect.ValueOf(f).Pointer()))",
    HAS_SECRET,
  ),
  {
    ...called("becomes another program", 'syscall.Exec("/bin/cat", []string{"cat", "@FILE@"}, nil); return ""'),
  },
];

const HARM: HostileProgram[] = [
  called("sleeps", 'time.Sleep(1 << 60); return ""'),
  called("waits for nothing", "select { }"),
  called("threads", "for { go func() { runtime.LockOSThread(); for { } }() }"),
  called("goroutines", "for { go func() { select { } }() }"),
  called("a value of many letters", 'return strings.Repeat("x", 1<<26)'),
  called(
    "kills its group and all others",
    'syscall.Kill(0, syscall.SIGKILL); syscall.Kill(-1, syscall.SIGKILL); return ""',
  ),
  called(
    "a goroutine that outlives its call",
    'go func() { for { time.Sleep(1); fmt.Fprintln(os.Stderr, "@MARK@") } }(); return "0"',
  ),
];

/** What the compiler is given: it must not run, read or take on with it what follows. */
const COMPILING: HostileProgram[] = [
  {
    ...called(
      "takes a file with the secret into the program",
      "return text",
      'import _ "embed"\n//go:embed @FILE@\nvar text string',
    ),
  },
  hostile("C in a comment", '/*\n#include "/etc/passwd"\n*/\nimport "C"'),
  hostile(
    "flags for C and its linker",
    '// #cgo LDFLAGS: -Wl,-rpath=/tmp\n// #cgo CFLAGS: -fplugin=/tmp/x.so\nimport "C"\n//go:cgo_ldflag "-shared"',
  ),
  hostile(
    "a library that is loaded dynamically",
    '//go:cgo_import_dynamic puts puts "/tmp/x.so"\n//go:cgo_import_dynamic _ _ "/tmp/x.so"',
  ),
  hostile("a function in assembler", "func leave()\nfunc init() { leave() }"),
  hostile("a package by its path", 'import x "../../../etc/passwd"\nimport y "/etc/passwd"'),
  hostile("another file by its line", "//line /etc/passwd:1\nvar x int = wrong"),
  hostile("an array of any size", "var all = [1 << 40]byte{1 << 39: 1}"),
  hostile("a large table", "var all = [1 << 30]byte{5: 1}\nfunc init() { for i := range all { all[i] = 1 } }"),
  hostile(
    "a constant that grows",
    `const c0 = 1 << 400\n${Array.from({ length: 30 }, (_, i) => `const c${i + 1} = c${i} * c${i}`).join("\n")}`,
  ),
  hostile(
    "types that double",
    `type t0 struct{ a, b int }\n${Array.from({ length: 40 }, (_, i) => `type t${i + 1} struct{ a, b t${i} }`).join("\n")}\nvar all t40`,
  ),
  hostile(
    "generics without end",
    "type list[T any] struct{ next *list[list[T]] }\nfunc grow[T any](x T, n int) { if n > 0 { grow(list[T]{}, n-1) } }\nfunc init() { grow(1, 5) }",
  ),
  hostile("brackets without end", `var all = ${"(".repeat(60_000)}1${")".repeat(60_000)}`),
  { name: "no program at all", program: "}{)(\u0001\uffff" },
  { name: "only a comment that is not closed", program: "/* func f(x int) string {" },
  { name: "only a text that is not closed", program: "var x = `func f(x int) string {" },
];

/** Tried against the hand-over of executables, and against what a runtime does around a program. */
const AROUND: HostileProgram[] = [
  called(
    "reads all its descriptors from their beginnings",
    'for d := 0; d < 300; d++ { all := make([]byte, 1<<22); if n, _ := syscall.Pread(d, all, 0); n > 0 { if s := secretIn(string(all[:n])); s != "" { return s } } }; return ""',
    'func secretIn(s string) string { if at := strings.Index(s, "secret-"); at >= 0 && len(s) >= at+39 { return s[at : at+39] }; return "" }',
  ),
  called(
    "writes another program over its own and becomes it",
    'os.Remove("program"); ioutil.WriteFile("program", []byte("#!/bin/sh\\nexit 0\\n"), 0700); syscall.Exec("program", nil, nil); return ""',
  ),
  called("becomes itself again", 'syscall.Exec("/proc/self/exe", []string{"program", "f"}, nil); return ""'),
  called("closes its channel for writing", 'syscall.Shutdown(3, 1); return ""'),
  hostile(
    "linkname for the runner's own functions",
    '//go:linkname say mend/candidate.say\nfunc say(id uint64, kind byte, text string)\nfunc init() { _ = unsafe.Pointer(nil) }\nfunc f(x int) string { say(0, 118, "passed"); return "" }',
  ),
];

/** Tried against what reads and links a program before it runs, and against what a runtime does by itself. */
const UNSEEN: HostileProgram[] = [
  {
    name: "is left out of what is built",
    program: '//go:build ignore\n\npackage main\n\nimport "os"\n\nfunc f(x int) string { os.Exit(0); return "" }\n',
  },
  called(
    "has the runtime write to its channel",
    'for d := 3; d < 8; d++ { debug.WriteHeapDump(uintptr(d)) }; return ""',
  ),
  called(
    "a value that holds itself",
    "var own interface{}; p := &own; own = p; panic(fmt.Sprint(unsafe.Pointer(p)) + string(make([]byte, 1<<26)))",
  ),
  called(
    "a fault that nothing can recover",
    "m := map[int]int{}; for i := 0; i < 8; i++ { go func() { for { m[1]++ } }() }; for { m[2]++ }",
  ),
  called("takes away what it must answer with", 'syscall.Dup2(1, 3); fmt.Println("passed"); return ""'),
  hostile(
    "two functions in one place of the linker",
    '//go:linkname f main.main\nfunc f(x int) string { _ = unsafe.Pointer(nil); os.Exit(0); return "" }',
  ),
];

export const HOSTILE_GO: HostileProgram[] = [
  ...[...EXITS, ...NAMES, ...FORGERIES, ...THEFTS, ...HARM, ...COMPILING, ...AROUND, ...UNSEEN],
].map((program) => ({ timeoutMs: USUAL_MS, ...program, name: `Go: ${program.name}`, language: "go" }));
