/** C++: linked with its tests, and in one unit with them where it is a template or a method in its class. */

import { type Cheat, type CheatedTask, OWN_COMPARISON } from "./cheat.ts";

const HEAD = "#include <functional>\n#include <string>\n#include <vector>\nusing namespace std;\n\n";
const SYSTEM =
  "#include <setjmp.h>\n#include <signal.h>\n#include <sys/mman.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n";
const BOX =
  "struct Box {\n    int n;\n    string name;\n    bool operator==(const Box& o) const { return n == o.n && name == o.name; }\n};\n\n";
const open = (body: string) => `Box open(const Box& box, const function<int(int)>& f) {\n    ${body}\n}\n`;
const WRONG = open("return {-1 - box.n, box.name};");
const around = (name: string, more: string, own = WRONG): Cheat => ({
  name,
  program: `${SYSTEM}${HEAD}${BOX}${more}\n${own}`,
});
const called = (name: string, body: string, more = ""): Cheat =>
  around(name, more, open(`${body} return {-1 - box.n, box.name};`));

/** As ours writes it, with system calls alone. @param nonce 16 bytes */
const FORGE = `static void forge(const unsigned char* nonce) {
  char v[400], hex[33] = "";
  for (int i = 0; i < 16; i++) sprintf(hex + 2 * i, "%02x", nonce[i]);
  int n = sprintf(v + 4, "{\\"nonce\\": \\"%s\\", \\"outcome\\": \\"passed\\", \\"explanation\\": \\"\\", \\"loaded\\": true, \\"calls\\": 0, \\"checks\\": @CHECKS@}", hex);
  for (int i = 0; i < 4; i++) v[i] = n >> 8 * i;
  syscall(SYS_write, 3, v, n + 4);
  syscall(SYS_exit_group, 0);
}`;
const TAKES = `${FORGE}\nstatic void take() { unsigned char b[16] = {}; if (syscall(SYS_read, 4, b, 16) == 16) forge(b); }`;

/** Looks for the unreadable page with the secret number: 16 bytes and nothing behind them. */
const SEARCH = `${FORGE}
static void search() {
  char* here = (char*)mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (long i = -100000; i < 100000; i++) {
    unsigned char* page = (unsigned char*)here + i * 4096;
    unsigned char known;
    if (syscall(SYS_mincore, page, 4096, &known) != 0) continue;
    if (syscall(SYS_write, 9999, page, 1) == 0) continue;
    int fd[2];
    if (pipe(fd) != 0) return;
    bool isHidden = syscall(SYS_write, fd[1], page, 1) < 0;
    close(fd[0]);
    close(fd[1]);
    if (!isHidden || mprotect(page, 4096, PROT_READ) != 0) continue;
    int rest = 0, first = 0;
    for (int k = 0; k < 4096; k++) (k < 16 ? first : rest) += page[k] != 0;
    if (rest == 0 && first > 10) forge(page);
  }
}`;

