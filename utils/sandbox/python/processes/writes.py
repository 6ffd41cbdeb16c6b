"""How much a watched program has written into folders of the host, with deleted files that it keeps open."""

import os
import stat
import time

_MAX_DEPTH = 128
_CHECK_SECONDS = 0.2
_COST_FACTOR = 10


class _Hidden(Exception):
    """A folder that keeps us from seeing what it holds."""


class Writes:
    """Compares folders with what they held at the start."""

    def __init__(self, folders, max_bytes, max_entries):
        self._folders = folders
        size, entries = _held(folders, ())
        self._max_bytes, self._max_entries = size + max_bytes, entries + max_entries
        self._next = 0

    def over_limit(self, pids):
        """True where they hold too much. Asked often, it looks as often as its cost allows."""
        started = time.monotonic()
        if not self._folders or started < self._next:
            return False
        try:
            size, entries = _held(self._folders, pids)
        except _Hidden:
            return True
        now = time.monotonic()
        self._next = now + max(_CHECK_SECONDS, _COST_FACTOR * (now - started))
        return size > self._max_bytes or entries > self._max_entries


def _held(folders, pids):
    files = {}
    for folder in folders:
        _add_folder(files, folder)
    for pid in pids:
        _add_deleted(files, "/proc/%d/fd/" % pid)
    return sum(files.values()), len(files)


def _add_folder(files, name, parent=None, depth=0):
    try:
        folder = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=parent)
    except PermissionError:
        raise _Hidden() from None
    except OSError:
        return  # Removed meanwhile.
    try:
        if depth > _MAX_DEPTH:
            raise _Hidden()
        with os.scandir(folder) as listing:
            for entry in listing:
                try:
                    status = os.stat(entry.name, dir_fd=folder, follow_symlinks=False)
                except PermissionError:
                    raise _Hidden() from None
                except OSError:
                    continue
                files[status.st_dev, status.st_ino] = status.st_blocks * 512
                if stat.S_ISDIR(status.st_mode):
                    _add_folder(files, entry.name, folder, depth + 1)
    finally:
        os.close(folder)


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
