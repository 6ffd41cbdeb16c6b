/** Programs that look for what the tests expect. */

import { always, type HostileProgram, sameUser } from "./program.ts";

/** `hunt(text)` finds the secret in text or bytes. */
const HUNT = `
import re
def hunt(text):
    text = text.encode("utf-8", "replace") if isinstance(text, str) else text
    found = re.search(b"secret-[0-9a-f]{32}", text)
    return found.group().decode() if found else None
`;

export const thefts: HostileProgram[] = [
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
    plainCannotStop: sameUser("Processes of the same user show their environment under /proc."),
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
    plainCannotStop: sameUser(
      "Where the kernel lets a user trace their own processes, the caller's memory can be read.",
    ),
  },
  {
    name: "ptrace of the parent",
    program: `
import ctypes, os
def f(x):
    libc = ctypes.CDLL(None, use_errno=True)
    for pid in (os.getppid(), @PARENT@):
        if libc.ptrace(16, pid, None, None) == 0: return open("@FILE@").read()`,
    plainCannotStop: sameUser("Where the kernel lets a user trace their own processes, the caller can be traced."),
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
    plainCannotStop: sameUser(
      "Where the kernel lets a user trace their own processes, the caller's memory can be read.",
    ),
  },
  {
    name: "a file everybody may read",
    program: 'def f(x): return open("@FILE@").read()',
    plainCannotStop: always("A program can read every file that its user can read."),
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
    plainCannotStop: always("A program can read every file that its user can read."),
  },
  {
    name: "the network",
    program: `
import socket
def f(x):
    with socket.create_connection(("127.0.0.1", @PORT@), timeout=2) as connection:
        return connection.recv(100).decode()`,
    plainCannotStop: always("A program can use the network."),
  },
  {
    name: "the network, through another process",
    program: `
import subprocess
def f(x):
    return subprocess.check_output(["bash", "-c", "cat < /dev/tcp/127.0.0.1/@PORT@"]).decode()`,
    plainCannotStop: always("A program can use the network; as a user of its own it can start other programs too."),
  },
];
