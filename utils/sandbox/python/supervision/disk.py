"""Watches how much disk space a job holds, where no file system of its own bounds it."""

from confinement.limits import FILE_BYTES
from processes import folders

MAX_BYTES = 64 * 1024 * 1024
MAX_ENTRIES = 4096


def over_limit(folder, deleted):
    """True where a job holds more than it may, or keeps us from seeing it. Looks at no more than that takes.

    folder: the job's. deleted: files that its processes keep, {inode number: bytes, or None where it is not known}.
    """
    held = entries = 0
    seen = set()
    try:
        for inode, size in _held(folder, deleted):
            entries += 1
            # A file with several names is one, and so is one that is mapped under a name that it lost.
            if inode not in seen:
                seen.add(inode)
                held += size
            if held > MAX_BYTES or entries > MAX_ENTRIES:
                return True
    except folders.Hidden:
        return True
    return False


def _held(folder, deleted):
    for status in folders.entries_below(folder):
        yield status.st_ino, status.st_blocks * 512
    for inode, size in deleted.items():
        # No job can write a longer file.
        yield inode, FILE_BYTES if size is None else size
