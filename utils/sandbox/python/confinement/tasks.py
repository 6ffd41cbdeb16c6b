"""How many processes and threads a user may have."""

import os


def limit(most, own_user):
    """The value for RLIMIT_NPROC by which a program has at most `most` processes and threads, or None to leave it.

    The kernel counts per user: where `own_user` is false, what the user already runs comes on top.
    """
    if own_user:
        return most
    running = _tasks_of_user()
    return None if running is None else running + most


def _tasks_of_user():
    """Processes and threads of our user, or None if /proc does not show them."""
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
