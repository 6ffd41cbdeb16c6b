"""Seccomp filter of one job: no network, no tracing, no mounts, and, while judging, no new processes."""

import errno
import os

import linux
import syscalls

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32_BIT = 0x40000000
_FIRST_UNKNOWN_CALL = 452
"""Calls from here on are newer than this filter: to a program they do not exist."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_REFUSE = 0x00050000 | errno.EPERM
_MISSING = 0x00050000 | errno.ENOSYS
_NUMBER, _ARCHITECTURE = 0, 4

_CLONE_THREAD = 0x00010000
_CLONE_NEW_NAMESPACE = 0x7E020000
_F_SETOWN, _F_SETSIG, _F_SETOWN_EX = 8, 10, 15
_FIOSETOWN, _SIOCSPGRP, _TIOCSTI = 0x8901, 0x8902, 0x5412

_PROCESSES = ("fork", "vfork", "execve", "execveat")
_SIGNALS = ("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")
_METADATA = (
    "chmod fchmod fchmodat chown fchown lchown fchownat utime utimes futimesat utimensat truncate setxattr lsetxattr "
    "fsetxattr removexattr lremovexattr fremovexattr"
).split()
_SCHEDULING = ("prlimit64", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr")
_SPECIAL = {"clone", "clone3", "fcntl", "ioctl", "socket", *_PROCESSES, *_SIGNALS, *_METADATA, *_SCHEDULING}


class _Program:
    """Assembles a filter whose accumulator holds the call's number between rules."""

    def __init__(self, numbers):
        self._numbers = numbers
        self.instructions = []

    def emit(self, code, operand, if_true=0, if_false=0):
        self.instructions.append((code, if_true, if_false, operand))

    def refuse(self, name, answer=_REFUSE):
        if name in self._numbers:
            self.emit(_EQUAL, self._numbers[name], 0, 1)
            self.emit(_RETURN, answer)

    def refuse_where(self, name, argument, test, operand, holds=True):
        """Refuse the call when its argument passes the test (or, with holds=False, when it does not)."""
        if name not in self._numbers:
            return
        self.emit(_EQUAL, self._numbers[name], 0, 4)
        # The low half of the argument, on a little-endian machine. All of these take 32 bits.
        self.emit(_LOAD, 16 + 8 * argument)
        self.emit(test, operand, 0 if holds else 1, 1 if holds else 0)
        self.emit(_RETURN, _REFUSE)
        self.emit(_LOAD, _NUMBER)

    def refuse_unless(self, name, argument, operands):
        """Refuse the call unless its argument is one of `operands`."""
        if not operands:
            self.refuse(name)
        elif name in self._numbers:
            self.emit(_EQUAL, self._numbers[name], 0, len(operands) + 3)
            self.emit(_LOAD, 16 + 8 * argument)
            for index, operand in enumerate(operands):
                self.emit(_EQUAL, operand, len(operands) - index, 0)
            self.emit(_RETURN, _REFUSE)
            self.emit(_LOAD, _NUMBER)


def _check_architecture(program, machine):
    program.emit(_LOAD, _ARCHITECTURE)
    program.emit(_EQUAL, _ARCHITECTURES[machine], 1, 0)
    program.emit(_RETURN, _KILL)
    program.emit(_LOAD, _NUMBER)
    if machine == syscalls.X86_64:
        program.emit(_AT_LEAST, _X32_BIT, 0, 1)
        program.emit(_RETURN, _KILL)
    program.emit(_AT_LEAST, _FIRST_UNKNOWN_CALL, 0, 1)
    program.emit(_RETURN, _MISSING)


def build(machine, forbid_processes, shared_user, only_signal, may_exec=False, sockets=()):
    """The filter's instructions.

    forbid_processes: no fork and, but for may_exec, no exec; threads stay. An exec keeps every restriction. shared_user:
    the job runs as a user who owns files here, so it may not change the metadata of files. only_signal: the one process
    it may signal; None: the kernel sees to that. sockets: the address families that it may use.
    """
    numbers = syscalls.numbers(machine)
    program = _Program(numbers)
    _check_architecture(program, machine)
    # Without clone3 libc falls back to clone, whose flags a filter can read.
    program.refuse("clone3", _MISSING)
    for name in numbers:
        if name not in _SPECIAL:
            program.refuse(name)
    program.refuse_unless("socket", 0, sockets)
    program.refuse_where("clone", 0, _ANY_BIT, _CLONE_NEW_NAMESPACE)
    for name in _SCHEDULING:
        program.refuse_where(name, 0, _EQUAL, 0, holds=False)
    for command in (_F_SETOWN, _F_SETSIG, _F_SETOWN_EX):
        program.refuse_where("fcntl", 1, _EQUAL, command)
    for request in (_FIOSETOWN, _SIOCSPGRP, _TIOCSTI):
        program.refuse_where("ioctl", 1, _EQUAL, request)
    if forbid_processes:
        program.refuse_where("clone", 0, _ANY_BIT, _CLONE_THREAD, holds=False)
        for name in _PROCESSES:
            if not (may_exec and name == "execve"):
                program.refuse(name)
    if only_signal is not None:
        for name in _SIGNALS:
            program.refuse_where(name, 0, _EQUAL, only_signal, holds=False)
    if shared_user:
        for name in _METADATA:
            program.refuse(name)
    program.emit(_RETURN, _ALLOW)
    return program.instructions


def filter_for_box(may_fork, shared_user, only_signal, sockets):
    """A filter for a program that is started by an exec and may use sockets of the families `sockets`."""
    machine = os.uname().machine
    return linux.Filter(build(machine, not may_fork, shared_user, only_signal, may_exec=True, sockets=sockets))


class Filters:
    """The filters of a layer, built once before its jobs are forked."""

    def __init__(self, shared_user, forbid_signals):
        self._shared_user, self._forbid_signals = shared_user, forbid_signals
        kinds = [(judging, may_exec) for judging in (True, False) for may_exec in (True, False)]
        self._ready = {kind: self._build(*kind, None) for kind in kinds}

    def install(self, judging, may_exec):
        """Filter this process and its children for good; while judging they start no processes. Raises OSError."""
        kind = judging, may_exec
        ready = self._build(*kind, os.getpid()) if self._forbid_signals else self._ready[kind]
        ready.install()

    def _build(self, judging, may_exec, only_signal):
        return linux.Filter(build(os.uname().machine, judging, self._shared_user, only_signal, may_exec))
