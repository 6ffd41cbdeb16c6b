/** Programs that use up, destroy or take over what is not theirs. */

import { always, type HostileProgram, sameUser } from "./program.ts";

/**
 * A process of a session of its own that waits for the verdict on the program that started it, and writes then.
 * What it does sooner is no harm: until the verdict is given it is a part of its job. `ending` is what the call does
 * once the daemon runs: its end of the pipe, the last one, is closed when `sh` takes its place.
 */
function daemon(outlived: string, ending: string, timeoutMs = 5000): HostileProgram {
  return {
    name: `a daemon that outlives ${outlived}`,
    program: `
import os, time
WAIT = 'until [ -e "$1" ]; do :; done; echo "a daemon was here" > "$2"; exec sleep 1000'
def f(x):
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execvp("sh", ["sh", "-c", WAIT, "@MARK@", "@VERDICT@", "@FILE@"])
        os._exit(0)
    os.close(writing)
    os.read(reading, 1)
    ${ending}`,
    timeoutMs,
    plainCannotStop: sameUser("A program can write every file that its user can write."),
  };
}

export const harmful: HostileProgram[] = [
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
  daemon("its verdict", 'return "it runs"'),
  daemon("its parent", "os._exit(0)"),
  daemon("its deadline", "time.sleep(1000)", 1000),
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
    plainCannotStop: always("A program can change every file that its user can change."),
  },
  {
    name: "times and attributes of files that everybody may write",
    program: `
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def f(x):
    for act in (
        lambda: os.utime("@FILE@"),
        lambda: os.utime(os.path.dirname("@FILE@")),
        lambda: os.setxattr("@FILE@", "user.note", b"was here"),
        lambda: os.setxattr(os.path.dirname("@FILE@"), "user.note", b"was here"),
        lambda: libc.utimes(b"@FILE@", None),
        lambda: libc.utimensat(-100, b"@FILE@", None, 0),
        lambda: libc.truncate(b"@FILE@", 0),
        lambda: os.link("@FILE@", "mine"),
    ):
        try: act()
        except OSError: pass`,
    plainCannotStop: always("A program can change every file that its user can change."),
  },
  {
    name: "SIGKILL to the parent",
    program: "import os, signal\ndef f(x):\n    for pid in (os.getppid(), @PARENT@): os.kill(pid, signal.SIGKILL)",
    plainCannotStop: sameUser("A program can signal every process of its user."),
  },
  {
    name: "SIGSTOP to the parent",
    program: `
import os, signal
def f(x):
    for pid in (os.getppid(), @PARENT@):
        try: os.kill(pid, signal.SIGSTOP)
        except OSError: pass`,
    plainCannotStop: sameUser("A program can signal every process of its user."),
  },
  {
    name: "SIGKILL to everything",
    program: "import os, signal\ndef f(x): os.kill(-1, signal.SIGKILL)",
    plainCannotStop: sameUser("A program can signal every process of its user."),
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
    plainCannotStop: sameUser("A program can signal every process of its user."),
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
    plainCannotStop: sameUser("A program can lower the limits of every process of its user."),
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
