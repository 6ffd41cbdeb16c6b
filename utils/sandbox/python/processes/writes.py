"""How much a watched program has written into folders of the host, with deleted files that it keeps open."""

import os
import stat
import time

from processes import folders

_CHECK_SECONDS = 0.2
_COST_FACTOR = 10


class Writes:
    """Compares folders with what they held at the start."""

    def __init__(self, names, max_bytes, max_entries):
        self._folders = names
        size, entries = _held(names, ())
        self._max_bytes, self._max_entries = size + max_bytes, entries + max_entries
        self._next = 0

    def over_limit(self, pids):
        """True where they hold too much. Asked often, it looks as often as its cost allows."""
        started = time.monotonic()
        if not self._folders or started < self._next:
            return False
        try:
            size, entries = _held(self._folders, pids)
        except folders.Hidden:
            return True
        now = time.monotonic()
        self._next = now + max(_CHECK_SECONDS, _COST_FACTOR * (now - started))
        return size > self._max_bytes or entries > self._max_entries


def _held(names, pids):
    files = {}
    for name in names:
        for status in folders.entries_below(name):
            files[status.st_dev, status.st_ino] = status.st_blocks * 512
    for pid in pids:
        _add_deleted(files, "/proc/%d/fd/" % pid)
    return sum(files.values()), len(files)


def _add_deleted(files, folder):
    try:
        descriptors = os.listdir(folder)
    except OSError:
        return
    for descriptor in descriptors:
        try:
            status = os.stat(folder + descriptor)
        except OSError:
            continue
        if stat.S_ISREG(status.st_mode) and status.st_nlink == 0:
            files[status.st_dev, status.st_ino] = status.st_blocks * 512