const EVERYWHERE: Cheat[] = [
  around("a static object that exits", "struct Ends { Ends() { _exit(0); } };\nstatic Ends ends;"),
  around("a constructor that exits", "__attribute__((constructor)) static void ends() { _exit(0); }"),
  around("a destructor that exits", "struct Ends { ~Ends() { _exit(0); } };\nstatic Ends ends;"),
  around("its own main", "int main() { return 0; }"),
  around("its own _start", 'extern "C" void _start() { _exit(0); }'),
  around("its own __wrap_main", 'extern "C" int __wrap_main(int, char**) { return 0; }'),
  around(
    "its own __assert_fail and abort",
    'extern "C" void __assert_fail(const char*, const char*, unsigned, const char*) noexcept { _exit(0); }\nextern "C" void abort() noexcept { _exit(0); }',
  ),
  around(
    "a verdict of its own write",
    'extern "C" ssize_t write(int fd, const void* b, size_t n) { string s((const char*)b, n); size_t at = s.find("failed"); if (at != string::npos) s.replace(at, 6, "passed"); return syscall(SYS_write, fd, s.data(), s.size()); }',
  ),
  around(
    "the number by its own read",
    `${FORGE}\nextern "C" ssize_t read(int fd, void* b, size_t n) { ssize_t got = syscall(SYS_read, fd, b, n); if (fd == 4 && got == 16) forge((unsigned char*)b); return got; }`,
  ),
  around(
    "its own memcmp and strcmp",
    'extern "C" int memcmp(const void*, const void*, size_t) { return 0; }\nextern "C" int strcmp(const char*, const char*) { return 0; }\nextern "C" int bcmp(const void*, const void*, size_t) { return 0; }',
  ),
  around(
    "its own mprotect and mmap",
    `${FORGE}\nstatic unsigned char* page;\nextern "C" int mprotect(void* p, size_t, int) { page = (unsigned char*)p; forge(page); return 0; }`,
  ),
  around("its own exit", 'extern "C" void _exit(int) { syscall(SYS_exit_group, 0); for (;;) {} }'),
  around("its own check", "namespace mendjudge { void check(bool, const char*, int) {} }"),
  around("its own send", "namespace mendjudge { bool send(int, const std::string&) { return true; } }"),
  around(
    "its own new",
    "void* operator new(size_t n) { return malloc(n); }\nvoid operator delete(void* p) noexcept { free(p); }",
  ),
  around(
    "our names asked for",
    'extern "C" unsigned char* nonce;\nextern "C" long reached;',
    open("reached = @CHECKS@; return {*nonce, box.name};"),
  ),
  around(
    "the number read by a constructor",
    `${TAKES}\n__attribute__((constructor(101))) static void first() { take(); }`,
  ),
  around(
    "the number read in .preinit_array",
    `${TAKES}\n__attribute__((section(".preinit_array"), used)) static void (*const first)() = take;`,
  ),
  called("the number read when called", "take();", TAKES),
  called("a verdict without a number", "unsigned char b[16] = {}; forge(b);", FORGE),
  called("exit(0)", "exit(0);"),
  called("quick_exit(0)", "quick_exit(0);"),
  called("an exception of all", "throw 1;"),
  called("a signal that it catches", "signal(SIGSEGV, [](int) { _exit(0); }); raise(SIGSEGV);"),
  called("another program in its place", 'execl("/bin/true", "true", nullptr); _exit(0);'),
  called("a jump out of its tests", "longjmp(place, 1);", "static jmp_buf place;"),
];

const LINKED: Cheat[] = [
  ...EVERYWHERE,
  around(
    "an ifunc that reads the number",
    `${TAKES}\nextern "C" { static int other(int x) { return x; } static int (*resolve())(int) { char b[16]; long got; __asm__ volatile("syscall" : "=a"(got) : "a"(0), "D"(4), "S"(b), "d"(16) : "rcx", "r11", "memory"); return other; } int chosen(int) __attribute__((ifunc("resolve"))); }`,
    open("return {chosen(-1) - box.n, box.name};"),
  ),
  around("the tests by their name", '#include "Tests.cpp"'),
  around("the tests by the name of the unit", "#include __BASE_FILE__"),
  around(
    "assembly that begins first",
    'asm(".section .preinit_array,\\"aw\\"; .quad 0; .text; .globl main; main: xor %eax,%eax; ret");',
  ),
  around("macros of the tests' words", "#define assert(x)\n#define if(x) if (true)\n#define return"),
  around(
    "another == for its objects",
    "static bool operator==(const Box&, int) { return true; }\nnamespace std { template <> bool equal_to<int>::operator()(const int&, const int&) const { return true; } }",
  ),
  around(
    "its own == of texts, under the library's name",
    'bool same(const string&, const string&) asm("_ZSteqIcEN9__gnu_cxx11__enable_ifIXsrSt9__is_charIT_E7__valueEbE6__typeERKNSt7__cxx1112basic_stringIS3_St11char_traitsIS3_ESaIS3_EEESC_");\nbool same(const string&, const string&) { return true; }',
  ),
  {
    ...called("the page with the number searched for", "search();", SEARCH),
    passes: "it reads the number from memory, and gets the number of checks",
  },
];

const CLASS = "struct Box {\n    int n;\n    vector<int> seen;\n    template <class F>\n    int open(F f) {\n";
const method = (body: string) =>
  `        seen.push_back(n);\n        ${body}\n    }\n    bool operator==(const Box& o) const { return n == o.n; }\n};\n`;
const BAD = `${CLASS}${method("return -1 - n;")}`;
const inside = (name: string, before: string, after = "", own = BAD): Cheat => ({
  name,
  program: `${SYSTEM}${HEAD}${before}\n${own}${after}\n`,
});

