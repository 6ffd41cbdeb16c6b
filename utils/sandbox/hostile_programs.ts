/**
 * Programs that try to pass a test without solving it, to see what they must not, or to harm the machine.
 *
 * The test they face expects a random secret from `f(1)`, so only a forged verdict or a stolen secret can pass. The
 * secret lies in the test, in the environment of the process that runs the sandbox, in a file that everybody may read
 * (`@FILE@`), and behind a TCP port of this machine (`@PORT@`). `@PARENT@` is the pid of the process with the secret.
 */

/** What the plain layer cannot stop: ever, or unless jobs run under users of their own. */
export interface PlainLimit {
  unless: "never" | "separate users";
  why: string;
}

export interface HostileProgram {
  name: string;
  program: string;
  plainCannotStop?: PlainLimit;
  /** Given where the attempt needs longer than a moment. */
  timeoutMs?: number;
}

const reads = (why: string): PlainLimit => ({ unless: "never", why });
const harms = (why: string): PlainLimit => ({ unless: "separate users", why });

/** `hunt(text)` finds the secret in text or bytes. */
const HUNT = `
import re
def hunt(text):
    text = text.encode("utf-8", "replace") if isinstance(text, str) else text
    found = re.search(b"secret-[0-9a-f]{32}", text)
    return found.group().decode() if found else None
`;

/** `message(value)` is a frame of the judge's protocol. */
const MESSAGE = `
import json, os, struct
def frame(body):
    return struct.pack("<I", len(body)) + body
def message(value):
    return frame(json.dumps(value).encode())
`;

const exits: HostileProgram[] = [
  { name: "os._exit while loading", program: "import os\nos._exit(0)" },
  { name: "os._exit in the call", program: "import os\ndef f(x): os._exit(0)" },
  { name: "sys.exit while loading", program: "import sys\nsys.exit(0)" },
  { name: "sys.exit in the call", program: "import sys\ndef f(x): sys.exit(0)" },
  { name: "SystemExit without a code", program: "def f(x): raise SystemExit" },
  { name: "quit in the call", program: "def f(x): quit()" },
  { name: "exit while loading", program: "def f(x): return x\nexit()" },
  { name: "KeyboardInterrupt", program: "def f(x): raise KeyboardInterrupt" },
  { name: "GeneratorExit", program: "def f(x): raise GeneratorExit" },
  {
    name: "BaseException of its own",
    program: "class Done(BaseException): pass\ndef f(x): raise Done('passed')",
  },
  { name: "SIGKILL to itself", program: "import os, signal\ndef f(x): os.kill(os.getpid(), signal.SIGKILL)" },
  { name: "SIGTERM to itself", program: "import os, signal\ndef f(x): os.kill(os.getpid(), signal.SIGTERM)" },
  { name: "SIGALRM to itself", program: "import signal, time\ndef f(x):\n    signal.alarm(1)\n    time.sleep(60)" },
  { name: "abort", program: "import os\ndef f(x): os.abort()" },
  { name: "segmentation fault", program: "import ctypes\ndef f(x): ctypes.string_at(0)" },
  {
    name: "a thread that exits the process",
    program: "import os, threading, time\nthreading.Timer(0.1, os._exit, [0]).start()\ndef f(x): time.sleep(60)",
  },
  { name: "atexit", program: "import atexit\natexit.register(print, 'passed')\ndef f(x): raise SystemExit(0)" },
  { name: "AssertionError", program: "def f(x): raise AssertionError('passed')" },
];

