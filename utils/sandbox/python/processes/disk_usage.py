"""Measures what programs hold on the disk: below folders, and in deleted files that processes keep.

What counts and how much is allowed is decided elsewhere: `supervision/disk.py` for jobs, `writes.py` for a watched
program.
"""

import os
import stat

from processes import folders


class TooMuch(Exception):
    """They hold more than they may, or keep us from seeing it."""


class DiskUsage:
    """Counts bytes and entries. The bytes of a file with several names count once."""

    def __init__(self, most_bytes, most_entries, one_device=False):
        """one_device: files are identified by inode number alone, as in lists of memory mappings."""
        self._most_bytes, self._most_entries, self._one_device = most_bytes, most_entries, one_device
        self._seen = set()
        self.size = self.entries = 0

    def add(self, file, size):
        """Count an entry; `file` identifies it. Raises TooMuch at once, so that nothing more is looked at."""
        self.entries += 1
        if file not in self._seen:
            self._seen.add(file)
            self.size += size
        if self.size > self._most_bytes or self.entries > self._most_entries:
            raise TooMuch()

    def add_folder(self, name):
        """Count all that lies below a folder. Raises TooMuch, also for what this process may not see."""
        try:
            for status in folders.entries_below(name):
                self.add(status.st_ino if self._one_device else (status.st_dev, status.st_ino), size_of(status))
        except folders.Hidden:
            raise TooMuch() from None


def size_of(status):
    return status.st_blocks * 512


def is_nameless(status):
    """True for a deleted file: it stays on the disk as long as a process keeps it open or mapped."""
    return stat.S_ISREG(status.st_mode) and status.st_nlink == 0


def open_files(folder, gone):
    """Path and status of what a process runs and has open. Raises OSError where it cannot be listed.

    folder: of the process below /proc, or of one of its threads. gone: errors of one file that mean it is there no
    more.
    """
    for path in [folder + "exe", *(folder + "fd/" + name for name in os.listdir(folder + "fd"))]:
        try:
            yield path, os.stat(path)
        except gone:
            continue
