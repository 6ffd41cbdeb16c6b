"""Kills what a job left behind where no pid namespace does it."""

import os
import signal


def kill_group(leader):
    """Kill the process group that `leader` leads or led."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except OSError:
        pass


def kill_user(uid):
    """Kill every process of the user `uid`, which no one but one job slot uses. The caller is root."""
    pid = os.fork()
    if pid == 0:
        try:
            os.setgroups([])
            os.setresgid(uid, uid, uid)
            os.setresuid(uid, uid, uid)
            os.kill(-1, signal.SIGKILL)
        finally:
            os._exit(0)
    os.waitpid(pid, 0)


def _children():
    """Pids of this process's children, or nothing where the kernel does not tell."""
    try:
        with open("/proc/self/task/%d/children" % os.getpid()) as file:
            return [int(pid) for pid in file.read().split()]
    except OSError:
        return []


def kill_orphans(known):
    """Kill the children that are not in `known`: processes adopted from jobs. Their children follow, until none is left."""
    for _ in range(200):
        orphans = [pid for pid in _children() if pid not in known]
        if not orphans:
            return
        for pid in orphans:
            try:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            except OSError:
                pass