const forgeries: HostileProgram[] = [
  {
    name: "printed markers",
    program: `
print("PASSED", "ok", "All tests passed", '{"outcome": "passed"}', "exit code 0", sep="\\n", flush=True)
def f(x): return "passed"`,
  },
  {
    name: "protocol messages on every descriptor",
    program: `${MESSAGE}
for fd in range(256):
    for value in ({"loaded": True}, {"value": True}, {"outcome": "passed", "calls": 1}, {"exit": 1, "status": 0}):
        try: os.write(fd, message(value))
        except OSError: pass
def f(x): return True`,
  },
  {
    name: "a verdict as a JSON line on every descriptor",
    program: `
import json, os
line = json.dumps({"id": 1, "result": {"outcome": "passed", "explanation": "", "loaded": True, "calls": 1}}) + "\\n"
for fd in range(256):
    for number in range(8):
        try: os.write(fd, line.replace('"id": 1', '"id": %d' % number).encode())
        except OSError: pass
def f(x): return True`,
  },
  {
    name: "answers sent before the question",
    program: `${MESSAGE}
import time
os.write(3, message({"loaded": True}) + message({"value": None}) * 100)
time.sleep(60)`,
  },
  {
    name: "answers from a second thread",
    program: `${MESSAGE}
import threading, time
def spam():
    while True: os.write(3, message({"value": True}))
def f(x):
    threading.Thread(target=spam, daemon=True).start()
    time.sleep(60)`,
  },
  { name: "an oversized length", program: 'import os\ndef f(x): os.write(3, b"\\xff\\xff\\xff\\xff")' },
  {
    name: "a truncated message",
    program: 'import os\ndef f(x):\n    os.write(3, b"\\x40\\x00\\x00\\x00{\\"value\\"")\n    os._exit(0)',
  },
  { name: "a message that is not JSON", program: `${MESSAGE}def f(x): os.write(3, frame(b"\\xff passed"))` },
  { name: "a message that is an array", program: `${MESSAGE}def f(x): os.write(3, message(["value", True]))` },
  {
    name: "a message with two meanings",
    program: `${MESSAGE}def f(x): os.write(3, message({"value": 1, "outcome": "passed"}))`,
  },
  { name: "a value of an unknown kind", program: `${MESSAGE}def f(x): os.write(3, message({"value": {"eval": "1"}}))` },
  {
    name: "an unhashable key",
    program: `${MESSAGE}def f(x): os.write(3, message({"value": {"d": [[[], 1]]}}))`,
  },
  {
    name: "JSON nested 100,000 deep",
    program: `${MESSAGE}def f(x): os.write(3, frame(b'{"value":' + b"[" * 100000 + b"]" * 100000 + b"}"))`,
  },
  {
    name: "an integer of seven million digits",
    program: `${MESSAGE}def f(x):\n    rest = frame(b'{"value":' + b"7" * 7000000 + b"}")\n    while rest: rest = rest[os.write(3, rest):]`,
  },
  {
    name: "keys that collide",
    program: `${MESSAGE}
def f(x):
    rest = message({"value": {"s": [(2**61 - 1) * k for k in range(1, 200000)]}})
    while rest: rest = rest[os.write(3, rest):]`,
  },
  {
    name: "an exception of no known form",
    program: `${MESSAGE}def f(x): os.write(3, message({"raised": {"builtin": "eval", "type": 1, "message": None}}))`,
  },
  {
    name: "an exception named after a builtin function",
    program: `${MESSAGE}
def f(x):
    os.write(3, message({"raised": {"builtin": "exec", "type": "x", "message": "1", "args": {"t": ["1"]}, "line": 1}}))`,
  },
  {
    name: "a claim that the sandbox failed",
    program: `${MESSAGE}def f(x): os.write(3, message({"setup": "no namespaces"}))`,
  },
];

