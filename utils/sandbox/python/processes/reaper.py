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
    """Kill every process of the user `uid`, which only one job slot uses. The caller is root."""
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


def children(pid, thread):
    """Pids of the children of a process's thread, or nothing if the kernel does not list them."""
    try:
        with open("/proc/%d/task/%d/children" % (pid, thread)) as file:
            return [int(child) for child in file.read().split()]
    except OSError:
        return []


def descendants(pid, most_threads=None):
    """(pid, its threads) of all descendants of a process. No threads: it has ended meanwhile.

    Descendants of a process with more than `most_threads` are not looked for.
    """
    pending = [child for thread in _threads(pid) for child in children(pid, thread)]
    while pending:
        pid = pending.pop()
        threads = _threads(pid)
        if most_threads is None or len(threads) <= most_threads:
            pending += [child for thread in threads for child in children(pid, thread)]
        yield pid, threads


def _threads(pid):
    try:
        return [int(name) for name in os.listdir("/proc/%d/task" % pid)]
    except OSError:
        return []


def kill_orphans(known):
    """Kill the children that are not in `known`, which were adopted from jobs, and then the children that these
    leave."""
    for _ in range(200):
        orphans = [pid for pid in children(os.getpid(), os.getpid()) if pid not in known]
        if not orphans:
            return
        for pid in orphans:
            try:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            except OSError:
                pass
