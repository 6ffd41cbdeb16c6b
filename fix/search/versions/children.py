"""Tests as processes of their own, with limits, for the scripts that start them once for each edit."""

import collections
import contextlib
import os
import resource
import signal
import subprocess
import tempfile
import time

QUIET_S = 8  # in which no process of a command runs or wants the processor
SLOWER = 10  # times that by the clock, where processes cannot be looked at
LOOK_S = 0.25
TICKS = os.sysconf("SC_CLK_TCK")

Ran = collections.namedtuple("Ran", "code said cut")


def taken(words):
    """The words of the first command, and those behind it."""
    count = int(words[0])
    return words[1 : 1 + count], words[1 + count :]


def used():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def group_of(leader):
    """[(state, processor seconds)] of the processes of a group; None where none can be looked at."""
    found = []
    try:
        for name in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError):
                fields = open(f"/proc/{name}/stat", encoding="latin-1").read().rpartition(") ")[2].split(" ")
                if int(fields[2]) == leader:
                    found.append((fields[0], sum(map(int, fields[11:15])) / TICKS))
    except OSError:
        return None
    return found


def is_over(child, began, seconds, seen):
    """Whether it used more, or waits for what does not come. `seen`: [quiet since, processor seconds then]"""
    group, now = group_of(child.pid), time.monotonic()
    if group is None:
        return now - began > SLOWER * (seconds or QUIET_S) + QUIET_S
    cpu = sum(one for _, one in group)
    if cpu > seen[1] or any(state == "R" for state, _ in group):
        seen[:] = [now, cpu]
    return (seconds is not None and cpu > seconds) or (seconds is not None and now - seen[0] > QUIET_S)


def run_child(argv, seconds, environment, is_heard=False):
    """Runs a command to its end. `seconds` of processor time; None: as many as it takes."""

    def limits():
        if seconds is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))

    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(
            argv,
            env=dict(os.environ, **environment),
            stdin=subprocess.DEVNULL,
            stdout=output if is_heard else subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=limits,
        )
        began, cut = time.monotonic(), False
        seen = [began, 0]
        while True:
            try:
                child.wait(LOOK_S)
                break
            except subprocess.TimeoutExpired:
                if is_over(child, began, seconds, seen):
                    cut = True
                    os.killpg(child.pid, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
        output.seek(0)
        return Ran(child.returncode, output.read().decode("utf-8", "replace"), cut)
