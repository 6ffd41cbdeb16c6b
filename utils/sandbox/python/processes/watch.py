"""Watches one program and all it starts: memory, files written, processor time, idle time.

Waiting is limited by idle time, not by the clock: a busy machine makes a program slow but not idle.
"""

import json
import os
import resource
import select
import signal
import sys
import time

from confinement import linux
from processes import pipes, reaper, writes
from processes.idle import Idle

REPORT = 3
"""Descriptor that reports the end, as one JSON object. Its other end stays open as long as somebody waits for it."""

_INTERVAL_SECONDS = 0.05
_WALL_FACTOR = 20
_STOPPED_EXIT_CODE = 125
_TOO_MUCH = {"memory": ("totalMemoryBytes", "memory"), "disk": ("diskBytes", "disk space, or too many files")}
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_WAITING = {"S", "T", "t", "Z", "X", "I"}


def run(launch, become_program):
    """Start the program, watch it to its end, end all that it left, report. Does not return."""
    if linux.available():
        linux.do(linux.adopt_orphans())
        if launch["layer"] == "bwrap":
            # A change of user namespace has reset it.
            linux.do(linux.die_with_parent())
    watched = _Watched(launch)
    streams = pipes.Pipes(launch["uid"]) if launch["everyday"] else None
    # The first process of a namespace ignores what it does not wait for; elsewhere we are asked to end by a signal.
    awaited = [signal.SIGCHLD] if launch["layer"] == "bwrap" else [signal.SIGCHLD, signal.SIGTERM]
    before = signal.pthread_sigmask(signal.SIG_BLOCK, awaited)
    leader = os.fork()
    if leader == 0:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        _become_leader(launch, become_program, streams)
    watched.leader = leader
    _come_first()
    if streams:
        streams.carry()
    try:
        while watched.end is None:
            _wait_for_signal()
            watched.look()
            if watched.end is None and (signal.SIGTERM in signal.sigpending() or _is_forsaken()):
                watched.end = {"end": "aborted"}
    finally:
        _kill_all(launch, leader)
    if streams:
        streams.finish()
    end = watched.end
    try:
        os.write(REPORT, json.dumps({**end, "cpuSeconds": round(watched.cpu_seconds(), 3)}).encode() + b"\n")
    except OSError:
        pass
    if end["end"] in _TOO_MUCH:
        limit, what = _TOO_MUCH[end["end"]]
        told = launch["limits"][limit] >> 20, what
        print("mend: the program was ended: it used more than %d MB of %s" % told, file=sys.stderr, flush=True)
    os._exit(end["code"] if end["end"] == "exited" else 128 + end.get("signal", _STOPPED_EXIT_CODE - 128))


def _come_first():
    """Look in time, even if the program uses the whole processor."""
    try:
        os.setpriority(os.PRIO_PROCESS, 0, -10)
    except OSError:
        pass  # Only root may.


def _wait_for_signal():
    if hasattr(signal, "sigtimedwait"):
        signal.sigtimedwait([signal.SIGCHLD], _INTERVAL_SECONDS)
    else:
        time.sleep(_INTERVAL_SECONDS)


def _is_forsaken():
    """True if the process that started us is gone."""
    poll = select.poll()
    poll.register(REPORT, 0)
    return bool(poll.poll(0))


def _become_leader(launch, become_program, streams):
    """In the forked child: never returns."""
    try:
        os.setsid()
        if streams:
            streams.take()
        os.set_inheritable(REPORT, False)
        become_program(launch)
    except Exception as error:
        os.write(REPORT, json.dumps({"end": "not_started", "why": str(error)}).encode() + b"\n")
        print("mend: %s cannot be started in its box: %s" % (launch["command"][0], error), file=sys.stderr, flush=True)
    finally:
        os._exit(126)


class _Watched:
    """The program and its descendants."""

    def __init__(self, launch):
        self._limits = limits = launch["limits"]
        self._processes = _others_in_namespace if launch["layer"] == "bwrap" else _descendants
        inside = [tmpfs["path"] for tmpfs in launch["tmpfs"]]
        uid = launch["uid"] if launch["layer"] != "bwrap" else None
        self._writes = writes.Writes(launch["writable"], inside, limits, uid)
        self.leader = None
        self._start = time.monotonic()
        # One late look does not prove idleness.
        self._idle = Idle(self._start, most=4 * _INTERVAL_SECONDS)
        self._cpu = 0.0
        self.end = None

    def look(self):
        """Note what has happened since the last look; sets `end` once there is one."""
        self._reap()
        if self.end is None:
            self._measure()

    def _measure(self):
        limits, now = self._limits, time.monotonic()
        pids = self._processes()
        live_cpu, memory, is_waiting = _usage(pids)
        cpu = self._reaped_cpu() + live_cpu
        self._idle.note(now, is_waiting and cpu - self._cpu < 1 / _TICKS)
        self._cpu = max(self._cpu, cpu)
        if memory > limits["totalMemoryBytes"]:
            self.end = {"end": "memory"}
        elif self._writes.over_limit(pids):
            self.end = {"end": "disk"}
        elif limits["cpuSeconds"] is None:
            return
        elif self._cpu > limits["cpuSeconds"]:
            self.end = {"end": "cpu"}
        elif (
            self._idle.seconds > limits["idleSeconds"]
            # The time of children that are not waited for cannot be measured: the clock ends them here.
            or now - self._start > _WALL_FACTOR * (limits["idleSeconds"] + limits["cpuSeconds"])
        ):
            self.end = {"end": "blocked"}

    def cpu_seconds(self):
        return max(self._cpu, self._reaped_cpu())

    def _reaped_cpu(self):
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    def _is_late(self, number):
        """True for the kernel's own limit on processor time, which can strike before we look on a busy machine."""
        limit = self._limits["cpuSeconds"]
        spent = limit is not None and self._reaped_cpu() > limit
        return number == signal.SIGXCPU or (number == signal.SIGKILL and spent)

    def _reap(self):
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid == self.leader and os.WIFSIGNALED(status):
                number = os.WTERMSIG(status)
                self.end = {"end": "cpu"} if self._is_late(number) else {"end": "signal", "signal": number}
            elif pid == self.leader:
                self.end = {"end": "exited", "code": os.WEXITSTATUS(status)}


def _others_in_namespace():
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]


def _descendants():
    """The pids of all descendants of this process; none where the system does not tell."""
    return [pid for pid, _ in reaper.descendants(os.getpid())]


def _usage(pids):
    """What the processes use: processor seconds (with those of dead children), bytes of memory, and whether all
    wait."""
    seconds, memory, is_waiting = 0.0, 0, bool(pids)
    for pid in pids:
        try:
            fields = _stat("/proc/%d/stat" % pid)
            seconds += sum(int(field) for field in fields[11:15]) / _TICKS
            memory += int(fields[21]) * _PAGE_BYTES
            for task in os.listdir("/proc/%d/task" % pid) if is_waiting else ():
                is_waiting = is_waiting and _stat("/proc/%d/task/%s/stat" % (pid, task))[0] in _WAITING
        except (OSError, IndexError):
            continue
    return seconds, memory, is_waiting


def _stat(path):
    """The fields after the name, which may hold anything."""
    with open(path, errors="replace") as file:
        return file.read().rpartition(")")[2].split()


def _kill_all(launch, leader):
    reaper.kill_group(leader)
    if launch["layer"] != "bwrap" and launch["uid"] is not None:
        reaper.kill_user(launch["uid"])
    reaper.kill_orphans(known=())
