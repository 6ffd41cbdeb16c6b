"""Puts a freshly forked process under its layer's restrictions, before anything of the job is read."""

import fcntl
import os
import signal

import landlock
import limits
import linux
import namespaces
import seccomp

CHANNEL = 3
"""Descriptor on which a job talks to its judge."""

_RESERVED_BYTES = 1 << 30


def take_descriptors(channel, stdout, stderr):
    """Keep only: nothing to read on 0, the job's output on 1 and 2, its channel on 3."""
    null = os.open("/dev/null", os.O_RDONLY)
    # High copies first: a descriptor must not be overwritten before it is moved.
    high = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, 10) for descriptor in (null, stdout, stderr, channel)]
    for target, descriptor in enumerate(high):
        os.dup2(descriptor, target)
    os.closerange(4, max(high) + 256)


def reset_signals():
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)


class Confinement:
    """The restrictions of a layer, made ready once, applied by every job to itself."""

    def __init__(self, settings):
        self._layer, self._uid_base = settings["layer"], settings["uidBase"]
        self._user_namespace = settings["userNamespace"]
        self._readable, self._memory_bytes = settings["readable"], settings["memoryBytes"]
        self._outer_ids = (os.getuid(), os.getgid())
        if self._layer != "plain":
            shared_user = self._layer == "landlock" and self._uid_base is None
            self._filters = seccomp.Filters(shared_user, shared_user and not landlock.scopes_signals())

    def apply(self, job):
        """Restrict this process, for the mode and slot of `job`. Raises OSError: the caller must then run nothing."""
        folder = job["folder"]
        if self._layer == "bwrap":
            namespaces.private_filesystem(self._outer_ids if self._user_namespace else None)
        os.chdir(folder)
        os.environ["HOME"] = os.environ["TMPDIR"] = folder
        if linux.available():
            linux.no_new_privileges()
        if self._uid_base is not None:
            become(self._uid_base + job["slot"])
        other_runtime = job["language"] != "python"
        # Other interpreters bound their heap themselves and reserve address space that they never use.
        memory = self._memory_bytes + (_RESERVED_BYTES if other_runtime else 0)
        limits.set_limits(job["cpuSeconds"], memory, job["processes"])
        if linux.available():
            # After the change of user, which resets both.
            linux.set_dumpable(False)
            linux.die_with_parent()
        if self._layer == "landlock":
            landlock.restrict(self._readable, [folder])
        if self._layer == "bwrap":
            linux.drop_capabilities()
        if self._layer != "plain":
            self._filters.install(judging=job["mode"] != "run", may_exec=other_runtime)


def become(uid):
    """Be an ordinary user for good. The caller is root."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