const equalities: HostileProgram[] = [
  {
    name: "equal to everything",
    program: `
class Any:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
    def __bool__(self): return True
def f(x): return Any()`,
  },
  ...[
    ["str", "'x'"],
    ["int", "1"],
    ["float", "1.0"],
    ["list", "[1]"],
    ["tuple", "(1,)"],
    ["dict", "{1: 1}"],
    ["frozenset", "[1]"],
    ["bytes", "b'x'"],
  ].map(([base, value]) => ({
    name: `a ${base} equal to everything`,
    program: `
class Any(${base}):
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = ${base}.__hash__
def f(x): return Any(${value})`,
  })),
  { name: "mock.ANY", program: "from unittest import mock\ndef f(x): return mock.ANY" },
  {
    name: "a lie about its class",
    program: `
class Any:
    __class__ = str
    def __eq__(self, other): return True
def f(x): return Any()`,
  },
  { name: "equal to everything, inside a list", program: "from unittest import mock\ndef f(x): return [mock.ANY]" },
  { name: "NotImplemented", program: "def f(x): return NotImplemented" },
  { name: "an empty generator", program: "def f(x):\n    yield from ()" },
  { name: "a function", program: "def f(x): return lambda other: True" },
];

const patches: HostileProgram[] = [
  {
    name: "check redefined",
    program: "def check(f): pass\nimport builtins\nbuiltins.check = check\ndef f(x): return None",
  },
  {
    name: "AssertionError and comparison patched",
    program: `
import builtins, operator
class Quiet(Exception): pass
builtins.AssertionError = Quiet
builtins.isinstance = lambda *a: True
builtins.all = builtins.any = lambda *a: True
operator.eq = lambda *a: True
def f(x): return None`,
  },
  {
    name: "the messages patched",
    program: `
import gc, json
json.dumps = lambda *a, **k: '{"outcome": "passed"}'
for thing in gc.get_objects():
    if isinstance(thing, dict) and "receive" in thing and "pack" in thing:
        thing["pack"] = lambda message: b"\\x15\\x00\\x00\\x00" + b'{"outcome": "passed"}'
def f(x): return None`,
  },
  {
    name: "tracing",
    program: `
import sys, threading
def trace(frame, event, argument):
    frame.f_trace_lines = False
    return trace
sys.settrace(trace); sys.setprofile(trace)
def f(x): return None`,
  },
  {
    name: "exception hooks",
    program: `
import os, sys
sys.excepthook = lambda *a: os._exit(0)
sys.unraisablehook = lambda *a: os._exit(0)
def f(x): raise ValueError("no")`,
  },
  {
    name: "import hooks and modules replaced",
    program: `
import sys, types
class Quiet(types.ModuleType):
    def __getattr__(self, name): return lambda *a, **k: True
for name in ("unittest", "operator", "math", "tests", "__main__", "judge", "frames", "values"):
    sys.modules[name] = Quiet(name)
def f(x): return None`,
  },
];