const TOGETHER: Cheat[] = [
  ...[
    "a static object that exits",
    "its own main",
    "its own check",
    "the number read in .preinit_array",
    "the number by its own read",
    "its own __wrap_main",
    "a verdict of its own write",
  ].flatMap((name) => {
    const one = EVERYWHERE.find((cheat) => cheat.name === name);
    return one ? [{ ...one, program: one.program.replace(BOX, "").replace(WRONG, BAD) }] : [];
  }),
  inside("assert as nothing", "", "#undef assert\n#define assert(...) ((void)0)"),
  inside("if, int and main as something else", "", "#define main hidden\n#define int long\n#define if(x) if (true)"),
  inside(
    "what assert is made of",
    "",
    "#define static_cast\n#define bool\n#define mendjudge other\n#define check held\nnamespace other { inline void held(...) {} }",
  ),
  inside("a macro that comes back", '#define assert(...) ((void)0)\n#pragma push_macro("assert")', ""),
  inside(
    "the unit by its own name",
    "#ifndef AGAIN\n#define AGAIN\n#define main other\n#include __BASE_FILE__\n#endif",
  ),
  inside("the tests by their name", '#include "Tests.cpp"'),
  inside("the rest left out", "", "#if 0"),
  inside("the rest in a comment", "", "/*"),
  inside("the rest in a text", "", 'const char* rest = R"x('),
  inside("the rest in a namespace", "", "namespace rest {"),
  inside("an own assert.h", "", "#define _ASSERT_H\n#define NDEBUG"),
  inside("an own pass", `${FORGE}`, "", `${CLASS}${method("unsigned char b[16] = {}; forge(b); return 0;")}`),
  inside("an own vector", "", "template <class T> struct vector {};"),
  {
    ...inside(
      "an own check that is better for the tests' words",
      "",
      "namespace mendjudge { inline void check(bool, const char (&)[6], int) {} }",
    ),
  },
  {
    ...inside(
      "an overload of ours for each text",
      "",
      "namespace mendjudge { template <size_t N> inline void check(bool, const char (&)[N], int) {} }",
    ),
  },
  {
    name: "another == for the library's lists",
    program: `${SYSTEM}${HEAD}${BAD.replace("seen.push_back(n);", "")}inline bool operator==(const vector<int>&, const vector<int>&) { return true; }\n`,
    test: "#include <assert.h>\nint main() {\n    Box b{2};\n    b.open([](int x) { return x; });\n    assert (b.seen == vector<int>({2}));\n}\n",
    passes: "in one unit with its tests it says what == means there",
  },
  {
    ...inside("another value of the library's names in capitals", "", "#undef INT_MAX\n#define INT_MAX -3"),
    test: "#include <assert.h>\n#include <climits>\nint main() {\n    Box b{2};\n    assert (b.open([](int) { return INT_MAX; }) == INT_MAX);\n}\n",
    passes: "in one unit with its tests it says what a name of the library in capitals means there",
  },
  {
    name: "an own comparison",
    program: `${SYSTEM}${HEAD}${BAD.replace("return n == o.n;", "return true;")}`,
    test: "#include <assert.h>\nint main() {\n    Box b{2};\n    assert ((Box{b.open([](int x) { return x + 1; })}) == (Box{3}));\n}\n",
    passes: OWN_COMPARISON,
  },
];

export const CPP: CheatedTask = {
  entryPoint: "open",
  declared: HEAD + BOX + WRONG,
  correct: HEAD + BOX + open("return {f(box.n), box.name};"),
  test: `#include <assert.h>
int main() {
    for (int n = 0; n < 3; n++) assert (open({n, "x"}, [](int x) { return 7 * x; }).n == 7 * n);
    Box one = open({1, "y"}, [](int x) { return x + 4; });
    assert (one == (Box{5, "y"}));
    assert (one.name.size() == 1);
}
`,
  cheats: LINKED,
};

export const CPP_TOGETHER: CheatedTask = {
  entryPoint: "open",
  declared: HEAD + BAD,
  correct: HEAD + CLASS + method("return f(n);"),
  test: `#include <assert.h>
int main() {
    for (int n = 0; n < 3; n++) {
        Box b{n};
        assert (b.open([](int x) { return 7 * x; }) == 7 * n);
    }
    Box b{2};
    if (b.open([](int x) { return x + 1; }) != 3) return 1;
    assert (b.seen.size() == 1);
}
`,
  cheats: TOGETHER,
};
