"""How much a watched program has written: into folders of the host, and into files without a name that it keeps."""

import os
import re
import stat
import time

from processes import folders

_CHECK_SECONDS = 0.2
_COST_FACTOR = 10
_MOST_IN_FLIGHT = 64
"""Descriptors that lie in sockets, where nobody sees what they hold; honest programs take them out at once."""

_IN_FLIGHT = re.compile(rb"^scm_fds:\s*(\d+)", re.MULTILINE)
_MEMORY_FILE = re.compile(rb"^\S+ \S+ \S+ (\S+) (\d+) +/memfd:", re.MULTILINE)


class Writes:
    """Compares with what was there at the start. What lies in file systems of a known size counts by that alone."""

    def __init__(self, names, sized, limits):
        self._folders = names
        self._sized = {os.stat(path).st_dev for path in sized}
        self._file_bytes = limits["fileBytes"]
        size, entries, _ = self._held(())
        self._max_bytes, self._max_entries = size + limits["diskBytes"], entries + limits["diskEntries"]
        self._next = 0

    def over_limit(self, pids):
        """True where they hold too much. Asked often, it looks as often as its cost allows."""
        started = time.monotonic()
        if started < self._next:
            return False
        try:
            size, entries, in_flight = self._held(pids)
        except folders.Hidden:
            return True
        now = time.monotonic()
        self._next = now + max(_CHECK_SECONDS, _COST_FACTOR * (now - started))
        return size > self._max_bytes or entries > self._max_entries or in_flight > _MOST_IN_FLIGHT

    def _held(self, pids):
        files, in_flight = {}, 0
        for name in self._folders:
            for status in folders.entries_below(name):
                files[status.st_dev, status.st_ino] = status.st_blocks * 512
        for pid in pids:
            in_flight += self._add_nameless(files, pid)
        # One that is mapped alone has no size to see: it may be as long as any.
        opened = {inode for _, inode in files}
        for pid in pids:
            for inode in _mapped(pid) - opened:
                files["mapped", inode] = self._file_bytes
        return sum(files.values()), len(files), in_flight

    def _add_nameless(self, files, pid):
        """Add the deleted files and the memory files that a process has open. Returns how many descriptors its
        sockets hold."""
        folder, in_flight = "/proc/%d/fd/" % pid, 0
        try:
            descriptors = os.listdir(folder)
        except OSError:
            return 0
        for descriptor in descriptors:
            try:
                status = os.stat(folder + descriptor)
            except OSError:
                continue
            if stat.S_ISSOCK(status.st_mode):
                in_flight += _waiting_in(pid, descriptor)
            elif stat.S_ISREG(status.st_mode) and status.st_nlink == 0 and status.st_dev not in self._sized:
                files[status.st_dev, status.st_ino] = status.st_blocks * 512
        return in_flight


def _waiting_in(pid, descriptor):
    found = _IN_FLIGHT.search(_content("/proc/%d/fdinfo/%s" % (pid, descriptor)))
    return int(found[1]) if found else 0


def _mapped(pid):
    """The inodes of memory files that a process has mapped."""
    return {int(inode) for _, inode in _MEMORY_FILE.findall(_content("/proc/%d/maps" % pid))}


def _content(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""