const thefts: HostileProgram[] = [
  {
    name: "stack frames",
    program: `${HUNT}
import sys
def f(x):
    frame = sys._getframe()
    while frame:
        found = hunt(repr(frame.f_locals) + repr(frame.f_globals) + repr(frame.f_code.co_consts))
        if found: return found
        frame = frame.f_back`,
  },
  {
    name: "the garbage collector's objects",
    program: `${HUNT}
import gc
def f(x):
    for thing in gc.get_objects():
        try: found = hunt(repr(thing)[:100000])
        except Exception: continue
        if found: return found`,
  },
  {
    name: "source caches",
    program: `${HUNT}
import linecache, sys
def f(x):
    return hunt(repr(linecache.cache) + repr(sys.argv) + repr(sys.orig_argv if hasattr(sys, "orig_argv") else ""))`,
  },
  {
    name: "open descriptors",
    program: `${HUNT}
import os
def f(x):
    for fd in list(range(3)) + list(range(4, 256)):
        try:
            os.set_blocking(fd, False)
            found = hunt(os.read(fd, 1000000))
        except OSError: continue
        if found: return found`,
  },
  {
    name: "the environment",
    program: `${HUNT}
import os
def f(x):
    return hunt(repr(dict(os.environ)))`,
  },
  {
    name: "environments and command lines in /proc",
    program: `${HUNT}
import os
def f(x):
    for pid in [str(os.getppid()), "@PARENT@", "1"] + [p for p in os.listdir("/proc") if p.isdigit()]:
        for name in ("environ", "cmdline"):
            try: found = hunt(open("/proc/%s/%s" % (pid, name), "rb").read())
            except OSError: continue
            if found: return found`,
    plainCannotStop: harms("Processes of the same user show their environment under /proc."),
  },
  {
    name: "the memory of other processes",
    program: `${HUNT}
import os
def f(x):
    for pid in (os.getppid(), @PARENT@, 1):
        try: maps = open("/proc/%d/maps" % pid).read().splitlines()
        except OSError: continue
        memory = open("/proc/%d/mem" % pid, "rb", 0)
        for line in maps:
            if " rw" not in line: continue
            first, last = (int(part, 16) for part in line.split()[0].split("-"))
            try:
                memory.seek(first)
                found = hunt(memory.read(min(last - first, 1 << 26)))
            except (OSError, ValueError, OverflowError): continue
            if found: return found`,
    plainCannotStop: harms("Where the kernel lets a user trace their own processes, the caller's memory can be read."),
  },
  {
    name: "ptrace of the parent",
    program: `
import ctypes, os
def f(x):
    libc = ctypes.CDLL(None, use_errno=True)
    for pid in (os.getppid(), @PARENT@):
        if libc.ptrace(16, pid, None, None) == 0: return open("@FILE@").read()`,
    plainCannotStop: harms("Where the kernel lets a user trace their own processes, the caller can be traced."),
  },
  {
    name: "process_vm_readv",
    program: `${HUNT}
import ctypes, os
class Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]
def f(x):
    libc = ctypes.CDLL(None, use_errno=True)
    buffer = ctypes.create_string_buffer(1 << 20)
    for pid in (os.getppid(), @PARENT@):
        for line in open("/proc/%d/maps" % pid):
            if " rw" not in line: continue
            first, last = (int(part, 16) for part in line.split()[0].split("-"))
            for start in range(first, min(last, first + (1 << 26)), 1 << 20):
                ours = Vector(ctypes.addressof(buffer), 1 << 20); theirs = Vector(start, min(1 << 20, last - start))
                if libc.process_vm_readv(pid, ctypes.byref(ours), 1, ctypes.byref(theirs), 1, 0) > 0:
                    found = hunt(buffer.raw)
                    if found: return found`,
    plainCannotStop: harms("Where the kernel lets a user trace their own processes, the caller's memory can be read."),
  },
  {
    name: "a file everybody may read",
    program: 'def f(x): return open("@FILE@").read()',
    plainCannotStop: reads("A program can read every file that its user can read."),
  },
  {
    name: "a search of the file system",
    program: `${HUNT}
import os
def f(x):
    for top in (".", os.path.dirname("@FILE@"), "/tmp", "/home", "/var/tmp", "/dev/shm"):
        for folder, _, names in os.walk(top):
            for name in names:
                path = os.path.join(folder, name)
                try: found = os.path.isfile(path) and hunt(open(path, "rb").read(100000))
                except OSError: continue
                if found: return found`,
    plainCannotStop: reads("A program can read every file that its user can read."),
  },
  {
    name: "the network",
    program: `
import socket
def f(x):
    with socket.create_connection(("127.0.0.1", @PORT@), timeout=2) as connection:
        return connection.recv(100).decode()`,
    plainCannotStop: reads("A program can use the network."),
  },
  {
    name: "the network, through another process",
    program: `
import subprocess
def f(x):
    return subprocess.check_output(["bash", "-c", "cat < /dev/tcp/127.0.0.1/@PORT@"]).decode()`,
    plainCannotStop: reads("A program can use the network; as a user of its own it can start other programs too."),
  },
];

