"""Watches how much disk space a job holds, where no file system of its own bounds it."""

import os

from confinement.limits import FILE_BYTES

MAX_BYTES = 64 * 1024 * 1024
MAX_ENTRIES = 4096
_MAX_DEPTH = 128


class _Over(Exception):
    pass


def over_limit(folder, deleted):
    """True where a job holds more than it may, or keeps us from seeing it. Looks at no more than that takes.

    folder: the job's. deleted: files that its processes keep, {inode number: bytes, or None where it is not known}.
    """
    try:
        _Tally().add_all(folder, deleted)
    except _Over:
        return True
    return False


class _Tally:
    def __init__(self):
        self._bytes = self._entries = 0
        self._seen = set()

    def add_all(self, folder, deleted):
        self.add_folder(folder)
        for inode, size in deleted.items():
            # No job can write a longer file.
            self._add(inode, FILE_BYTES if size is None else size)

    def _add(self, inode, size):
        self._entries += 1
        # A file with several names is one, and so is one that is mapped under a name that it lost.
        if inode not in self._seen:
            self._seen.add(inode)
            self._bytes += size
        if self._bytes > MAX_BYTES or self._entries > MAX_ENTRIES:
            raise _Over()

    def add_folder(self, name, parent=None, depth=0):
        try:
            folder = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
        except PermissionError:
            # Locked by the job. Root gets in.
            raise _Over() from None
        except OSError:
            # Removed meanwhile.
            return
        try:
            if depth > _MAX_DEPTH:
                raise _Over()
            with os.scandir(folder) as listing:
                for entry in listing:
                    self._add_entry(entry, folder, depth)
        except OSError:
            return
        finally:
            os.close(folder)

    def _add_entry(self, entry, folder, depth):
        try:
            status = entry.stat(follow_symlinks=False)
        except PermissionError:
            # The folder may be listed and not searched.
            raise _Over() from None
        except OSError:
            return
        self._add(status.st_ino, status.st_blocks * 512)
        if entry.is_dir(follow_symlinks=False):
            self.add_folder(entry.name, folder, depth + 1)
