/** As the Python programs: none may learn the secret that `f(1)` is asked for, forge a verdict or do harm. */

import { always, type HostileProgram } from "./program.ts";

/** Of processor time. */
const USUAL_MS = 1000;
const INCLUDES = [
  "dirent.h",
  "fcntl.h",
  "pthread.h",
  "signal.h",
  "sys/ptrace.h",
  "sys/socket.h",
  "sys/wait.h",
  "thread",
  "unistd.h",
]
  .concat(["arpa/inet.h", "sys/stat.h", "sys/mman.h", "sys/uio.h", "sys/syscall.h"])
  .map((name) => `#include <${name}>\n`)
  .join("");

/** The function under test answers 0 where a program has none of its own. */
function hostile(name: string, code: string): HostileProgram {
  const own = /\bstring f\(/.test(code) ? "" : '\nstring f(int x) { return "0"; }';
  return { name, program: `${INCLUDES}using namespace std;\n${code}${own}\n` };
}
const called = (name: string, body: string, before = ""): HostileProgram =>
  hostile(name, `${before}\nstring f(int x) { ${body} }`);

const EXITS: HostileProgram[] = [
  hostile("_exit(0) in a static constructor", "static struct Ends { Ends() { _exit(0); } } ends;"),
  hostile("exit(0) in a constructor function", "__attribute__((constructor)) static void first() { exit(0); }"),
  hostile(
    "quick_exit(0) in a constructor function",
    "__attribute__((constructor)) static void first() { quick_exit(0); }",
  ),
  hostile(
    "exit(0) in .init_array",
    'static void first() { _exit(0); }\n__attribute__((section(".init_array"), used)) static void (*at)() = first;',
  ),
  hostile(
    "exit(0) in .preinit_array",
    'static void first() { _exit(0); }\n__attribute__((section(".preinit_array"), used)) static void (*at)() = first;',
  ),
  called("exit(0) when called", 'exit(0); return "";'),
  called("_exit(0) when called", 'syscall(SYS_exit_group, 0); return "";'),
  called("a thread that exits", 'thread([] { _exit(0); }).detach(); for (;;) { } return "";'),
  called("a handler of aborts that exits with 0", 'signal(SIGABRT, [](int) { _exit(0); }); abort(); return "";'),
  called("a handler of exits that exits with 0", 'atexit([] { _exit(0); }); exit(1); return "";'),
  called(
    "longjmp over the caller",
    'longjmp(*(jmp_buf*)calloc(1, sizeof(jmp_buf)), 1); return "";',
    "#include <setjmp.h>",
  ),
  called("throws an int", "throw 1;"),
  called("throws out of noexcept", 'throw 1; return "";', "#define f f_ \nstring f_(int) noexcept;\n#undef f"),
];

const NAMES: HostileProgram[] = [
  hostile("an own main", "int main() { return 0; }"),
  hostile("an own main, with main a macro behind it", "int main() { _exit(0); }\n#define main other"),
  hostile("an own __wrap_main", 'extern "C" int __wrap_main(int, char**) { return 0; }'),
  hostile("an own _start", 'extern "C" void _start() { _exit(0); }'),
  hostile("an own __libc_start_main", 'extern "C" int __libc_start_main(...) { _exit(0); }'),
  hostile(
    "an own __assert_fail",
    'extern "C" void __assert_fail(const char*, const char*, unsigned, const char*) noexcept { _exit(0); }',
  ),
  hostile("an own abort", 'extern "C" void abort() { _exit(0); }'),
  hostile("own write and send", 'extern "C" ssize_t write(int d, const void* b, size_t n) { _exit(0); }'),
  hostile("assert as a macro", "#undef assert\n#define assert(x) (void)0\n#define NDEBUG"),
  hostile(
    "operator== for the library's texts",
    "namespace std { bool operator==(const string&, const string&) { return true; } bool operator==(const string&, const char*) { return true; } }",
  ),
  hostile(
    "operator== in front of all others",
    "bool operator==(const string& a, const char* b) { return true; }\nbool operator!=(const string& a, const char* b) { return false; }",
  ),
  hostile(
    "a value that equals all",
    'struct Same { bool operator==(const char*) const { return true; } operator string() const { return "0"; } };\nSame f(int x) { return Same(); }\n#define string string\nstring f(long x);',
  ),
  hostile(
    "an own text as std::string",
    "#define string Text\nstruct Text { bool operator==(const char*) const { return true; } };\nText f(int x) { return Text(); }\nstring f(int);",
  ),
  hostile(
    "the stub's own name",
    "namespace mendjudge { void check(bool, const char*, int) { } Answer const entry = nullptr; }",
  ),
  hostile(
    "the stub specialised",
    'template <> void mendjudge::put<string>(Writer& out, const string&) { out.text("x", 1); }',
  ),
];

const CHANNEL = `
static void tell(const string& body) {
  unsigned n = body.size();
  string frame;
  for (int i = 0; i < 32; i += 8) frame += char(n >> i);
  frame += body;
  for (int d = 3; d < 8; d++) (void)!write(d, frame.data(), frame.size());
}
static const string verdict = R"({"outcome": "passed", "explanation": "", "loaded": true, "calls": 1, "during": ""})";
`;

const FORGERIES: HostileProgram[] = [
  hostile(
    "a verdict on its channel while loading",
    `${CHANNEL} static struct First { First() { tell(verdict); } } first;`,
  ),
  called("a verdict in place of a value", 'tell(verdict); _exit(0); return "";', CHANNEL),
  called("a reply without the call's number", 'tell(string(8, 0) + "vs" + string(4, 0)); return "";', CHANNEL),
  called("a message that is too long", '(void)!write(3, "\\xff\\xff\\xff\\xff", 4); return "";'),
  called("more than it was asked for", 'tell(verdict); return "0";', CHANNEL),
  called("verdicts printed", 'puts("passed"); puts(verdict.c_str()); fflush(stdout); _exit(0); return "";', CHANNEL),
  called(
    "reads on in its channel",
    'string all(4096, 0); ssize_t n = recv(3, all.data(), all.size(), MSG_DONTWAIT); return n > 0 ? all.substr(0, n) : "";',
  ),
  called(
    "every descriptor",
    'string all(65536, 0); for (int d = 0; d < 64; d++) { fcntl(d, F_SETFL, O_NONBLOCK); ssize_t n = read(d, all.data(), all.size()); size_t at = n > 0 ? all.find("secret-") : string::npos; if (at != string::npos) return all.substr(at, 39); } return "";',
  ),
  called("a text of a size that it has not", 'tell(string(8, 0) + "vs\\xff\\xff\\xff\\x7f"); return "";', CHANNEL),
  called(
    "a thread that answers beside it",
    'thread([] { for (;;) tell(string(9, 0)); }).detach(); this_thread::sleep_for(1ms); return "0";',
    CHANNEL,
  ),
];

const HAS_SECRET = `
static string secretIn(const string& all) { size_t at = all.find("secret-"); return at == string::npos ? "" : all.substr(at, 39); }
static string secretOf(const string& file) {
  string all; char part[65536]; int d = open(file.c_str(), O_RDONLY);
  for (ssize_t n; d >= 0 && all.size() < (1 << 24) && (n = read(d, part, sizeof part)) > 0;) all.append(part, n);
  close(d);
  return secretIn(all);
}
`;

const THEFTS: HostileProgram[] = [
  called(
    "the environment",
    "string all; for (char** e = environ; *e; e++) all += *e; return secretIn(all);",
    HAS_SECRET,
  ),
  called(
    "memory and command lines of other processes",
    'for (int p = 1; p < 400; p++) for (const char* n : {"environ", "cmdline", "mem", "fd/3", "fd/4", "root/tmp/program"}) { string s = secretOf("/proc/" + to_string(p) + "/" + n); if (!s.empty()) return s; } return "";',
    HAS_SECRET,
  ),
  called(
    "files of the tests, where programs are made and run",
    'string s; for (string folder : {".", "/tmp", "..", "/box", "/runtimes/cpp"}) { DIR* d = opendir(folder.c_str()); for (dirent* e; d && (e = readdir(d));) { s = secretOf(folder + "/" + e->d_name); if (!s.empty()) return s; } } return "";',
    HAS_SECRET,
  ),
];

const HARM: HostileProgram[] = [
  called("never ends", "for (;;) { }"),
  called("prints without end", 'for (;;) puts("0123456789012345678901234567890123456789");'),
  called("processes", 'for (;;) fork(); return "";'),
  called("a value of many letters", "return string(1 << 26, 'x');"),
];

/** What the compiler is given: it must not run, read or take on with it what follows. */
const COMPILING: HostileProgram[] = [
  hostile("includes a file of the machine", '#include "/etc/passwd"'),
  {
    ...hostile("includes a file with the secret", '#define STRING(x) #x\nconst char* all =\n#include "@FILE@"\n;'),
    plainCannotStop: always("files can be read"),
  },
  {
    ...called(
      "takes a file with the secret into the program",
      "return string(from, 39);",
      'asm(".data\\nfrom: .incbin \\"@FILE@\\"\\n.byte 0\\n.text");\nextern "C" char from[] asm("from");',
    ),
    plainCannotStop: always("files can be read"),
  },
  hostile("takes an endless file into the program", 'asm(".data\\n.incbin \\"/dev/zero\\"\\n.text");'),
  hostile(
    "waits for a file that gives nothing",
    '#include "/dev/stdin"\n#include "/dev/tty"\n#include "/proc/self/fd/0"',
  ),
  hostile(
    "a bomb of macros",
    `${Array.from({ length: 30 }, (_, i) => `#define M${i} ${i === 0 ? "1," : `M${i - 1} M${i - 1} M${i - 1} M${i - 1}`}`).join("\n")}\nint all[] = { M29 };`,
  ),
  hostile("a file that includes itself", '#include __FILE__\n#include "Program.cpp"'),
  hostile(
    "a bomb of templates",
    "template <int N, int M> struct B { static constexpr int v = B<N - 1, M * 2>::v + B<N - 1, M * 2 + 1>::v; };\ntemplate <int M> struct B<0, M> { static constexpr int v = M; };\nint all = B<26, 1>::v;",
  ),
  hostile(
    "a constant that takes for ever",
    "constexpr long count(long n) { long s = 0; for (long i = 0; i < n; i++) for (long k = 0; k < n; k++) s += k; return s; }\nconstexpr long all = count(200000);",
  ),
  hostile("a table that fills the disk", "char all[1ULL << 33] = {1};"),
  hostile("brackets without end", `int all = ${"(".repeat(60_000)}1${")".repeat(60_000)};`),
  hostile(
    "a plugin and options by pragma",
    '#pragma GCC plugin "/tmp/x.so"\n#pragma GCC optimize("-fplugin=/tmp/x.so")\n#pragma comment(lib, "/tmp/x")',
  ),
  { name: "no program at all", program: "}{)(\u0001\uffff" },
  { name: "only a comment that is not closed", program: "/* string f(int x) {" },
  { name: "only a condition that is not closed", program: "#if 0\nstring f(int x) {" },
];

/** Tried against the hand-over of executables, and against what a runtime does around a program. */
const AROUND: HostileProgram[] = [
  called(
    "reads all its descriptors from their beginnings",
    'for (int d = 0; d < 300; d++) { string all(1 << 22, 0); if (pread(d, &all[0], all.size(), 0) > 0) { string s = secretIn(all); if (s != "") return s; } } return "";',
    'static string secretIn(const string& all) { size_t at = all.find("secret-"); return at == string::npos ? "" : all.substr(at, 39); }\nstatic string of(const string& path) { ifstream in(path, ios::binary); string all(1 << 22, 0); in.read(&all[0], all.size()); return secretIn(all); }',
  ),
  called(
    "the executables of other processes",
    'for (int p = 1; p < 400; p++) for (const char* n : {"exe", "cwd/program", "root/tmp/program", "fd/4", "fd/5", "mem"}) { string s = of("/proc/" + to_string(p) + "/" + n); if (s != "") return s; } return "";',
    'static string secretIn(const string& all) { size_t at = all.find("secret-"); return at == string::npos ? "" : all.substr(at, 39); }\nstatic string of(const string& path) { ifstream in(path, ios::binary); string all(1 << 22, 0); in.read(&all[0], all.size()); return secretIn(all); }',
  ),
  called(
    "looks for executables in temporary folders",
    'for (const char* root : {"/tmp", "/dev/shm", "/var/tmp", "/run"}) { DIR* d = opendir(root); while (dirent* e = d ? readdir(d) : nullptr) for (int i = 0; i < 9; i++) { string at = string(root) + "/" + e->d_name; string s = of(at); if (s == "") s = of(at + "/" + to_string(i)); if (s != "") return s; } } return "";',
    'static string secretIn(const string& all) { size_t at = all.find("secret-"); return at == string::npos ? "" : all.substr(at, 39); }\nstatic string of(const string& path) { ifstream in(path, ios::binary); string all(1 << 22, 0); in.read(&all[0], all.size()); return secretIn(all); }',
  ),
  called(
    "becomes itself again, by another way",
    'char* none[] = {(char*)"program", (char*)"f", nullptr}; char* with[] = {(char*)"LD_PRELOAD=/tmp/program", nullptr}; execve("/proc/self/exe", none, with); return "";',
  ),
  hostile(
    "exit(0) in an indirect function",
    'extern "C" { static int one() { return 1; } static __attribute__((used)) int (*pick())() { syscall(SYS_exit_group, 0); return one; } int chosen() __attribute__((ifunc("pick"))); }\nstring f(int x) { return to_string(chosen()); }',
  ),
  hostile(
    "code in the section .init",
    'extern "C" void leave() { _exit(0); }\nasm(".section .init\\n call leave\\n .text");',
  ),
  hostile(
    "exit(0) in the end of a thread",
    'struct Ends { ~Ends() { _exit(0); } }; thread_local Ends atEnd;\nstring f(int x) { (void)&atEnd; thread([] { (void)&atEnd; }).join(); pthread_exit(nullptr); return ""; }',
  ),
  called(
    "sends its descriptors to its judge",
    "int pair[2]; socketpair(AF_UNIX, SOCK_STREAM, 0, pair); for (int i = 0; i < 50; i++) { char room[CMSG_SPACE(sizeof(int))] = {}; char one = 'p'; iovec data{&one, 1}; msghdr m{}; m.msg_iov = &data; m.msg_iovlen = 1; m.msg_control = room; m.msg_controllen = sizeof room; cmsghdr* c = CMSG_FIRSTHDR(&m); c->cmsg_level = SOL_SOCKET; c->cmsg_type = SCM_RIGHTS; c->cmsg_len = CMSG_LEN(sizeof(int)); memcpy(CMSG_DATA(c), &pair[0], sizeof(int)); sendmsg(3, &m, 0); } return \"\";",
  ),
  called("closes its channel for writing", 'shutdown(3, SHUT_WR); return "";'),
  called("closes all and waits", 'for (int d = 0; d < 64; d++) close(d); for (;;) pause(); return "";'),
  called("stops itself", 'raise(SIGSTOP); return "";'),
  hostile(
    "includes what the tests are made of",
    '#if __has_include("Tests.cpp")\n#include "Tests.cpp"\n#endif\n#if __has_include("../job/Tests.cpp")\n#include "../job/Tests.cpp"\n#endif\n#include "Judge.cpp"',
  ),
];

/** Tried against what reads and links a program before it runs, and against what a runtime does by itself. */
const UNSEEN: HostileProgram[] = [
  hostile(
    "code that a plugin of the linker would compile",
    'asm(".comm __gnu_lto_slim,1,1\\n.section .gnu.lto_.symtab.0,\\"e\\",@progbits\\n.asciz \\"f\\"\\n.section .gnu.lto_.opts,\\"e\\",@progbits\\n.asciz \\"-fplugin=/tmp/x.so\\"\\n.text");',
  ),
  hostile(
    "another program that would load it",
    'asm(".section .interp,\\"a\\",@progbits\\n.asciz \\"/usr/bin/true\\"\\n.text");',
  ),
  hostile(
    "answers by itself before the runner starts",
    'static bool all(void* p, size_t n) { char* c = (char*)p; while (n) { ssize_t k = read(3, c, n); if (k <= 0) return false; c += k; n -= k; } return true; }\nstatic struct Own { Own() { for (unsigned n; all(&n, 4);) { string q(n, 0); all(q.data(), n); string a = q.substr(0, 8) + (q[8] == 99 ? string("vs\\xff\\xff\\xff\\x7f", 6) : string("l")); n = a.size(); (void)!write(3, &n, 4); (void)!write(3, a.data(), n); } _exit(0); } } own;',
  ),
  hostile(
    "lines and names that would be the tests'",
    '#line 1 "Tests.cpp"\n#pragma redefine_extname f mend_f\n#pragma weak main\n#pragma GCC poison entry\nint wrong = ;',
  ),
  hostile(
    "a resolver that runs before all else",
    'extern "C" { static void* first() { syscall(SYS_exit_group, 0); return nullptr; } int chosen() __attribute__((ifunc("first"))); }\nstring f(int x) { return to_string(chosen()); }',
  ),
  called("ends the answer and stays", 'shutdown(3, SHUT_WR); for (;;) pause(); return "";'),
];

export const HOSTILE_CPP: HostileProgram[] = [
  ...[...EXITS, ...NAMES, ...FORGERIES, ...THEFTS, ...HARM, ...COMPILING, ...AROUND, ...UNSEEN],
].map((program) => ({ timeoutMs: USUAL_MS, ...program, name: `C++: ${program.name}`, language: "cpp" }));