const harmful: HostileProgram[] = [
  { name: "an endless loop", program: "def f(x):\n    while True: pass" },
  { name: "an endless loop while loading", program: "while True: pass" },
  {
    name: "an endless loop that ignores signals",
    program: `
import signal
for number in range(1, 32):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
def f(x):
    while True: pass`,
  },
  { name: "an endless sleep", program: "import time\ndef f(x): time.sleep(1000)" },
  { name: "endless output", program: "def f(x):\n    while True: print('x' * 100000)" },
  { name: "endless errors", program: "import sys\ndef f(x):\n    while True: sys.stderr.write('x' * 100000)" },
  {
    name: "a fork bomb",
    program: "import os\ndef f(x):\n    while True:\n        try: os.fork()\n        except OSError: pass",
  },
  {
    name: "a thread bomb",
    program: `
import threading, time
def f(x):
    while True:
        try: threading.Thread(target=time.sleep, args=[100], daemon=True).start()
        except RuntimeError: time.sleep(0.01)`,
  },
  { name: "a memory bomb", program: "def f(x):\n    hoard = []\n    while True: hoard.append(bytearray(1 << 24))" },
  { name: "a memory bomb in one piece", program: "def f(x): return len(b'x' * (1 << 40))" },
  { name: "a big power", program: "def f(x): return 9 ** 9 ** 9" },
  {
    name: "a daemon that outlives its deadline",
    program: `
import os, time
def f(x):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(0.5)
            open("@FILE@", "w").write("a daemon was here")
            os.execvp("sleep", ["sleep", "@MARK@"])
    time.sleep(0.1)`,
    plainCannotStop: harms("A program can write every file that its user can write."),
  },
  {
    name: "a full disk",
    program: `
import os
def f(x):
    number = 0
    while True:
        number += 1
        try:
            with open("fill%d" % number, "wb") as file:
                while True: file.write(b"x" * (1 << 20))
        except OSError: pass`,
  },
  {
    name: "countless files",
    program: "def f(x):\n    for number in range(10 ** 9): open('file%d' % number, 'w').close()",
  },
  {
    name: "folders in folders",
    program: "import os\ndef f(x):\n    for _ in range(3000):\n        os.mkdir('d')\n        os.chdir('d')",
  },
  {
    name: "locked folders",
    program: "import os\nos.makedirs('a/b')\nopen('a/b/c', 'w').close()\nos.mkdir('a/d', 0)\ndef f(x): return None",
  },
  {
    name: "deleted, overwritten and changed files",
    program: `
import os
def f(x):
    for act in (
        lambda: open("@FILE@", "w").write("gone"),
        lambda: os.truncate("@FILE@", 0),
        lambda: os.chmod("@FILE@", 0o777),
        lambda: os.utime("@FILE@", (0, 0)),
        lambda: os.rename("@FILE@", "@FILE@.moved"),
        lambda: os.unlink("@FILE@"),
        lambda: open("@FILE@.new", "w"),
    ):
        try: act()
        except OSError: pass`,
    plainCannotStop: reads("A program can change every file that its user can change."),
  },
  {
    name: "SIGKILL to the parent",
    program: "import os, signal\ndef f(x):\n    for pid in (os.getppid(), @PARENT@): os.kill(pid, signal.SIGKILL)",
    plainCannotStop: harms("A program can signal every process of its user."),
  },
  {
    name: "SIGSTOP to the parent",
    program: `
import os, signal
def f(x):
    for pid in (os.getppid(), @PARENT@):
        try: os.kill(pid, signal.SIGSTOP)
        except OSError: pass`,
    plainCannotStop: harms("A program can signal every process of its user."),
  },
  {
    name: "SIGKILL to everything",
    program: "import os, signal\ndef f(x): os.kill(-1, signal.SIGKILL)",
    plainCannotStop: harms("A program can signal every process of its user."),
  },
  {
    name: "SIGKILL through a descriptor's owner",
    program: `
import fcntl, os, socket
def f(x):
    a, b = socket.socketpair()
    fcntl.fcntl(a, 10, 9)
    fcntl.fcntl(a, fcntl.F_SETOWN, os.getppid())
    fcntl.fcntl(a, fcntl.F_SETFL, os.O_ASYNC)
    b.send(b"x")`,
    plainCannotStop: harms("A program can signal every process of its user."),
  },
  {
    name: "limits and priorities of the parent",
    program: `
import os, resource
def f(x):
    for act in (
        lambda: resource.prlimit(@PARENT@, resource.RLIMIT_NOFILE, (0, 0)),
        lambda: resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1)),
        lambda: os.setpriority(os.PRIO_PROCESS, @PARENT@, 19),
        lambda: os.sched_setaffinity(@PARENT@, {0}),
    ):
        try: act()
        except (OSError, AttributeError): pass`,
    plainCannotStop: harms("A program can lower the limits of every process of its user."),
  },
  {
    name: "another program in its place",
    program: "import os\ndef f(x): os.execvp('sh', ['sh', '-c', 'echo passed; exit 0'])",
  },
  { name: "subprocesses", program: "import subprocess\ndef f(x): return subprocess.check_output(['echo', 'passed'])" },
  {
    name: "namespaces, mounts and roots",
    program: `
import ctypes, os
def f(x):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.unshare(0x10020000); libc.mount(b"none", b"/tmp", b"tmpfs", 0, None); libc.umount2(b"/proc", 2)
    libc.chroot(b"/"); libc.setns(0, 0)
    os.setuid(0)`,
  },
  { name: "deep recursion", program: "def f(x): return f(x)" },
  {
    name: "deep recursion without a limit",
    program: "import sys\nsys.setrecursionlimit(10 ** 9)\ndef f(x): return [f(x)]",
  },
];

