"""Forks processes that judge jobs, one at a time each.

A process is used again only where the tests it ran cannot have left anything behind: a fork costs more than most
judgements. Programs under test never run in it.
"""

import os
import resource
import signal
import socket

import frames
import judge
import limits
import linux
import other_judge

_MEMORY_BYTES = 2 << 30
_LINK = 3


class Worker:
    """A judge. After `start`, its verdict arrives on `fd` as one message."""

    def __init__(self):
        self._link, theirs = socket.socketpair()
        self.fd = self._link.fileno()
        self.pid = os.fork()
        if self.pid == 0:
            _work(theirs)
        theirs.close()

    def start(self, request, channel, cpu_seconds, command):
        """Have it judge `request` with the candidate at `channel`, using at most `cpu_seconds`.

        command: of the judge of another language; None for Python, which is judged in the worker itself.
        """
        try:
            socket.send_fds(self._link, [b"!"], [channel])
            job = {"request": request, "cpuSeconds": cpu_seconds, "command": command}
            frames.send(self.fd, job, frames.TRUSTED_LIMIT)
        except (OSError, frames.Closed):
            pass  # It has died: its end of the link reads as closed.

    def verdict(self):
        """What it says; nothing where it has died."""
        try:
            return frames.receive(self.fd, frames.TRUSTED_LIMIT)
        except (frames.Closed, frames.Malformed):
            return {}

    def end(self):
        """Kill it where it still runs, and reap it."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        self._link.close()


def _work(link):
    """In the forked process: never returns."""
    try:
        signal.set_wakeup_fd(-1)
        if linux.available():
            linux.die_with_parent()
        _keep_only(link.fileno())
        limits.set_memory_limit(_MEMORY_BYTES)
        with socket.socket(fileno=_LINK) as link:
            while _judge_one(link):
                pass
    finally:
        os._exit(0)


def _judge_one(link):
    """Judge the next job. Returns whether this process may judge another."""
    sign, channels, _, _ = socket.recv_fds(link, 1, 1)
    if not sign:
        return False
    job = frames.receive(_LINK, frames.TRUSTED_LIMIT)
    used = resource.getrusage(resource.RUSAGE_SELF)
    limits.set_cpu_limit(used.ru_utime + used.ru_stime + job["cpuSeconds"])
    try:
        if job["command"]:
            verdict = other_judge.judge(job["command"], job["request"], channels[0])
        else:
            verdict = judge.judge(job["request"], channels[0])
    except Exception as error:
        # A defect of ours: nobody has judged anything.
        verdict = {"outcome": "sandbox_error", "explanation": "the judge failed: %r" % error, "reusable": False}
    frames.send(_LINK, verdict, frames.TRUSTED_LIMIT)
    return verdict["reusable"]


def _keep_only(link):
    null = os.open(os.devnull, os.O_RDWR)
    # Above every descriptor in use first, so that none is overwritten before it is moved.
    base = max(null, link, _LINK) + 1
    for offset, descriptor in enumerate((null, null, null, link)):
        os.dup2(descriptor, base + offset)
    for target in range(_LINK + 1):
        os.dup2(base + target, target)
    os.closerange(_LINK + 1, 4096)
