"""Restricts processes for good: the programs of boxes (`launch.py`), and those of jobs, which the fork server forks."""

import os
import signal

from confinement import landlock, limits, linux, namespaces, seccomp
from wire import frames

CHANNEL = 3
"""Descriptor on which a job talks to its judge, and a judge to the supervisor."""

CANDIDATE = 4
"""Descriptor on which a judge talks to the candidate."""

_RESERVED_BYTES = 1 << 30
_JUDGE_BYTES = 2 << 30
"""Memory of a judge: it holds tests with large inputs beside what the candidate sends."""

_END = ("write", os.write, (CHANNEL, frames.pack({"confined": True})))
"""Sent before anything of the job has arrived, so that the job cannot have sent it."""


def restrictions(layer, uid, bounds, rules, filter_, own=()):
    """The steps, for `linux.do`, that every process takes before it runs untrusted code. Its children are restricted
    in the same way, and no right ever comes back.

    uid: the user to become, or None. bounds: of `limits.steps`. rules: arguments of `landlock.restrict`, where that is
    the layer. filter_: of `seccomp.step`; the plain layer has none. own: further steps, taken as that user before any
    limit holds.
    """
    steps = [] if uid is None else linux.become(uid)
    if linux.available():
        # After the change of user, which takes it back.
        steps += [linux.die_with_parent(), linux.no_new_privileges()]
    steps += [*own, *bounds]
    if layer == "landlock":
        # Before the filter, which refuses it.
        steps.append(("landlock", landlock.restrict, rules))
    if layer == "bwrap":
        steps.append(linux.drop_capabilities())
    return steps if layer == "plain" else [*steps, filter_]


def _take_descriptors(null, descriptors, mode):
    # The server holds 0 to 4 itself, so that none of these is overwritten before it is copied; 5 comes last.
    if mode == "judge":
        wanted = [null, null, null, *descriptors]
    else:
        channel, stdout, stderr, *executable = descriptors
        wanted = [null, stdout, stderr, channel, *executable]
    steps = [("dup2", os.dup2, (descriptor, target)) for target, descriptor in enumerate(wanted)]
    return [*steps, ("closerange", os.closerange, (len(wanted), max(wanted) + 256))]


class Confinement:
    """What all jobs of a fork server share, prepared before a fork."""

    def __init__(self, settings):
        self._layer, self._uid_base = settings["layer"], settings["uidBase"]
        self._memory_bytes = settings["memoryBytes"]
        if self._layer == "bwrap":
            os.environ["HOME"] = os.environ["TMPDIR"] = "/tmp"
            outer_ids = (os.getuid(), os.getgid()) if settings["userNamespace"] else None
            self._private = [*namespaces.private_filesystem(outer_ids), linux.step("chdir", b"/tmp")]
        landlocked = self._layer == "landlock"
        self._readable = landlock.readable_rules(settings["readable"], settings["hidden"]) if landlocked else []
        shared_user = landlocked and self._uid_base is None
        kinds = [(judging, may_exec) for judging in (True, False) for may_exec in (True, False)]
        self._filters = (
            {}
            if self._layer == "plain"
            else {
                (judging, may_exec): seccomp.step(
                    judging,
                    shared_user or (landlocked and not landlock.guards_truncate()),
                    shared_user and not landlock.scopes_signals(),
                    may_exec=may_exec,
                    host_files=landlocked,
                )
                for judging, may_exec in kinds
            }
        )

    def steps(self, request, null, descriptors):
        """The first steps of a process of a job, for `linux.do`: it drops what it has of the server, is restricted, and
        reports that on its channel. If a step fails it must run nothing.

        It keeps only: nothing to read on 0; a job's output on 1 and 2, its channel on 3; of a judge's: its own channel
        on 3, the candidate's on 4, and what it prints goes nowhere. Behind these the executable that it becomes, if it
        does. null: opened for it. descriptors: [channel, candidate's channel] for a judge, else [channel, stdout,
        stderr], and the executable.
        """
        mode, folder, other_runtime = request["mode"], request["folder"], request["language"] != "python"
        # Other interpreters bound their heap themselves and reserve address space that they never use.
        memory = max(self._memory_bytes, _JUDGE_BYTES) if mode == "judge" else self._memory_bytes
        memory += _RESERVED_BYTES if other_runtime else 0
        return [
            ("setsid", os.setsid, ()),
            ("set_wakeup_fd", signal.set_wakeup_fd, (-1,)),
            ("signal", signal.signal, (signal.SIGCHLD, signal.SIG_DFL)),
            *_take_descriptors(null, descriptors, mode),
            *self._enter(folder),
            *restrictions(
                self._layer,
                None if self._uid_base is None else self._uid_base + request["slot"],
                limits.steps(request["cpuSeconds"], memory, request["processes"]),
                (self._readable, [folder]),
                self._filters.get((mode != "run", other_runtime)),
                self._own(mode),
            ),
            _END,
        ]

    def _enter(self, folder):
        if self._layer == "bwrap":
            return self._private
        homes = [(name, os.environ.__setitem__, (name, folder)) for name in ("HOME", "TMPDIR")]
        return [("chdir", os.chdir, (folder,)), *homes]

    def _own(self, mode):
        if not linux.available():
            return []
        # Dumpable before it has its limits: by these the supervisor tells that it may look for files that the job
        # keeps. Other jobs are kept from it by Landlock.
        steps = [linux.dumpable(self._layer != "bwrap")]
        # As in a pid namespace: while the job lives, its orphans are its own. The server's are those of ended jobs.
        return [*steps, linux.adopt_orphans()] if mode == "run" else steps