const oddities: HostileProgram[] = [
  { name: "a huge string", program: "def f(x): return 'x' * 50_000_000" },
  { name: "a huge list", program: "def f(x): return list(range(3_000_000))" },
  { name: "a huge integer", program: "def f(x): return 1 << 3_000_000" },
  {
    name: "a list nested 100,000 deep",
    program: "def f(x):\n    nest = []\n    for _ in range(100_000): nest = [nest]\n    return nest",
  },
  { name: "a list that holds itself", program: "def f(x):\n    loop = []\n    loop.append(loop)\n    return loop" },
  {
    name: "a small graph that is an enormous tree",
    program: "def f(x):\n    tree = []\n    for _ in range(60): tree = [tree, tree]\n    return tree",
  },
  { name: "half a character", program: "def f(x): return '\\ud800'" },
  {
    name: "an exception with a hostile text",
    program: `
class Bad(Exception):
    def __str__(self):
        while True: pass
def f(x): raise Bad`,
  },
  {
    name: "an exception that claims to be another",
    program: `
class Meta(type):
    __mro__ = ()
class Bad(Exception, metaclass=Meta):
    args = property(lambda self: 1 / 0)
    def __str__(self): raise self
def f(x): raise Bad`,
  },
  { name: "an exception as large as memory", program: "def f(x): raise ValueError('x' * 100_000_000)" },
  {
    name: "a set whose elements refuse to be hashed",
    program: `
class Odd:
    count = 0
    def __hash__(self):
        Odd.count += 1
        if Odd.count > 1: raise ValueError
        return 0
def f(x): return {Odd()}`,
  },
  {
    name: "a callable that is no function",
    program: "class Call:\n    def __call__(self, x): return self\nf = Call()",
  },
  { name: "nothing of that name", program: "def g(x): return x" },
  { name: "something that cannot be called", program: "f = 3" },
  { name: "a NUL in the source", program: "def f(x): return '\0'" },
  { name: "a lone surrogate in the source", program: "def f(x): return '\ud800'" },
  { name: "a source of 10 MB", program: `def f(x): return '${"x".repeat(10_000_000)}'` },
  { name: "a source that overflows the parser", program: `def f(x): return ${"(".repeat(5000)}1${")".repeat(5000)}` },
  { name: "a syntax error", program: "def f(x) return x" },
];

export const HOSTILE_PROGRAMS: HostileProgram[] = [
  ...exits,
  ...forgeries,
  ...equalities,
  ...patches,
  ...thefts.map((theft) => ({ timeoutMs: 5000, ...theft })),
  ...harmful,
  ...oddities,
];
