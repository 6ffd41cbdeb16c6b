"""Finds the deleted files that jobs keep on the disk, by descriptors and mappings of their processes. Linux only."""

import errno
import os
import re
import signal

from confinement import linux
from confinement.limits import FILE_BYTES
from processes import disk_usage, reaper

_PASSES = 10
_MAX_THREADS = 512
_MAX_MAP_BYTES = 4 << 20
_FILE_LIMIT = re.compile(rb"^Max file size +\d+ +(\d+) ", re.MULTILINE)
_ENDED = re.compile(rb"^State:\t[ZX]", re.MULTILINE)


class _Hides(Exception):
    """A process keeps something from us; none does by accident."""


def find(root, server):
    """What processes that descend from the process `server` keep of deleted files below `root`.

    {name of a folder in root: {inode number: bytes, or None where the file is mapped alone and has no size to see}}. A
    process that hides what it keeps is killed.
    """
    found = {}
    # A process that forks and ends all the time can be missed once, not every time.
    for _ in range(_PASSES):
        if _look_below(server, root, found):
            break
    return found


def _look_below(server, root, found):
    """Add to `found`. Returns whether all were still there when they were looked at."""
    complete = True
    for pid, threads in reaper.descendants(server, _MAX_THREADS):
        try:
            if len(threads) > _MAX_THREADS:
                raise _Hides()
            complete = complete and threads != []
            _look_at(pid, threads, root, found)
        except OSError:
            complete = False
        except _Hides:
            _kill(pid)
    return complete


def _kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        pass


def _look_at(pid, threads, root, found):
    """Add what the process keeps: its threads share memory and descriptors, though the first may have ended."""
    for thread in threads:
        folder = "/proc/%d/task/%d/" % (pid, thread)
        maps = _readable(lambda: _maps(folder), pid, folder)
        if maps:
            _add_mapped(maps, root, found)
            _readable(lambda: _add_open(folder, root, found), pid, folder)
            return


def _readable(look, pid, folder):
    """What `look` returns; None where the process has ended or has not yet entered its confinement."""
    try:
        return look()
    except PermissionError:
        if not _shows_itself(folder):
            return None
    owner = os.stat("/proc/%d" % pid)
    try:
        if os.geteuid() == 0:
            # Root of a container may not look at the processes of others.
            with linux.files_as(owner.st_uid, owner.st_gid):
                return look()
        return look()
    except PermissionError:
        if _shows_itself(folder):
            raise _Hides() from None
        return None


def _shows_itself(folder):
    """True where a confined process runs: it shows what it keeps unless it took steps against that."""
    limit = _FILE_LIMIT.search(_content(folder + "limits"))
    # Confinement makes a process visible, then limits it.
    confined = limit is not None and int(limit[1]) <= FILE_BYTES
    return confined and not _ENDED.search(_content(folder + "status"))


def _content(path):
    with open(path, "rb") as file:
        return file.read()


def _maps(folder):
    try:
        with open(folder + "maps", "rb") as file:
            text = file.read(_MAX_MAP_BYTES + 1)
    except ProcessLookupError:
        return b""
    if len(text) > _MAX_MAP_BYTES:
        raise _Hides()
    return text


def _add_mapped(maps, root, found):
    line = rb"^\S+ \S+ \S+ \S+ (\d+) +%s/(\w+)/.* \(deleted\)$" % re.escape(os.fsencode(root))
    for inode, name in re.findall(line, maps, re.MULTILINE):
        found.setdefault(name.decode(), {}).setdefault(int(inode), None)


def _add_open(folder, root, found):
    for path, status in disk_usage.open_files(folder, FileNotFoundError):
        if not disk_usage.is_nameless(status):
            continue
        try:
            place = os.readlink(path)
        except FileNotFoundError:
            # Closed meanwhile.
            continue
        except OSError as problem:
            if problem.errno == errno.ENAMETOOLONG:
                raise _Hides() from None
            raise
        if place.startswith(root + "/"):
            name = place[len(root) + 1 :].split("/")[0]
            found.setdefault(name, {})[status.st_ino] = disk_usage.size_of(status)
