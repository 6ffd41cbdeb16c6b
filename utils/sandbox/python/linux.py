"""The Linux system calls that Python's library does not offer, through ctypes. Absent (`available()` False) elsewhere."""

import os
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


def check(result, what):
    """Raise OSError for a failed libc call."""
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, "%s: %s" % (what, os.strerror(code)))
    return result


def _prctl(option, value, what):
    check(_libc.prctl(option, value, 0, 0, 0), what)


def set_dumpable(dumpable):
    """Not dumpable: processes of the same user can neither trace this one nor read its memory through /proc."""
    _prctl(_PR_SET_DUMPABLE, 1 if dumpable else 0, "prctl(PR_SET_DUMPABLE)")


def adopt_orphans():
    """Become the parent of every descendant whose own parent dies."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1, "prctl(PR_SET_CHILD_SUBREAPER)")


def die_with_parent():
    _prctl(_PR_SET_PDEATHSIG, _SIGKILL, "prctl(PR_SET_PDEATHSIG)")


def no_new_privileges():
    _prctl(_PR_SET_NO_NEW_PRIVS, 1, "prctl(PR_SET_NO_NEW_PRIVS)")


def syscall(number, *arguments):
    return _libc.syscall(number, *arguments)


def mount(source, target, kind, flags, options=b""):
    result = _libc.mount(source, target, kind, ctypes.c_ulong(flags), options)
    check(result, "mount %s" % target.decode())


def seccomp_filter(program):
    """Install a BPF program: a list of (code, jump if true, jump if false, operand)."""

    class Instruction(ctypes.Structure):
        _fields_ = [("code", ctypes.c_uint16), ("jt", ctypes.c_uint8), ("jf", ctypes.c_uint8), ("k", ctypes.c_uint32)]

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.POINTER(Instruction))]

    instructions = (Instruction * len(program))(*program)
    descriptor = Program(len(program), instructions)
    check(_libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(descriptor), 0, 0), "seccomp")


def drop_capabilities():
    class Header(ctypes.Structure):
        _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]

    class Data(ctypes.Structure):
        _fields_ = [("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32)]

    none = (Data * 2)()
    check(_libc.capset(ctypes.byref(Header(_CAPABILITY_VERSION_3, 0)), none), "capset")


def clone(number, flags):
    """os.fork() into new namespaces: `number` is the clone system call's. Returns 0 in the child."""
    with_gil = ctypes.PyDLL(None, use_errno=True)
    python = ctypes.pythonapi
    python.PyOS_BeforeFork()
    pid = with_gil.syscall(number, flags, 0, 0, 0, 0)
    code = ctypes.get_errno()
    if pid == 0:
        python.PyOS_AfterFork_Child()
        return 0
    python.PyOS_AfterFork_Parent()
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
