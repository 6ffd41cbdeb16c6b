/** Go: tests in a package of their own, and in the program's where they need what it does not export. */

import { type Cheat, type CheatedTask, OWN_COMPARISON } from "./cheat.ts";

const STD = ["bytes", "fmt", "io/ioutil", "os", "os/signal", "reflect", "runtime", "runtime/debug", "strconv"];
const IMPORTS = `import (${[...STD, "strings", "syscall", "time"].map((name) => `"${name}"; `).join("")})\n`;
const TYPE = "type Box struct { N int }\nfunc (b Box) Same(other Box) bool { return b.N == other.N }\n";
const open = (body: string) => `func Open(b *Box, f func(int) int) int { ${body} }\n`;
const WRONG = open("return -1");

/** Says that all is well, as `Main` of ours does. @param nonce an expression of 16 bytes */
const FORGE = `func forge(nonce []byte) {
	v := fmt.Sprintf("{\\"nonce\\": \\"%x\\", \\"outcome\\": \\"passed\\", \\"explanation\\": \\"\\", \\"loaded\\": true, \\"calls\\": 0, \\"checks\\": @CHECKS@}", nonce)
	n := len(v)
	syscall.Write(3, append([]byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)}, v...))
	os.Exit(0)
}
`;
const anywhere = (name: string, more: string, own = WRONG, type = TYPE): Cheat => ({
  name,
  program: `${IMPORTS}${type}${more}\n${own}`,
});
const called = (name: string, body: string, more = ""): Cheat => anywhere(name, more, open(body));

const CHEATS: Cheat[] = [
  anywhere("os.Exit(0) in init", "func init() { os.Exit(0) }"),
  anywhere("os.Exit(0) in a variable", "var X = func() int { os.Exit(0); return 0 }()"),
  called("os.Exit(0) when called", "os.Exit(0); return 0"),
  called("Goexit when called", "runtime.Goexit(); return 0"),
  called("a panic", "panic(nil)"),
  called("a goroutine that exits", "go os.Exit(0); time.Sleep(time.Second); return 0"),
  called(
    "a handler of signals that exits",
    "c := make(chan os.Signal, 1); signal.Notify(c); go func() { <-c; os.Exit(0) }(); syscall.Kill(syscall.Getpid(), syscall.SIGTERM); select {}",
  ),
  called(
    "a finaliser that exits",
    "type big struct{ a [9]int }; runtime.SetFinalizer(&big{}, func(*big) { os.Exit(0) }); for { runtime.GC() }",
  ),
  anywhere("an own main and TestMain", "func main() { os.Exit(0) }\nfunc TestMain() { os.Exit(0) }"),
  anywhere("a verdict without a number in init", `${FORGE}func init() { forge(nil) }`),
  called("a verdict without a number", "forge(nil); return 0", FORGE),
  called("a verdict with a number of its own", 'forge([]byte("0123456789abcdef")); return 0', FORGE),
  anywhere("the number read in init", `${FORGE}func init() { b := make([]byte, 16); syscall.Read(4, b); forge(b) }`),
  called(
    "the number read from any descriptor",
    "for fd := 3; fd < 64; fd++ { b := make([]byte, 16); syscall.SetNonblock(fd, true); if n, _ := syscall.Read(fd, b); n == 16 { forge(b) } }; return 0",
    FORGE,
  ),
  called(
    "the number looked for in its memory",
    'm, _ := ioutil.ReadFile("/proc/self/maps"); mem, _ := os.Open("/proc/self/mem"); for _, l := range strings.Split(string(m), "\\n") { if !strings.Contains(l, "rw-p") { continue }; r := strings.Split(strings.Fields(l)[0], "-"); a, _ := strconv.ParseInt(r[0], 16, 64); z, _ := strconv.ParseInt(r[1], 16, 64); if z-a > 1<<20 { continue }; b := make([]byte, z-a); mem.ReadAt(b, a); for i := 0; i+16 <= len(b); i += 16 { seen := map[byte]bool{}; for _, x := range b[i:i+16] { seen[x] = true }; if len(seen) > 13 { forge(b[i:i+16]) } } }; return 0',
    FORGE,
  ),
  called(
    "the number read from the process's words",
    'forge([]byte(strings.Join(os.Args, "") + strings.Join(os.Environ(), ""))[:16]); return 0',
    FORGE,
  ),
  anywhere(
    "the judge's package",
    'func init() { judge.Held(); judge.Main("", func() {}) }',
    `import "mend/judge"\n${WRONG}`,
  ),
  {
    name: "the judge's package imported",
    program: `import ("mend/judge"; "os")\n${TYPE}func init() { for i := 0; i < @CHECKS@; i++ { judge.Held() }; judge.Main("", func() {}); os.Exit(0) }\n${WRONG}`,
  },
  {
    name: "the judge's package under another name",
    program: `import j "mend/judge"\n${TYPE}func init() { j.Main("", func() {}) }\n${WRONG}`,
  },
  {
    name: "unsafe and linkname",
    program: `import _ "unsafe"\n${TYPE}//go:linkname finish mend/judge.finish\nfunc finish(a, b, c string)\nfunc init() { finish("passed", "", "") }\n${WRONG}`,
  },
  {
    name: "linkname without unsafe",
    program: `${TYPE}//go:linkname nonce mend/judge.nonce\nvar nonce [16]byte\n${WRONG}`,
  },
  {
    name: "the small testing",
    program: `import "testing"\n${TYPE}func init() { testing.Mend_run("x", func(*testing.T) {}) }\n${WRONG}`,
  },
  { name: "C", program: `import "C"\n${TYPE}${WRONG}` },
  { name: "an import behind a declaration", program: `${TYPE}import "unsafe"\nvar X unsafe.Pointer\n${WRONG}` },
  anywhere("own names of Go's", "const true = false\nfunc len(x interface{}) int { return 0 }\ntype string int"),
  anywhere(
    "own names of the tests'",
    "func TestOpen() {}\nvar Assert = 1\nfunc Equal(a, b interface{}) bool { return true }",
  ),
  called("another program in its place", 'syscall.Exec("/bin/true", []string{"true"}, nil); return 0'),
  called("both outputs and the channel closed", "for fd := 0; fd < 64; fd++ { syscall.Close(fd) }; return 0"),
  called(
    "many verdicts from a goroutine",
    "go func() { for { forge([]byte(time.Now().String())[:16]) } }(); time.Sleep(time.Second); return 0",
    FORGE,
  ),
  called(
    "the callers changed by reflection",
    "v := reflect.ValueOf(f); debug.SetPanicOnFault(true); _ = v.Pointer(); _ = bytes.Equal(nil, nil); return int(v.Pointer())",
  ),
  {
    ...anywhere("an own comparison", "", WRONG, TYPE.replace("return b.N == other.N", "return true")),
    test: "func TestOpen(t *testing.T) {\n\tb := Box{1}\n\tb.N = Open(&b, func(x int) int { return x + 1 })\n\tassert.True(t, b.Same(Box{2}))\n}\n",
    passes: OWN_COMPARISON,
  },
];

