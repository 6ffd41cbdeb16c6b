"""Seccomp filters: no network, no tracing, no mounts, and, while judging, no new processes."""

import errno
import os

from confinement import linux, syscalls

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32_BIT = 0x40000000
_FIRST_UNKNOWN_CALL = 452
"""Calls from here on are newer than this filter and refused as unknown."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _MASK, _JUMP, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x05, 0x06
_ALLOW, _KILL, _DO_NOTHING = 0x7FFF0000, 0x80000000, 0x00050000
_REFUSE = _DO_NOTHING | errno.EPERM
_MISSING = _DO_NOTHING | errno.ENOSYS
_UNSUPPORTED = _DO_NOTHING | errno.EOPNOTSUPP
_INVALID = _DO_NOTHING | errno.EINVAL
_NUMBER, _ARCHITECTURE = 0, 4
_FEW = 3
"""Up to so many rules are tried one after the other."""

_CLONE_FILES = 0x00000400
_CLONE_THREAD = 0x00010000
_CLONE_NEW_NAMESPACE = 0x7E020000
_F_SETOWN, _F_SETSIG, _F_SETOWN_EX = 8, 10, 15
_FIOSETOWN, _SIOCSPGRP, _TIOCSTI = 0x8901, 0x8902, 0x5412
_O_TMPFILE = 0x400000
_CLOSE_RANGE_UNSHARE = 2
_PR_SET_DUMPABLE = 4

_PROCESSES = ("fork", "vfork", "execve", "execveat")
_SIGNALS = ("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")
_SCHEDULING = ("prlimit64", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr")
_TIMES = ("utime", "utimes", "futimesat", "utimensat")
_ATTRIBUTES = ("setxattr", "lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr")
_MODES = ("chmod", "fchmod", "fchmodat")
_OWNED = ("chown", "fchown", "lchown", "fchownat", "truncate")
_HIDING = {
    "openat2": _MISSING,
    "fallocate": _UNSUPPORTED,
    "sendfile": _INVALID,
    "splice": _INVALID,
    "sendmsg": _REFUSE,
    "sendmmsg": _REFUSE,
    "landlock_create_ruleset": _REFUSE,
}
"""Calls that take disk space at once or keep a deleted file where `deleted_files` does not look: in a message, in a
rule, in a thread that waits for a full pipe. The answers are those on which libc, Python and Node.js do without."""
_EVERYDAY = ("memfd_create", "mknod", "mknodat", "setpriority")
"""What test suites of honest programs need beside what candidates may do."""

_FILE_TYPE, _CHARACTER_DEVICE, _BLOCK_DEVICE = 0o170000, 0o020000, 0o060000
_HUGE_PAGES = 4
_NETLINK = 16
_SPECIAL = {
    *("clone", "clone3", "fcntl", "ioctl", "socket", "open", "openat", "close_range", "prctl"),
    *(*_PROCESSES, *_SIGNALS, *_SCHEDULING, *_TIMES, *_ATTRIBUTES, *_MODES, *_OWNED, *_HIDING),
}


class _Rules:
    """What is refused, by the number of the call, and the filter that does it."""

    def __init__(self, machine):
        self._machine = machine
        self._numbers = syscalls.numbers(machine)
        self._blocks = {}

    def refuse(self, name, answer=_REFUSE):
        if name in self._numbers:
            self._blocks[self._numbers[name]] = [(_RETURN, 0, 0, answer)]

    def refuse_where(self, name, argument, test, operand, holds=True, mask=0xFFFFFFFF, answer=_REFUSE):
        """Refuse the call when its argument, under the mask, passes the test (with holds=False: does not)."""
        if name not in self._numbers:
            return
        self._add(
            name,
            # The low half of the argument, on a little-endian machine. All of these take 32 bits.
            (_LOAD, 0, 0, 16 + 8 * argument),
            (_MASK, 0, 0, mask),
            (test, 0 if holds else 1, 1 if holds else 0, operand),
            (_RETURN, 0, 0, answer),
        )

    def refuse_unless(self, name, argument, operands):
        """Refuse the call unless its argument is one of `operands`."""
        if not operands:
            self.refuse(name)
        elif name in self._numbers:
            self._add(
                name,
                (_LOAD, 0, 0, 16 + 8 * argument),
                *((_EQUAL, len(operands) - index, 0, operand) for index, operand in enumerate(operands)),
                (_RETURN, 0, 0, _REFUSE),
            )

    def refuse_other_protocols(self, family):
        """Refuse sockets of a family that speak another protocol than its first."""
        self._add(
            "socket",
            (_LOAD, 0, 0, 16),
            (_EQUAL, 0, 3, family),
            (_LOAD, 0, 0, 32),
            (_EQUAL, 1, 0, 0),
            (_RETURN, 0, 0, _REFUSE),
        )

    def _add(self, name, *instructions):
        self._blocks.setdefault(self._numbers[name], []).extend(instructions)

    def instructions(self):
        """The filter. It finds a call's rule by bisection, since the kernel checks every call when it is installed."""
        head = [
            (_LOAD, 0, 0, _ARCHITECTURE),
            (_EQUAL, 1, 0, _ARCHITECTURES[self._machine]),
            (_RETURN, 0, 0, _KILL),
            (_LOAD, 0, 0, _NUMBER),
        ]
        if self._machine == syscalls.X86_64:
            head += [(_AT_LEAST, 0, 1, _X32_BIT), (_RETURN, 0, 0, _KILL)]
        head += [(_AT_LEAST, 0, 1, _FIRST_UNKNOWN_CALL), (_RETURN, 0, 0, _MISSING)]
        return head + self._bisection(self._ranges())

    def _ranges(self):
        """The rules as [first call, last call, block]: neighbours that have the same block are one."""
        ranges = []
        for number, block in sorted(self._blocks.items()):
            if ranges and ranges[-1][1:] == [number - 1, block]:
                ranges[-1][1] = number
            else:
                ranges.append([number, number, block])
        return ranges

    def _bisection(self, ranges):
        if len(ranges) > _FEW:
            middle = len(ranges) // 2
            below, above = self._bisection(ranges[:middle]), self._bisection(ranges[middle:])
            # A conditional jump reaches no further than 255 instructions.
            return [(_AT_LEAST, 0, 1, ranges[middle][0]), (_JUMP, 0, 0, len(below)), *below, *above]
        rules = []
        for first, last, block in ranges:
            if len(block) > 1:
                block = [*block, (_RETURN, 0, 0, _ALLOW)]
            if first == last:
                rules.append((_EQUAL, 0, len(block), first))
            else:
                rules += [(_AT_LEAST, 0, len(block) + 1, first), (_AT_LEAST, len(block), 0, last + 1)]
            rules += block
        return [*rules, (_RETURN, 0, 0, _ALLOW)]


