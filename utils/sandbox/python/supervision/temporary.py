"""The supervisor's temporary folder: a living process holds its lock, and the next start of mend removes the others
(utils/base/files/temporary.ts)."""

import fcntl
import os
import tempfile


def make_folder():
    """A folder that others may pass through, locked for as long as this process lives."""
    while True:
        path = tempfile.mkdtemp(prefix="mend-temporary-box-")
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            # Another process that is just looking for stale folders found it first, and removes it.
            os.close(descriptor)
            continue
        except OSError:
            # This file system has no locks, so the folder cannot be taken for unlocked.
            return path
        if os.path.isdir(path):
            os.chmod(path, 0o711)
            return path
        os.close(descriptor)
