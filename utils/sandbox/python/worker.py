"""Forks a process that judges one job, so that nothing a test does can reach the next one."""

import json
import os
import signal

import judge
import limits
import linux

_MEMORY_BYTES = 2 << 30
_VERDICT = 3
_CHANNEL = 4


class Worker:
    """A judge at work. Its verdict arrives on `fd`, as JSON, then the stream ends."""

    def __init__(self, request, channel, cpu_seconds):
        self.fd, writing = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            _work(request, channel, writing, cpu_seconds)
        os.close(writing)

    def end(self):
        """Kill it where it still runs, and reap it."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def _work(request, channel, writing, cpu_seconds):
    """In the forked process: never returns."""
    try:
        signal.set_wakeup_fd(-1)
        _keep_only(channel, writing)
        if linux.available():
            linux.die_with_parent()
        limits.set_limits(cpu_seconds, _MEMORY_BYTES, None)
        verdict = _judge(request)
        os.write(_VERDICT, json.dumps(verdict).encode("ascii"))
    finally:
        os._exit(0)


def _judge(request):
    try:
        return judge.judge(request, _CHANNEL)
    except Exception as error:
        # A defect of ours: nobody has judged anything.
        return {"outcome": "sandbox_error", "explanation": "the judge failed: %r" % error}


def _keep_only(channel, writing):
    null = os.open(os.devnull, os.O_RDWR)
    # Above every descriptor in use first, so that none is overwritten before it is moved.
    base = max(null, channel, writing, _CHANNEL) + 1
    for offset, descriptor in enumerate((null, null, null, writing, channel)):
        os.dup2(descriptor, base + offset)
    for target in range(5):
        os.dup2(base + target, target)
    os.closerange(5, 4096)