def _keep_host_files(rules):
    """Leave the metadata of files alone, and nowhere to hide a deleted file but in descriptors and mappings."""
    for name in _TIMES:
        # An error would end `shutil.copy2` and all that is built on it.
        rules.refuse(name, _DO_NOTHING)
    for name in _ATTRIBUTES:
        rules.refuse(name)
    for name, answer in _HIDING.items():
        rules.refuse(name, answer)
    for name, flags in (("open", 1), ("openat", 2)):
        rules.refuse_where(name, flags, _ANY_BIT, _O_TMPFILE, answer=_UNSUPPORTED)
    # One table of descriptors for all threads of a process, which the supervisor may read.
    rules.refuse_where("clone", 0, _EQUAL, _CLONE_THREAD, mask=_CLONE_THREAD | _CLONE_FILES)
    rules.refuse_where("close_range", 2, _ANY_BIT, _CLOSE_RANGE_UNSHARE)
    rules.refuse_where("prctl", 0, _EQUAL, _PR_SET_DUMPABLE)


def _allow_everyday(rules):
    """Named pipes and no devices, files in memory, a lower priority of oneself, and the names of network interfaces."""
    for name, mode in (("mknod", 1), ("mknodat", 2)):
        for kind in (_CHARACTER_DEVICE, _BLOCK_DEVICE):
            rules.refuse_where(name, mode, _EQUAL, kind, mask=_FILE_TYPE)
    rules.refuse_where("memfd_create", 1, _ANY_BIT, _HUGE_PAGES)
    # A process that cannot be inspected could keep any number of deleted files.
    rules.refuse_where("prctl", 0, _EQUAL, _PR_SET_DUMPABLE, answer=_DO_NOTHING)
    for argument in (0, 1):
        rules.refuse_where("setpriority", argument, _EQUAL, 0, holds=False)
    rules.refuse_other_protocols(_NETLINK)


def build(
    machine, forbid_processes, shared_user, only_signal, may_exec=False, host_files=False, sockets=(), everyday=False
):
    """The filter's instructions.

    forbid_processes: no fork and, but for may_exec, no exec; threads stay. An exec keeps every restriction.
    shared_user: the job runs as a user who owns files here, so it may change no owner, mode or, by name, length.
    only_signal: the one process it may signal; None: the kernel sees to that. host_files: the job sees the host's file
    system, where what it writes is counted and what is not its own keeps its times and attributes. sockets: the address
    families that it may use. everyday: see `_allow_everyday`.
    """
    rules = _Rules(machine)
    # Without clone3 libc falls back to clone, whose flags a filter can read.
    rules.refuse("clone3", _MISSING)
    for name in syscalls.numbers(machine):
        if name not in _SPECIAL and not (everyday and name in _EVERYDAY):
            rules.refuse(name)
    if everyday:
        _allow_everyday(rules)
    rules.refuse_unless("socket", 0, sockets)
    rules.refuse_where("clone", 0, _ANY_BIT, _CLONE_NEW_NAMESPACE)
    for name in _SCHEDULING:
        rules.refuse_where(name, 0, _EQUAL, 0, holds=False)
    for command in (_F_SETOWN, _F_SETSIG, _F_SETOWN_EX):
        rules.refuse_where("fcntl", 1, _EQUAL, command)
    for request in (_FIOSETOWN, _SIOCSPGRP, _TIOCSTI):
        rules.refuse_where("ioctl", 1, _EQUAL, request)
    if forbid_processes:
        rules.refuse_where("clone", 0, _ANY_BIT, _CLONE_THREAD, holds=False)
        for name in _PROCESSES:
            if not (may_exec and name == "execve"):
                rules.refuse(name)
    if only_signal is not None:
        for name in _SIGNALS:
            rules.refuse_where(name, 0, _EQUAL, only_signal, holds=False)
    if host_files:
        _keep_host_files(rules)
    if shared_user:
        for name in _MODES:
            # As with times: `shutil.copy` sets the mode of its copy.
            rules.refuse(name, _DO_NOTHING)
        for name in _OWNED:
            rules.refuse(name)
    return rules.instructions()


def step(forbid_processes, shared_user, forbid_signals, **more):
    """The step, for `linux.do`, that filters a process and its children for good: see `build`.

    forbid_signals: to all but the process itself, whose filter is then built by itself.
    """

    def filter_for(only_signal):
        return linux.Filter(build(os.uname().machine, forbid_processes, shared_user, only_signal, **more)).step()

    return ("seccomp", lambda: linux.do(filter_for(os.getpid())), ()) if forbid_signals else filter_for(None)
