"""How much a watched program has written: into folders of the host, and into deleted files that it keeps."""

import math
import os
import stat
import time

from confinement import linux
from processes.disk_usage import DiskUsage, TooMuch, is_nameless, open_files, size_of

_CHECK_SECONDS = 0.2
_COST_FACTOR = 10
_MOST_IN_FLIGHT = 64
"""Most descriptors in flight in sockets, where they cannot be inspected; honest programs receive them at once."""

_IN_FLIGHT = b"scm_fds:"
_MEMORY_FILE = b"/memfd:"


class Writes:
    """Compares with what was there at the start. What lies in file systems of a known size counts by that alone.

    uid: the program's user, if it is not ours: root may not look at the open files of other users' processes in most
    containers.
    """

    def __init__(self, names, sized, limits, uid):
        self._folders, self._uid = names, uid
        self._sized = {os.stat(path).st_dev for path in sized}
        self._file_bytes = limits["fileBytes"]
        self._most = math.inf, math.inf
        before = self._held(())
        self._most = before.size + limits["diskBytes"], before.entries + limits["diskEntries"]
        self._next = 0

    def over_limit(self, pids):
        """True if they hold too much. May be asked often: it looks only as often as its cost allows."""
        started = time.monotonic()
        if started < self._next:
            return False
        try:
            self._held(pids)
        except TooMuch:
            return True
        now = time.monotonic()
        self._next = now + max(_CHECK_SECONDS, _COST_FACTOR * (now - started))
        return False

    def _held(self, pids):
        held = DiskUsage(*self._most)
        for name in self._folders:
            held.add_folder(name)
        if self._uid is None:
            nameless = self._nameless(pids)
        else:
            with linux.files_as(self._uid, self._uid):
                nameless = self._nameless(pids)
        for file, size in nameless.items():
            held.add(file, size)
        return held

    def _nameless(self, pids):
        """The size of each file without a name that a process has open or mapped. Raises TooMuch where too many lie in
        sockets."""
        nameless, in_flight = {}, 0
        for pid in pids:
            in_flight += self._look_at(pid, nameless)
        if in_flight > _MOST_IN_FLIGHT:
            raise TooMuch()
        # The size of one that is only mapped cannot be seen: it may have any length.
        opened = {inode for _, inode in nameless}
        for inode in {inode for pid in pids for inode in _mapped(pid)} - opened:
            nameless["mapped", inode] = self._file_bytes
        return nameless

    def _look_at(self, pid, nameless):
        """Add the deleted files and the memory files that a process has open. Returns how many descriptors its
        sockets hold."""
        in_flight = 0
        try:
            for path, status in open_files("/proc/%d/" % pid, OSError):
                if stat.S_ISSOCK(status.st_mode):
                    in_flight += _waiting_in(pid, os.path.basename(path))
                elif is_nameless(status) and status.st_dev not in self._sized:
                    nameless[status.st_dev, status.st_ino] = size_of(status)
        except OSError:
            pass  # It has ended.
        return in_flight


def _waiting_in(pid, descriptor):
    for line in _content("/proc/%d/fdinfo/%s" % (pid, descriptor)).split(b"\n"):
        if line.startswith(_IN_FLIGHT):
            return int(line[len(_IN_FLIGHT) :])
    return 0


def _mapped(pid):
    """The inodes of memory files that a process has mapped."""
    content = _content("/proc/%d/maps" % pid)
    if _MEMORY_FILE not in content:
        return set()
    # Addresses, rights, offset, device, inode, path.
    rows = [line.split(None, 5) for line in content.split(b"\n")]
    return {int(row[4]) for row in rows if len(row) == 6 and row[5].startswith(_MEMORY_FILE)}


def _content(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""
