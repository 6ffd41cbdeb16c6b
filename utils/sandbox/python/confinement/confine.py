"""Puts a freshly forked process, a job's or its judge's, under its layer's restrictions, before anything of the job
is read."""

import _signal
import os

from confinement import landlock, limits, linux, namespaces, seccomp
from wire import frames

CHANNEL = 3
"""Descriptor on which a job talks to its judge, and a judge to the supervisor."""

CANDIDATE = 4
"""Descriptor on which a judge talks to the candidate."""

_MOST_KINDS = 256
_RESERVED_BYTES = 1 << 30
_JUDGE_BYTES = 2 << 30
"""Memory of a judge: it holds tests with large inputs beside what the candidate sends."""


_BEGIN = [
    ("setsid", os.setsid, ()),
    # Not through the functions of `signal`, which make enum members: pages touched are pages copied.
    ("set_wakeup_fd", _signal.set_wakeup_fd, (-1,)),
    ("signal", _signal.signal, (_signal.SIGCHLD, _signal.SIG_DFL)),
]
_END = ("write", os.write, (CHANNEL, frames.pack({"confined": True})))
"""Said before anything of the job is here, so that the job cannot have said it."""


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
    """The restrictions of a layer, made ready before a fork, by which every job restricts itself."""

    def __init__(self, settings):
        self._layer, self._uid_base = settings["layer"], settings["uidBase"]
        self._memory_bytes = settings["memoryBytes"]
        self._of_kind, self._of_slot = {}, {}
        if self._layer == "bwrap":
            os.environ["HOME"] = os.environ["TMPDIR"] = "/tmp"
            outer_ids = (os.getuid(), os.getgid()) if settings["userNamespace"] else None
            self._private = [*namespaces.private_filesystem(outer_ids), linux.step("chdir", b"/tmp")]
        if self._layer != "plain":
            landlocked = self._layer == "landlock"
            self._readable = landlock.readable_rules(settings["readable"], settings["hidden"]) if landlocked else []
            shared_user = landlocked and self._uid_base is None
            self._filters = seccomp.Filters(
                shared_user or (landlocked and not landlock.guards_truncate()),
                forbid_signals=shared_user and not landlock.scopes_signals(),
                host_files=landlocked,
            )

    def steps(self, request, null, descriptors):
        """What a process of a job does first, for `linux.do`: it leaves what it has of the server, is restricted, and
        says so on its channel. Where one fails it must run nothing.

        It keeps only: nothing to read on 0; a job's output on 1 and 2, its channel on 3; of a judge's: its own channel
        on 3, the candidate's on 4, and what it prints goes nowhere. Behind these the executable that it becomes, if it
        does. null: opened for it. descriptors: [channel, candidate's channel] for a judge, else [channel, stdout,
        stderr], and the executable.
        """
        kind = request["mode"], request["language"], request["cpuSeconds"], request["processes"]
        if kind not in self._of_kind:
            if len(self._of_kind) > _MOST_KINDS:
                self._of_kind.clear()
            self._of_kind[kind] = self._limits(*kind), self._last(*kind[:2])
        slot, folder = request["slot"], request["folder"]
        if slot not in self._of_slot:
            self._of_slot[slot] = [] if self._uid_base is None else linux.become(self._uid_base + slot)
        bounds, last = self._of_kind[kind]
        steps = [*self._enter(folder), *self._of_slot[slot], *bounds, *last]
        if self._layer == "landlock":
            # Before the filter, which comes last and refuses it.
            steps.insert(-1, ("landlock", landlock.restrict, (self._readable, [folder])))
        return [*_BEGIN, *_take_descriptors(null, descriptors, request["mode"]), *steps, _END]

    def _enter(self, folder):
        if self._layer == "bwrap":
            return self._private
        homes = [(name, os.environ.__setitem__, (name, folder)) for name in ("HOME", "TMPDIR")]
        return [("chdir", os.chdir, (folder,)), *homes]

    def _limits(self, mode, language, cpu_seconds, processes):
        steps = []
        if linux.available():
            # After the change of user, which resets both, and before the limits, by which the supervisor tells that it
            # may look for files that the job keeps. Other jobs are kept from it by Landlock.
            steps = [linux.dumpable(self._layer != "bwrap"), linux.die_with_parent(), linux.no_new_privileges()]
            if mode == "run":
                # As in a pid namespace: while the job lives, its orphans are its own. The server's are those of ended
                # jobs.
                steps.append(linux.adopt_orphans())
        # Other interpreters bound their heap themselves and reserve address space that they never use.
        memory = max(self._memory_bytes, _JUDGE_BYTES) if mode == "judge" else self._memory_bytes
        memory += _RESERVED_BYTES if language != "python" else 0
        return steps + limits.steps(cpu_seconds, memory, processes)

    def _last(self, mode, language):
        if self._layer == "plain":
            return []
        rights = [linux.drop_capabilities()] if self._layer == "bwrap" else []
        return [*rights, self._filters.step(judging=mode != "run", may_exec=language != "python")]
