"""Watches one command and all it starts: how much processor time they use, and how long none of them wants any.

Idle time, and no wall clock, bounds what waits: a busy machine can make a command slow but not idle.
"""

import json
import os
import resource
import signal
import time

import linux
import reaper

REPORT = 3
"""Descriptor on which the end is told, as one JSON object."""

_INTERVAL_SECONDS = 0.05
_WALL_FACTOR = 20
_TICKS = os.sysconf("SC_CLK_TCK")
_WAITING = {"S", "T", "t", "Z", "X", "I"}


def run(launch, become_program):
    """Start the command, watch it to its end, end all that it left, report. Does not return."""
    parent = os.getppid()
    own_namespace = launch["layer"] == "bwrap"
    if linux.available():
        linux.adopt_orphans()
        if own_namespace:
            linux.die_with_parent()
    leader = os.fork()
    if leader == 0:
        _become_leader(launch, become_program)
    # Asked to stop, the loop ends at its next turn.
    asked = []
    signal.signal(signal.SIGTERM, lambda *_: asked.append("aborted"))
    watched = _Watched(leader, launch["limits"])
    try:
        while watched.end is None:
            time.sleep(_INTERVAL_SECONDS)
            if asked or os.getppid() != parent:
                watched.end = {"end": "aborted"}
            else:
                watched.look()
    finally:
        _kill_all(launch, leader)
    report = {**watched.end, "cpuSeconds": round(watched.cpu_seconds(), 3)}
    os.write(REPORT, json.dumps(report).encode() + b"\n")
    os._exit(0)


def _become_leader(launch, become_program):
    """In the forked child: never returns."""
    try:
        os.setsid()
        os.set_inheritable(REPORT, False)
        if linux.available() and launch["uid"] is None:
            # A change of user would reset it.
            linux.die_with_parent()
        become_program(launch)
    except Exception as error:
        os.write(REPORT, json.dumps({"end": "not_started", "why": str(error)}).encode() + b"\n")
    finally:
        os._exit(126)


class _Watched:
    """The command and its descendants."""

    def __init__(self, leader, limits):
        self._leader = leader
        self._cpu_limit, self._idle_limit = limits["cpuSeconds"], limits["idleSeconds"]
        self._start = self._last = time.monotonic()
        self._idle = self._cpu = 0.0
        self.end = None

    def look(self):
        """Note what has happened since the last look; sets `end` once there is one."""
        self._reap()
        now = time.monotonic()
        live_cpu, is_waiting = _usage_of_descendants(os.getpid())
        cpu = self._reaped_cpu() + live_cpu
        if is_waiting and cpu - self._cpu < 1 / _TICKS:
            # One look that came late is no proof of idleness.
            self._idle += min(now - self._last, 4 * _INTERVAL_SECONDS)
        self._cpu, self._last = max(self._cpu, cpu), now
        if self.end:
            return
        if self._cpu_limit is not None and self._cpu > self._cpu_limit:
            self.end = {"end": "cpu"}
        elif self._idle > self._idle_limit or now - self._start > _WALL_FACTOR * (self._idle_limit + self._cpu_limit):
            self.end = {"end": "blocked"}

    def cpu_seconds(self):
        return max(self._cpu, self._reaped_cpu())

    def _reaped_cpu(self):
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    def _reap(self):
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid == self._leader and os.WIFSIGNALED(status):
                # The kernel's own limit on the processor time of one process.
                number = os.WTERMSIG(status)
                self.end = {"end": "cpu"} if number == signal.SIGXCPU else {"end": "signal", "signal": number}
            elif pid == self._leader:
                self.end = {"end": "exited", "code": os.WEXITSTATUS(status)}


def _usage_of_descendants(root):
    """Processor seconds of all live descendants, with those of the dead whom they waited for; whether all wait."""
    seconds, is_waiting = 0.0, True
    pending = _children(root)
    while pending:
        pid = pending.pop()
        pending += _children(pid)
        try:
            fields = _stat("/proc/%d/stat" % pid)
            seconds += sum(int(field) for field in fields[11:15]) / _TICKS
            for task in os.listdir("/proc/%d/task" % pid):
                is_waiting = is_waiting and _stat("/proc/%d/task/%s/stat" % (pid, task))[0] in _WAITING
        except OSError:
            continue
    return seconds, is_waiting


def _children(pid):
    found = []
    try:
        for task in os.listdir("/proc/%d/task" % pid):
            with open("/proc/%d/task/%s/children" % (pid, task)) as file:
                found += [int(child) for child in file.read().split()]
    except OSError:
        pass
    return found


def _stat(path):
    """The fields after the name, which may hold anything."""
    with open(path) as file:
        return file.read().rpartition(")")[2].split()


def _kill_all(launch, leader):
    reaper.kill_group(leader)
    if launch["layer"] != "bwrap" and launch["uid"] is not None:
        reaper.kill_user(launch["uid"])
    reaper.kill_orphans(known=())
