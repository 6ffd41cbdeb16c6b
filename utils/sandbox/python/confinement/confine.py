"""Puts a freshly forked process, a job's or its judge's, under its layer's restrictions, before anything of the job
is read."""

import _signal
import os
import signal

from confinement import landlock, limits, linux, namespaces, seccomp

CHANNEL = 3
"""Descriptor on which a job talks to its judge, and a judge to the supervisor."""

CANDIDATE = 4
"""Descriptor on which a judge talks to the candidate."""

_RESERVED_BYTES = 1 << 30
_JUDGE_BYTES = 2 << 30
"""Memory of a judge: it holds tests with large inputs beside what the candidate sends."""


def take_descriptors(descriptors, mode):
    """Keep only: nothing to read on 0; a job's output on 1 and 2, its channel on 3; of a judge's: its own channel on 3,
    the candidate's on 4, and what it prints goes nowhere. Behind these the executable that it becomes, if it does.

    descriptors: [channel, candidate's channel] for a judge, else [channel, stdout, stderr], and the executable.
    """
    # The server holds 0 to 4 itself, so that none of these is overwritten before it is copied; 5 comes last.
    null = os.open("/dev/null", os.O_RDWR)
    if mode == "judge":
        wanted = [null, null, null, *descriptors]
    else:
        channel, stdout, stderr, *executable = descriptors
        wanted = [null, stdout, stderr, channel, *executable]
    for target, descriptor in enumerate(wanted):
        os.dup2(descriptor, target)
    os.closerange(len(wanted), max(wanted) + 256)


def reset_signals():
    signal.set_wakeup_fd(-1)
    # Not through the module's own function, which makes enum members: pages touched are pages copied.
    _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)


class Confinement:
    """The restrictions of a layer, made ready once, applied by every job to itself."""

    def __init__(self, settings):
        self._layer, self._uid_base = settings["layer"], settings["uidBase"]
        self._user_namespace = settings["userNamespace"]
        self._memory_bytes = settings["memoryBytes"]
        self._outer_ids = (os.getuid(), os.getgid())
        if self._layer == "bwrap":
            os.environ["HOME"] = os.environ["TMPDIR"] = "/tmp"
        if self._layer != "plain":
            landlocked = self._layer == "landlock"
            self._readable = landlock.readable_rules(settings["readable"], settings["hidden"]) if landlocked else []
            shared_user = landlocked and self._uid_base is None
            self._filters = seccomp.Filters(
                shared_user or (landlocked and not landlock.guards_truncate()),
                forbid_signals=shared_user and not landlock.scopes_signals(),
                host_files=landlocked,
            )

    def apply(self, job):
        """Restrict this process, for the mode and slot of `job`. Raises OSError: the caller must then run nothing."""
        folder = job["folder"]
        if self._layer == "bwrap":
            namespaces.private_filesystem(self._outer_ids if self._user_namespace else None)
        os.chdir(folder)
        if self._layer != "bwrap":
            os.environ["HOME"] = os.environ["TMPDIR"] = folder
        if self._uid_base is not None:
            become(self._uid_base + job["slot"])
        if linux.available():
            # After the change of user, which resets both, and before the limits, by which the supervisor tells that it
            # may look for files that the job keeps. Other jobs are kept from it by Landlock.
            linux.set_dumpable(self._layer != "bwrap")
            linux.die_with_parent()
            linux.no_new_privileges()
            if job["mode"] == "run":
                # As in a pid namespace: while the job lives, its orphans are its own. The server's are those of ended
                # jobs.
                linux.adopt_orphans()
        other_runtime = job["language"] != "python"
        # Other interpreters bound their heap themselves and reserve address space that they never use.
        memory = max(self._memory_bytes, _JUDGE_BYTES) if job["mode"] == "judge" else self._memory_bytes
        memory += _RESERVED_BYTES if other_runtime else 0
        limits.set_limits(job["cpuSeconds"], memory, job["processes"])
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
