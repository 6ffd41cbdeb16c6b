"""How much a job may hold on the disk, where no file system of its own bounds it."""

from confinement.limits import FILE_BYTES
from processes.disk_usage import DiskUsage, TooMuch

MAX_BYTES = 64 * 1024 * 1024
MAX_ENTRIES = 4096


def over_limit(folder, deleted):
    """True where a job holds more than it may, or keeps us from seeing it.

    folder: the job's. deleted: files that its processes keep, {inode number: bytes, or None where it is not known}.
    """
    held = DiskUsage(MAX_BYTES, MAX_ENTRIES, one_device=True)
    try:
        held.add_folder(folder)
        for inode, size in deleted.items():
            # No job can write a longer file.
            held.add(inode, FILE_BYTES if size is None else size)
    except TooMuch:
        return True
    return False