const TEST = `func TestOpen(t *testing.T) {
	for n := 0; n < 3; n++ {
		if got := Open(&Box{n}, func(x int) int { return 7 * x }); got != 7*n {
			t.Fatalf("got %d", got)
		}
	}
	assert.True(t, Box{2}.Same(Box{Open(&Box{1}, func(x int) int { return x + 1 })}))
}
`;
const CORRECT = TYPE + open("return f(b.N)");

export const GO: CheatedTask = {
  entryPoint: "Open",
  declared: TYPE + WRONG,
  correct: CORRECT,
  test: TEST,
  cheats: CHEATS,
};

const small = (code: string) => code.replace(/\bOpen\b/g, "open").replace(/\bBox\b/g, "box");
const SMALL = new Set(["own names of Go's", "os.Exit(0) in init", "the number read in init", "Goexit when called"]);

/** The same tests in the program's package, with what they can be taken in by there. */
export const GO_TOGETHER: CheatedTask = {
  entryPoint: "open",
  declared: small(GO.declared),
  correct: small(CORRECT),
  test: small(TEST),
  cheats: [
    ...CHEATS.filter(({ name }) => SMALL.has(name)).map((one) => ({ ...one, program: small(one.program) })),
    ...["true", "false", "len", "nil", "int", "bool", "append", "iota", "recover", "string"].map((name) => ({
      name: `an own ${name}`,
      program: small(`${TYPE}var ${name} = 1\n${WRONG}`),
    })),
    { name: "an own ! by a type bool", program: small(`${TYPE}type bool = int\n${WRONG}`) },
    {
      name: "an own assert",
      program: small(`${TYPE}var assert = struct{ True func(...interface{}) }{func(...interface{}) {}}\n${WRONG}`),
    },
    {
      name: "the tests' function",
      program: small(`${TYPE}func TestOpen(t interface{}) {}\nfunc Mend_tests() {}\n${WRONG}`),
    },
    { name: "the tests called by itself", program: small(`${TYPE}func init() { Mend_tests() }\n${WRONG}`) },
    {
      name: "the tests' imports",
      program: small(`import mend_held "os"\n${TYPE}func init() { mend_held.Exit(0) }\n${WRONG}`),
    },
  ],
};
