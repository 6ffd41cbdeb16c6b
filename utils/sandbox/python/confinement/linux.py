"""The Linux system calls that Python's library does not offer, through ctypes. Absent (`available()` False)
elsewhere."""

import os
import struct
import sys
import time

try:
    import ctypes

    _libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
except (ImportError, OSError):
    _libc = None

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38
_PR_SET_SECCOMP = 22
_SECCOMP_MODE_FILTER = 2
_CAPABILITY_VERSION_3 = 0x20080522
_SIGKILL = 9


def available():
    return _libc is not None


if available():
    # Keeps the interpreter's lock across the call, as os.fork() does: what gives it up and takes it again lies in pages
    # that a fork would have to copy.
    _held = ctypes.PyDLL(None, use_errno=True)
    # Looked up once: each first use after a fork would cost every job the same work again.
    _syscall, _syscall_with_gil = _libc.syscall, _held.syscall
    _setfsuid, _setfsgid = _libc.setfsuid, _libc.setfsgid
    _setfsuid.argtypes = _setfsgid.argtypes = [ctypes.c_uint]


def step(name, *arguments):
    """A call of libc, made ready for `do`. Arguments are whole numbers, bytes, and None for a null pointer."""
    return name, getattr(_held, name), tuple(map(_ready, arguments))


def _ready(argument):
    kind = ctypes.c_ulong if isinstance(argument, int) else ctypes.c_char_p
    return kind.from_param(argument)


def do(*steps):
    """Take steps in turn; raises OSError for one that fails. Steps are those of `step`, or (name, function, arguments)
    of functions that raise it themselves.

    A forked process must copy each page that it touches, also to count references. So its first steps are prepared
    before the fork and run as little code as possible.
    """
    for name, function, arguments in steps:
        result = function(*arguments)
        if type(result) is int and result < 0:
            check(result, name)


def check(result, what):
    """Raise OSError for a failed libc call."""
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, "%s: %s" % (what, os.strerror(code)))
    return result


def dumpable(dumpable):
    """Not dumpable: processes of the same user can neither trace this one nor read its memory through /proc."""
    return step("prctl", _PR_SET_DUMPABLE, int(dumpable), 0, 0, 0)


def adopt_orphans():
    """Become the parent of every descendant whose own parent dies."""
    return step("prctl", _PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def die_with_parent():
    return step("prctl", _PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)


def no_new_privileges():
    return step("prctl", _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def become(uid):
    """Steps to an ordinary user for good. The caller is root."""
    return [
        step("setgroups", 0, None),
        step("setresgid", uid, uid, uid),
        step("setresuid", uid, uid, uid),
    ]


def mount(source, target, kind, flags, options=None):
    return step("mount", source, target, kind, flags, options)


def drop_capabilities():
    return step("capset", struct.pack("=Ii", _CAPABILITY_VERSION_3, 0), bytes(24))


def syscall(number, *arguments):
    return _syscall(number, *arguments)


class files_as:
    """Within, this process, which is root, opens files and looks into /proc as that user would."""

    def __init__(self, uid, gid):
        self._wanted = uid, gid

    def __enter__(self):
        uid, gid = self._wanted
        self._group, self._user = _setfsgid(gid), _setfsuid(uid)

    def __exit__(self, *_):
        _setfsuid(self._user)
        _setfsgid(self._group)
        # The change has reset it.
        do(dumpable(False))


def be_ended_first():
    """If the machine runs out of memory, this process and its children are killed first."""
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
    except OSError:
        pass  # Not all kernels have it; the limits hold all the same.


def unshare(flags):
    check(_libc.unshare(flags), "unshare")


class Filter:
    """A seccomp filter made ready: a list of (code, jump if true, jump if false, operand)."""

    def __init__(self, instructions):
        self._code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *each) for each in instructions))
        # struct sock_fprog: the count, padded, then a pointer.
        program = struct.pack("@HP", len(instructions), ctypes.addressof(self._code))
        self._program = ctypes.create_string_buffer(program)
        self._ready = step("prctl", _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.addressof(self._program), 0, 0)

    def step(self):
        """See `do`. What it holds is this filter, whose memory the kernel reads."""
        return "seccomp", self._install, ()

    def _install(self):
        do(self._ready)


def trim_memory():
    """Free unused memory: each fork copies the table of our pages."""
    trim = getattr(_libc, "malloc_trim", None)
    if trim:
        trim(0)


def clone(number, flags):
    """os.fork() into new namespaces: `number` is the clone system call's. Returns 0 in the child.

    Without what Python does around a fork: it serves other threads, which this process has none of, and seeds `random`
    anew. It touches many pages, and every page that a child touches is copied.
    """
    pid = _syscall_with_gil(number, flags, 0, 0, 0, 0)
    if pid == 0:
        return 0
    code = ctypes.get_errno()
    if pid < 0:
        raise OSError(code, "clone: %s" % os.strerror(code))
    return pid


def cpu_seconds(pid):
    """Processor time that the process `pid` and its threads have used, or None where it cannot be read."""
    # The clock id of a process's CPU clock, as clock_getcpuclockid(3) computes it.
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return None
