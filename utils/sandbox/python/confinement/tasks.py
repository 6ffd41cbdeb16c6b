"""How many processes and threads a job may have."""

import os
import sys

_FOR_RUNNING = 16
_FOR_JUDGING = 64


def limit(mode, layer, own_user, other_runtime):
    """The value for RLIMIT_NPROC, or None to leave it.

    The kernel counts per user. `own_user` says that the job is the only one of its user; otherwise what that user
    already runs comes on top. An interpreter of another language has threads of its own.
    """
    if own_user:
        return _FOR_RUNNING if mode == "run" else _FOR_JUDGING
    if mode != "run" and not (other_runtime and layer == "plain"):
        # Where seccomp stops new processes, memory alone bounds the threads. Elsewhere this limit must stop both.
        return 0 if layer == "plain" else None
    running = tasks_of_user() if sys.platform == "linux" else None
    return None if running is None else running + _FOR_RUNNING


def tasks_of_user():
    """Processes and threads that our user runs, or None where /proc does not tell."""
    uid, count = os.getuid(), 0
    try:
        pids = [name for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return None
    for pid in pids:
        try:
            if os.stat("/proc/" + pid).st_uid == uid:
                count += len(os.listdir("/proc/%s/task" % pid))
        except OSError:
            pass
    return count
